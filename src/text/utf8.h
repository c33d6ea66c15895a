// UTF-8: validation, repair and stepping through characters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace fathom {

inline constexpr std::string_view kReplacementText = "\xEF\xBF\xBD";  // U+FFFD

// O(n), gigabytes per second.
[[nodiscard]] bool is_valid_utf8(std::string_view bytes);

// Bytes at the start of `bytes` that form one maximal invalid part (Unicode's "maximal subpart", as
// WHATWG and Rust replace it), or 0 where a valid character starts. Requires: !bytes.empty()
[[nodiscard]] size_t invalid_utf8_prefix(std::string_view bytes);

// `bytes` with each maximal invalid part replaced by U+FFFD.
[[nodiscard]] std::string repair_utf8(std::string_view bytes);

// Bytes of the character that starts with `lead`. Requires: the lead byte of a valid character.
[[nodiscard]] inline size_t utf8_size(char lead) {
  const auto byte = static_cast<unsigned char>(lead);
  if (byte < 0x80) return 1;
  if (byte < 0xE0) return 2;
  return byte < 0xF0 ? 3 : 4;
}

// The character at `at`, which moves behind it. Requires: at < text.size(), text valid UTF-8, `at`
// at the start of a character.
[[nodiscard]] inline char32_t next_utf8(std::string_view text, size_t& at) {
  const auto byte = [&](size_t i) {
    return static_cast<char32_t>(static_cast<unsigned char>(text[at + i]));
  };
  const char32_t lead = byte(0);
  if (lead < 0x80) return ++at, lead;
  char32_t value = 0;
  if (lead < 0xE0) {
    value = (lead & 0x1F) << 6 | (byte(1) & 0x3F);
    at += 2;
  } else if (lead < 0xF0) {
    value = (lead & 0x0F) << 12 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F);
    at += 3;
  } else {
    value = (lead & 0x07) << 18 | (byte(1) & 0x3F) << 12 | (byte(2) & 0x3F) << 6 | (byte(3) & 0x3F);
    at += 4;
  }
  return value;
}

// The start of the character that ends at `end`. Requires: 0 < end <= text.size(), text valid
// UTF-8.
[[nodiscard]] inline size_t previous_utf8(std::string_view text, size_t end) {
  do --end;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80);
  return end;
}

// Requires: a Unicode scalar value (not a surrogate, at most U+10FFFF).
void append_utf8(std::string& out, char32_t character);

}  // namespace fathom
