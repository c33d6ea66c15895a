#include "text/utf8.h"

#include <simdjson.h>

namespace fathom {

bool is_valid_utf8(std::string_view bytes) {
  return simdjson::validate_utf8(bytes.data(), bytes.size());
}

size_t invalid_utf8_prefix(std::string_view bytes) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(bytes[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return 0;
  // The second byte's range is narrower after E0, ED, F0 and F4 (overlong forms, surrogates, beyond
  // U+10FFFF).
  unsigned char low = 0x80;
  unsigned char high = 0xBF;
  size_t size = 0;
  if (lead >= 0xC2 && lead <= 0xDF) {
    size = 2;
  } else if (lead >= 0xE0 && lead <= 0xEF) {
    size = 3;
    if (lead == 0xE0) low = 0xA0;
    if (lead == 0xED) high = 0x9F;
  } else if (lead >= 0xF0 && lead <= 0xF4) {
    size = 4;
    if (lead == 0xF0) low = 0x90;
    if (lead == 0xF4) high = 0x8F;
  } else {
    return 1;
  }
  if (bytes.size() < 2 || byte(1) < low || byte(1) > high) return 1;
  for (size_t i = 2; i < size; ++i) {
    if (i >= bytes.size() || (byte(i) & 0xC0) != 0x80) return i;
  }
  return 0;
}

std::string repair_utf8(std::string_view bytes) {
  if (is_valid_utf8(bytes)) return std::string(bytes);
  std::string repaired;
  repaired.reserve(bytes.size() + bytes.size() / 8);
  for (size_t at = 0; at < bytes.size();) {
    if (const size_t invalid = invalid_utf8_prefix(bytes.substr(at)); invalid > 0) {
      repaired += kReplacementText;
      at += invalid;
    } else {
      const size_t size = utf8_size(bytes[at]);
      repaired.append(bytes, at, size);
      at += size;
    }
  }
  return repaired;
}

void append_utf8(std::string& out, char32_t character) {
  const auto push = [&](char32_t byte) { out.push_back(static_cast<char>(byte)); };
  if (character < 0x80) {
    push(character);
  } else if (character < 0x800) {
    push(0xC0 | character >> 6);
    push(0x80 | (character & 0x3F));
  } else if (character < 0x10000) {
    push(0xE0 | character >> 12);
    push(0x80 | (character >> 6 & 0x3F));
    push(0x80 | (character & 0x3F));
  } else {
    push(0xF0 | character >> 18);
    push(0x80 | (character >> 12 & 0x3F));
    push(0x80 | (character >> 6 & 0x3F));
    push(0x80 | (character & 0x3F));
  }
}

}  // namespace fathom
