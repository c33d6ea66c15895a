// Text for terminals: untrusted bytes made harmless, and widths as a terminal shows them.
#pragma once

#include <string>
#include <string_view>

namespace fathom {

// Control bytes (escape sequences, C0, C1, DEL), line and bidirectional controls and invalid UTF-8
// become visible marks
// ("\x1b", "\u202e", U+FFFD); tab and newline become a space. The result is one line of valid
// UTF-8.
[[nodiscard]] std::string terminal_safe(std::string_view text);

// Columns that a terminal gives this UTF-8 text: wide characters 2, combining ones 0.
[[nodiscard]] size_t display_width(std::string_view text);

// Cuts to at most `columns`, with "…" as the last where something was cut; pads with spaces to
// exactly `columns`.
[[nodiscard]] std::string cut_to_width(std::string_view text, size_t columns);
[[nodiscard]] std::string padded_left(std::string_view text, size_t columns);   // text, then spaces
[[nodiscard]] std::string padded_right(std::string_view text, size_t columns);  // spaces, then text

// For terminals whose locale is not UTF-8: the signs that fathom's tables use become ASCII ones of
// the same width where there is one, any other character as many "?" as it has columns.
[[nodiscard]] std::string as_ascii(std::string_view text);

}  // namespace fathom
