// Unicode character classes (Unicode 15, utf8proc). Characters are scalar values; anything else has
// no class.
#pragma once

#include <string>

namespace fathom {

[[nodiscard]] bool is_white_space(char32_t character);        // the White_Space property
[[nodiscard]] bool is_letter(char32_t character);             // L*
[[nodiscard]] bool is_number(char32_t character);             // N*
[[nodiscard]] bool is_mark(char32_t character);               // M*
[[nodiscard]] bool is_nonspacing_mark(char32_t character);    // Mn
[[nodiscard]] bool is_punctuation(char32_t character);        // P*
[[nodiscard]] bool is_ascii_punctuation(char32_t character);  // ! to /, : to @, [ to `, { to ~
[[nodiscard]] bool is_other(char32_t character);  // Cc, Cf, Co: control, format, private use
[[nodiscard]] bool is_word_character(
    char32_t character);  // \w: alphabetic, mark, decimal digit, connector, joiner
[[nodiscard]] bool is_cjk_ideograph(char32_t character);  // the blocks that BERT sets apart

// The full lower-case form without context (one character may give several).
void append_lower_case(std::string& out, char32_t character);

}  // namespace fathom
