// Counter-based random numbers: every draw is a pure function of (key, purpose, position), so any
// sample can be remade alone, by any thread, in any order.
//
//   Random random(sample_key, "needle order");   // one independent stream per purpose
//   random.shuffle(order);
//
// Philox 4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011) from
// Random123.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace fathom {

// A 64-bit key from any list of texts and numbers; order and boundaries matter.
class RandomKey {
 public:
  explicit RandomKey(uint64_t seed) : value_(seed) {}
  [[nodiscard]] RandomKey with(std::string_view text) const;
  [[nodiscard]] RandomKey with(uint64_t number) const;
  [[nodiscard]] uint64_t value() const { return value_; }

 private:
  uint64_t value_;
};

// Thread-compatible. Copying it copies the position in the stream.
class Random {
 public:
  Random(RandomKey key, std::string_view purpose);

  [[nodiscard]] uint64_t next();  // uniform over all 64-bit values
  [[nodiscard]] uint64_t below(
      uint64_t bound);  // uniform over [0, bound), exactly (rejection). Requires: bound > 0
  [[nodiscard]] int64_t between(int64_t low,
                                int64_t high);  // uniform over [low, high]. Requires: low <= high
  [[nodiscard]] double uniform();               // [0, 1), 53 bits

  template <typename T>
  void shuffle(std::vector<T>& items) {
    for (size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[below(i)]);
  }

  // `count` distinct numbers of [0, bound), in random order. Requires: count <= bound. O(count)
  // memory.
  [[nodiscard]] std::vector<uint64_t> distinct(uint64_t count, uint64_t bound);

 private:
  uint64_t key_;
  uint64_t purpose_;
  uint64_t block_ = 0;
  std::array<uint64_t, 2> buffer_{};
  int left_ = 0;
};

}  // namespace fathom
