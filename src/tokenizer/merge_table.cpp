#include "tokenizer/merge_table.h"

#include <bit>

namespace fathom {

MergeTable::MergeTable(const std::vector<BpeMerge>& merges, bool rank_is_result) {
  const size_t slots = std::bit_ceil(merges.size() * 2 + 2);
  const size_t filter_bits = std::bit_ceil(merges.size() * 8 + 64);
  slots_.assign(slots, Slot{kEmpty, kNoMerge});
  filter_.assign(filter_bits / 64, 0);
  mask_ = slots - 1;
  filter_shift_ = 64 - std::countr_zero(filter_bits);
  uint64_t rank = 0;
  for (const BpeMerge& merge : merges) {
    const uint64_t key = uint64_t{merge.left} << 32 | merge.right;
    const uint64_t hash = mix(key);
    const uint64_t bit = hash >> filter_shift_;
    filter_[bit >> 6] |= uint64_t{1} << (bit & 63);
    uint64_t slot = hash & mask_;
    while (slots_[slot].key != kEmpty && slots_[slot].key != key) slot = (slot + 1) & mask_;
    if (slots_[slot].key == kEmpty)
      slots_[slot] = {key, (rank_is_result ? merge.result : rank) << 32 | merge.result};
    ++rank;
  }
}

}  // namespace fathom
