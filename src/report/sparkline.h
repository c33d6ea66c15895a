// A curve in one line of text: a block a point, its height the share.
#pragma once

#include <optional>
#include <span>
#include <string>

namespace fathom {

// "█▇▄▁": one column a point, eight heights from 0 to 1; "·" where there is none. Values outside
// 0..1 are cut.
[[nodiscard]] std::string sparkline(std::span<const std::optional<double>> shares);

}  // namespace fathom
