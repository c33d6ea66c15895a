// The merges of a BPE vocabulary: which two neighbouring tokens join, into what, and how early.
#pragma once

#include <cstdint>
#include <vector>

#include "tokenizer/segment_encoder.h"
#include "tokenizer/zeroed_array.h"

namespace fathom {

// How early a merge is applied: smaller is earlier.
using MergeRank = uint32_t;
inline constexpr MergeRank kNoMerge = 0xFFFFFFFF;

// Thread-safe once built. An open-addressing table behind a bit filter, since most lookups find
// nothing; eight bytes a merge keep it near the processor.
class MergeTable {
 public:
  static constexpr int kIdBits = 21;
  static constexpr int kRankBits = 22;
  static constexpr size_t kMaxTokens = size_t{1} << kIdBits;
  static constexpr size_t kMaxMerges = (size_t{1} << kRankBits) - 1;

  // `merges` in priority order, or with the result's id as rank; of equal pairs the first counts.
  // Requires: ids below kMaxTokens, at most kMaxMerges merges. O(merges).
  MergeTable(const std::vector<BpeMerge>& merges, bool rank_is_result);

  [[nodiscard]] MergeRank find(TokenId left, TokenId right) const {
    const uint64_t key = uint64_t{left} << kIdBits | right;
    const uint64_t hash = mix(key);
    const uint64_t bit = hash >> filter_shift_;
    if ((filter_[bit >> 6] >> (bit & 63) & 1) == 0) return kNoMerge;
    for (uint64_t slot = hash & mask_;; slot = (slot + 1) & mask_) {
      const uint64_t found = slots_[slot];
      if (found >> kRankBits == key) return static_cast<MergeRank>(found & kRankMask) - 1;
      if (found == 0) return kNoMerge;
    }
  }
  // The token that the merge of this rank makes.
  [[nodiscard]] TokenId result(MergeRank rank) const {
    return results_.empty() ? rank : results_[rank];
  }

 private:
  static constexpr uint64_t kRankMask = (uint64_t{1} << kRankBits) - 1;

  static uint64_t mix(uint64_t key) {
    key *= 0x9E3779B97F4A7C15;
    return key ^ key >> 32;
  }

  uint64_t mask_ = 0;
  int filter_shift_ = 0;
  ZeroedArray<uint64_t> slots_;  // left | right | rank + 1; 0: free
  ZeroedArray<uint64_t> filter_;
  std::vector<TokenId> results_;  // by rank; empty where the rank is the result
};

}  // namespace fathom
