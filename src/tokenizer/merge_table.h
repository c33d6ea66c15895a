// The merges of a BPE vocabulary: which two neighbouring tokens join, into what, and how early.
#pragma once

#include <cstdint>
#include <vector>

#include "tokenizer/segment_encoder.h"

namespace fathom {

// A merge as one number: rank << 32 | result, so that the smaller one is applied first. kNoMerge is
// larger than all.
using MergeValue = uint64_t;
inline constexpr MergeValue kNoMerge = ~uint64_t{0};

// Thread-safe once built. An open-addressing table behind a bit filter, since most lookups find
// nothing.
class MergeTable {
 public:
  // `merges` in priority order, or with the result's id as rank; of equal pairs the first counts.
  // O(merges).
  MergeTable(const std::vector<BpeMerge>& merges, bool rank_is_result);

  [[nodiscard]] MergeValue find(TokenId left, TokenId right) const {
    const uint64_t key = uint64_t{left} << 32 | right;
    const uint64_t hash = mix(key);
    const uint64_t bit = hash >> filter_shift_;
    if ((filter_[bit >> 6] >> (bit & 63) & 1) == 0) return kNoMerge;
    for (uint64_t slot = hash & mask_;; slot = (slot + 1) & mask_) {
      if (slots_[slot].key == key) return slots_[slot].value;
      if (slots_[slot].key == kEmpty) return kNoMerge;
    }
  }

 private:
  struct Slot {
    uint64_t key;
    MergeValue value;
  };
  static constexpr uint64_t kEmpty = ~uint64_t{0};

  static uint64_t mix(uint64_t key) {
    key ^= key >> 29;
    key *= 0x9E3779B97F4A7C15;
    return key ^ key >> 32;
  }

  uint64_t mask_ = 0;
  int filter_shift_ = 0;
  std::vector<Slot> slots_;
  std::vector<uint64_t> filter_;
};

}  // namespace fathom
