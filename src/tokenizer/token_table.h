// From a whole word to the token that it is.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tokenizer/segment_encoder.h"
#include "tokenizer/word_key.h"
#include "tokenizer/zeroed_array.h"

namespace fathom {

// Thread-safe once built. Keeps views into `tokens`, which must outlive it.
class TokenTable {
 public:
  TokenTable() = default;
  // Holds the tokens whose `usable` flag is set; an id whose text is empty is left out. Of equal
  // texts the last id counts.
  TokenTable(const std::vector<std::string>& tokens, const std::vector<uint8_t>& usable);

  [[nodiscard]] TokenId find(const WordKey& key, uint64_t hash) const {
    for (uint64_t slot = hash & short_mask_;; slot = (slot + 1) & short_mask_) {
      if (short_[slot].key == key) return short_[slot].id;
      if (short_[slot].key.high == 0) return kNoToken;
    }
  }
  // Any length.
  [[nodiscard]] TokenId find(std::string_view word) const;

  void prefetch(uint64_t hash) const { __builtin_prefetch(&short_[hash & short_mask_]); }

 private:
  struct ShortSlot {
    WordKey key;
    TokenId id;
  };
  struct LongSlot {
    std::string_view text;
    TokenId id = kNoToken;
  };

  uint64_t short_mask_ = 0;
  uint64_t long_mask_ = 0;
  ZeroedArray<ShortSlot> short_{1};
  std::vector<LongSlot> long_{1};
};

}  // namespace fathom
