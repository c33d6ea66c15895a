#include "tokenizer/merge_table.h"

#include <algorithm>
#include <bit>

namespace fathom {

MergeTable::MergeTable(const std::vector<BpeMerge>& merges, bool rank_is_result)
    : slots_(std::bit_ceil(merges.size() + merges.size() / 2 + 2)),
      filter_(std::bit_ceil(merges.size() / 12 + 2)) {
  mask_ = slots_.size() - 1;
  filter_shift_ = 64 - 6 - std::countr_zero(filter_.size());
  if (!rank_is_result) results_.reserve(merges.size());
  for (const BpeMerge& merge : merges) {
    const uint64_t rank = rank_is_result ? merge.result : results_.size();
    if (!rank_is_result) results_.push_back(merge.result);
    const uint64_t key = uint64_t{merge.left} << kIdBits | merge.right;
    const uint64_t hash = mix(key);
    const uint64_t bit = hash >> filter_shift_;
    filter_[bit >> 6] |= uint64_t{1} << (bit & 63);
    uint64_t slot = hash & mask_;
    while (slots_[slot] != 0 && slots_[slot] >> kRankBits != key) slot = (slot + 1) & mask_;
    if (slots_[slot] == 0) slots_[slot] = key << kRankBits | (rank + 1);
  }
}

}  // namespace fathom
