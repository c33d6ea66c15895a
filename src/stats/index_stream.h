// Random indices for resampling, two to a 64-bit draw: what a bootstrap spends its time on.
#pragma once

#include <cstdint>
#include <utility>

#include "base/random.h"

namespace fathom {

// wyrand (Wang Yi, wyhash), seeded from a key: one multiplication a draw. A stream per (key,
// resample) keeps results independent of threads. An index is off uniform by at most bound / 2^32.
class IndexStream {
 public:
  explicit IndexStream(RandomKey key) : state_(key.value()) {}

  // Uniform over [0, bound). Requires: 0 < bound < 2^32.
  [[nodiscard]] uint32_t below(uint32_t bound) {
    if (!spare_) word_ = next();
    const auto half = static_cast<uint32_t>(spare_ ? word_ >> 32 : word_);
    spare_ = !spare_;
    return static_cast<uint32_t>((static_cast<uint64_t>(half) * bound) >> 32);
  }

  // Two at once, from one draw.
  [[nodiscard]] std::pair<uint32_t, uint32_t> two_below(uint32_t bound) {
    const uint64_t word = next();
    const uint64_t low = word & 0xffffffffULL;
    return {static_cast<uint32_t>((low * bound) >> 32),
            static_cast<uint32_t>(((word >> 32) * bound) >> 32)};
  }

  [[nodiscard]] uint64_t next() {
    state_ += 0xa0761d6478bd642fULL;
    __extension__ using Wide = unsigned __int128;
    const Wide product = static_cast<Wide>(state_) * (state_ ^ 0xe7037ed1a0b428dbULL);
    return static_cast<uint64_t>(product >> 64) ^ static_cast<uint64_t>(product);
  }

 private:
  uint64_t state_;
  uint64_t word_ = 0;
  bool spare_ = false;
};

}  // namespace fathom
