// A text by its lines.
#pragma once

#include <string_view>
#include <vector>

namespace fathom {

// The lines without their "\n"; a final one does not begin another line. Views into `text`.
[[nodiscard]] std::vector<std::string_view> split_lines(std::string_view text);

}  // namespace fathom
