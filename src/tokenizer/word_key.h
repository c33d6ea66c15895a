// Short words as sixteen bytes: the word itself, zeros, and its length in the last byte.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

namespace fathom {

static_assert(std::endian::native == std::endian::little,
              "word keys are packed for little-endian machines");

struct WordKey {
  static constexpr size_t kMaxBytes = 15;

  uint64_t low = 0;
  uint64_t high = 0;  // 0 only for "no word"

  bool operator==(const WordKey&) const = default;

  [[nodiscard]] uint64_t hash() const {
    const auto product = static_cast<unsigned __int128>(low ^ 0xA0761D6478BD642F) *
                         static_cast<unsigned __int128>(high ^ 0xE7037ED1A0B428DB);
    return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
  }
};

// Requires: 1 <= size <= kMaxBytes, and 16 readable bytes at p.
[[nodiscard]] inline WordKey load_word_key(const char* p, size_t size) {
  static constexpr auto kMasks = [] {
    std::array<std::array<uint64_t, 2>, 16> masks{};
    for (size_t n = 0; n < 16; ++n)
      for (size_t i = 0; i < n; ++i) masks[n][i / 8] |= uint64_t{0xFF} << (i % 8 * 8);
    return masks;
  }();
  WordKey key;
  std::memcpy(&key.low, p, 8);
  std::memcpy(&key.high, p + 8, 8);
  key.low &= kMasks[size][0];
  key.high = (key.high & kMasks[size][1]) | uint64_t{size} << 56;
  return key;
}

// The same without reading past the word.
[[nodiscard]] inline WordKey copy_word_key(const char* p, size_t size) {
  char bytes[16] = {};
  std::memcpy(bytes, p, size);
  return load_word_key(bytes, size);
}

}  // namespace fathom
