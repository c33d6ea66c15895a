// Byte tokens of SentencePiece-style vocabularies: "<0x00>" … "<0xFF>".
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace fathom {

// The byte that `token` spells, upper-case digits only as vocabularies have them; nullopt for any
// other token.
[[nodiscard]] inline std::optional<uint8_t> byte_of_token(std::string_view token) {
  if (token.size() != 6 || !token.starts_with("<0x") || token[5] != '>') return std::nullopt;
  const auto digit = [](char c) -> int {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
  };
  const int high = digit(token[3]);
  const int low = digit(token[4]);
  if (high < 0 || low < 0) return std::nullopt;
  return static_cast<uint8_t>(high * 16 + low);
}

}  // namespace fathom
