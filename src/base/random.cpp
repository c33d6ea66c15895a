#include "base/random.h"

#include <Random123/philox.h>
#include <xxhash.h>

#include <unordered_map>

namespace fathom {

RandomKey RandomKey::with(std::string_view text) const {
  return RandomKey(XXH3_64bits_withSeed(text.data(), text.size(), value_ ^ 0x9E3779B97F4A7C15ULL));
}

RandomKey RandomKey::with(uint64_t number) const {
  return RandomKey(XXH3_64bits_withSeed(&number, sizeof number, value_));
}

Random::Random(RandomKey key, std::string_view purpose)
    : key_(key.value()), purpose_(XXH3_64bits(purpose.data(), purpose.size())) {}

uint64_t Random::next() {
  if (left_ == 0) {
    const auto low = [](uint64_t value) { return static_cast<uint32_t>(value); };
    const auto high = [](uint64_t value) { return static_cast<uint32_t>(value >> 32); };
    const r123::Philox4x32::ctr_type counter = {
        {low(block_), high(block_), low(purpose_), high(purpose_)}};
    const r123::Philox4x32::key_type key = {{low(key_), high(key_)}};
    const auto out = r123::Philox4x32()(counter, key);
    buffer_ = {uint64_t{out[1]} << 32 | out[0], uint64_t{out[3]} << 32 | out[2]};
    ++block_;
    left_ = 2;
  }
  return buffer_[2 - left_--];
}

uint64_t Random::below(uint64_t bound) {
  // Lemire, "Fast random integer generation in an interval", ACM TOMACS 2019.
  using Wide = unsigned __int128;
  Wide product = Wide{next()} * bound;
  if (static_cast<uint64_t>(product) < bound) {
    const uint64_t threshold = -bound % bound;
    while (static_cast<uint64_t>(product) < threshold) product = Wide{next()} * bound;
  }
  return static_cast<uint64_t>(product >> 64);
}

int64_t Random::between(int64_t low, int64_t high) {
  const uint64_t width = static_cast<uint64_t>(high) - static_cast<uint64_t>(low) + 1;
  const uint64_t offset = width == 0 ? next() : below(width);
  return static_cast<int64_t>(static_cast<uint64_t>(low) + offset);
}

double Random::uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

std::vector<uint64_t> Random::distinct(uint64_t count, uint64_t bound) {
  // A sparse Fisher-Yates shuffle: only the touched places are stored.
  std::unordered_map<uint64_t, uint64_t> moved;
  const auto at = [&](uint64_t place) {
    const auto found = moved.find(place);
    return found == moved.end() ? place : found->second;
  };
  std::vector<uint64_t> out;
  out.reserve(count);
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t pick = i + below(bound - i);
    out.push_back(at(pick));
    moved[pick] = at(i);
  }
  return out;
}

}  // namespace fathom
