// The character classes that split patterns name (\p{L}, \p{N}, \s …), as the reference engine has
// them: generated from PyPI `tokenizers` by make_unicode_classes.py, which is Unicode 16 without
// what later versions added.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace fathom {

// Bits of one code point's class.
inline constexpr uint8_t kClassUpper = 1;    // Lu Lt Lm Lo
inline constexpr uint8_t kClassLower = 2;    // Ll Lm Lo
inline constexpr uint8_t kClassMark = 4;     // M
inline constexpr uint8_t kClassNumber = 8;   // N
inline constexpr uint8_t kClassPunct = 16;   // P
inline constexpr uint8_t kClassSymbol = 32;  // S
inline constexpr uint8_t kClassSpace = 64;   // \s
inline constexpr uint8_t kClassHan = 128;  // U+4E00–9FA5, kana: the blocks that DeepSeek splits off
inline constexpr uint8_t kClassLetter = kClassUpper | kClassLower;

extern const uint32_t kUnicodeClassRuns[];
extern const size_t kUnicodeClassRunCount;

// The class of each code point; 0x110000 bytes, built on first use. Thread-safe.
[[nodiscard]] const uint8_t* unicode_classes();

struct CodePoint {
  uint32_t value = 0;
  uint32_t bytes = 0;  // 1–4
};

// Decodes the code point at text[0]. Requires: p < end. Bytes that are no valid UTF-8 count as one
// unassigned character each, so nothing past `end` is read whatever the text.
[[nodiscard]] inline CodePoint decode_code_point(const uint8_t* p, const uint8_t* end) {
  const uint32_t lead = p[0];
  if (lead < 0x80) return {lead, 1};
  const auto tail = [&](int i) { return static_cast<uint32_t>(p[i]) & 0x3F; };
  if (lead >= 0xC0 && lead < 0xE0 && end - p >= 2) return {(lead & 0x1F) << 6 | tail(1), 2};
  if (lead >= 0xE0 && lead < 0xF0 && end - p >= 3)
    return {(lead & 0x0F) << 12 | tail(1) << 6 | tail(2), 3};
  if (lead >= 0xF0 && lead < 0xF8 && end - p >= 4) {
    const uint32_t value = (lead & 0x07) << 18 | tail(1) << 12 | tail(2) << 6 | tail(3);
    if (value < 0x110000) return {value, 4};
  }
  return {0x10FFFF, 1};
}

}  // namespace fathom
