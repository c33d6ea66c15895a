#include "tokenizer/spelling_index.h"

#include <xxhash.h>

#include <bit>

namespace fathom {

SpellingIndex::SpellingIndex(const std::vector<std::string>& spellings)
    : spellings_(spellings), slots_(std::bit_ceil(spellings.size() * 2 + 2)) {
  for (TokenId id = 0; id < spellings.size(); ++id) {
    if (spellings[id].empty() || find(spellings[id]) != kNoToken) continue;
    const uint64_t hash = XXH3_64bits(spellings[id].data(), spellings[id].size());
    size_t slot = hash & (slots_.size() - 1);
    while (slots_[slot].id != kNoToken) slot = (slot + 1) & (slots_.size() - 1);
    slots_[slot] = {static_cast<uint32_t>(hash >> 32), id};
  }
}

TokenId SpellingIndex::find(std::string_view spelling) const {
  const uint64_t hash = XXH3_64bits(spelling.data(), spelling.size());
  const auto tag = static_cast<uint32_t>(hash >> 32);
  size_t slot = hash & (slots_.size() - 1);
  while (slots_[slot].id != kNoToken) {
    if (slots_[slot].tag == tag && spellings_[slots_[slot].id] == spelling) return slots_[slot].id;
    slot = (slot + 1) & (slots_.size() - 1);
  }
  return kNoToken;
}

}  // namespace fathom
