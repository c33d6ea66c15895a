#include "tokenizer/token_table.h"

#include <xxhash.h>

#include <bit>

namespace fathom {

TokenTable::TokenTable(const std::vector<std::string>& tokens, const std::vector<uint8_t>& usable) {
  size_t short_count = 0;
  size_t long_count = 0;
  for (size_t id = 0; id < tokens.size(); ++id) {
    if (!usable[id] || tokens[id].empty()) continue;
    ++(tokens[id].size() <= WordKey::kMaxBytes ? short_count : long_count);
  }
  short_ = ZeroedArray<ShortSlot>(std::bit_ceil(short_count + short_count / 2 + 2));
  long_.assign(std::bit_ceil(long_count * 2 + 2), {});
  short_mask_ = short_.size() - 1;
  long_mask_ = long_.size() - 1;
  for (size_t id = 0; id < tokens.size(); ++id) {
    const std::string& token = tokens[id];
    if (!usable[id] || token.empty()) continue;
    if (token.size() <= WordKey::kMaxBytes) {
      const WordKey key = copy_word_key(token.data(), token.size());
      uint64_t slot = key.hash() & short_mask_;
      while (short_[slot].key.high != 0 && !(short_[slot].key == key))
        slot = (slot + 1) & short_mask_;
      short_[slot] = {key, static_cast<TokenId>(id)};
    } else {
      uint64_t slot = XXH3_64bits(token.data(), token.size()) & long_mask_;
      while (!long_[slot].text.empty() && long_[slot].text != token) slot = (slot + 1) & long_mask_;
      long_[slot] = {token, static_cast<TokenId>(id)};
    }
  }
}

TokenId TokenTable::find(std::string_view word) const {
  if (word.empty()) return kNoToken;
  if (word.size() <= WordKey::kMaxBytes) {
    const WordKey key = copy_word_key(word.data(), word.size());
    return find(key, key.hash());
  }
  for (uint64_t slot = XXH3_64bits(word.data(), word.size()) & long_mask_;
       !long_[slot].text.empty(); slot = (slot + 1) & long_mask_)
    if (long_[slot].text == word) return long_[slot].id;
  return kNoToken;
}

}  // namespace fathom
