#include "tokenizer/byte_alphabet.h"

#include <array>
#include <cstdint>

#include "text/utf8.h"

namespace fathom {
namespace {

struct Alphabet {
  std::array<char32_t, 256> characters{};
  std::array<int16_t, 324> bytes{};  // by character, -1: not in the alphabet

  Alphabet() {
    bytes.fill(-1);
    char32_t next = 256;
    for (size_t byte = 0; byte < 256; ++byte) {
      const bool printable =
          (byte >= '!' && byte <= '~') || (byte >= 0xA1 && byte <= 0xAC) || byte >= 0xAE;
      characters[byte] = printable ? static_cast<char32_t>(byte) : next++;
      bytes[characters[byte]] = static_cast<int16_t>(byte);
    }
  }
};

const Alphabet& alphabet() {
  static const Alphabet table;
  return table;
}

}  // namespace

std::optional<std::string> bytes_of_spelling(std::string_view spelling) {
  const Alphabet& table = alphabet();
  std::string bytes;
  bytes.reserve(spelling.size());
  for (size_t at = 0; at < spelling.size();) {
    const char32_t character = next_utf8(spelling, at);
    if (character >= table.bytes.size() || table.bytes[character] < 0) return std::nullopt;
    bytes.push_back(static_cast<char>(table.bytes[character]));
  }
  return bytes;
}

std::string spelling_of_bytes(std::string_view bytes) {
  std::string spelling;
  for (const char byte : bytes)
    append_utf8(spelling, alphabet().characters[static_cast<unsigned char>(byte)]);
  return spelling;
}

}  // namespace fathom
