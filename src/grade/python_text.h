// The few text operations of the Python scorers that official scores depend on, with Python's exact
// reading of Unicode. Text that is not valid UTF-8 keeps its stray bytes as they are; nothing
// fails.
#pragma once

#include <string>
#include <string_view>

namespace fathom {

// str.strip(): removes Unicode white space (Python's set, which holds 0x1c..0x1f) at both ends. A
// view into `text`.
[[nodiscard]] std::string_view python_strip(std::string_view text);

// str.lower(): full Unicode lower case, with İ → i̇ and the final form of sigma. O(n) in bytes;
// ASCII runs at memory speed.
[[nodiscard]] std::string python_lower(std::string_view text);

// round(value, digits) and repr(): the decimal nearest to the exact binary value, ties to even; no
// locale.
[[nodiscard]] double python_round(double value, int digits);
[[nodiscard]] std::string python_repr(double value);  // "99.8", "100.0", "1e-05"

}  // namespace fathom
