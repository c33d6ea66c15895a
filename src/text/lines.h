// A text by its lines.
#pragma once

#include <concepts>
#include <string>
#include <string_view>
#include <vector>

namespace fathom {

// The lines without their "\n"; a final one does not begin another line. Views into `text`.
[[nodiscard]] std::vector<std::string_view> split_lines(std::string_view text);
// Views into a text that ends with the statement.
template <std::same_as<std::string> Text>
std::vector<std::string_view> split_lines(Text&& text) = delete;

}  // namespace fathom
