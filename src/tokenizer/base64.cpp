#include "tokenizer/base64.h"

#include <array>
#include <cstdint>

namespace fathom {
namespace {

constexpr std::array<int8_t, 256> digit_values() {
  std::array<int8_t, 256> values{};
  for (auto& value : values) value = -1;
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (size_t i = 0; i < kDigits.size(); ++i)
    values[static_cast<unsigned char>(kDigits[i])] = static_cast<int8_t>(i);
  return values;
}

constexpr auto kDigitValues = digit_values();

}  // namespace

std::optional<std::string> decode_base64(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  size_t padding = 0;
  while (padding < 2 && padding < text.size() && text[text.size() - 1 - padding] == '=') ++padding;
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);
  for (size_t at = 0; at < text.size(); at += 4) {
    const size_t digits = at + 4 == text.size() ? 4 - padding : 4;
    uint32_t group = 0;
    for (size_t i = 0; i < 4; ++i) {
      const int value = i < digits ? kDigitValues[static_cast<unsigned char>(text[at + i])] : 0;
      if (value < 0) return std::nullopt;
      group = group << 6 | static_cast<uint32_t>(value);
    }
    for (size_t i = 0; i + 1 < digits; ++i)
      bytes.push_back(static_cast<char>(group >> (16 - 8 * i) & 0xFF));
  }
  return bytes;
}

}  // namespace fathom
