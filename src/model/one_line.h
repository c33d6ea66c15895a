// Foreign text made fit for a message: one line, no control bytes, bounded.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace fathom {

// Runs of white space and control bytes become one space, ends trimmed; longer than `limit` bytes:
// cut at a character, "…" behind.
[[nodiscard]] std::string one_line(std::string_view text, size_t limit);

}  // namespace fathom
