// Finds the id of a token by its spelling while a vocabulary is loaded.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tokenizer/segment_encoder.h"

namespace fathom {

// Thread-compatible. Owns no text: the spellings (by id) must outlive it and not change.
class SpellingIndex {
 public:
  // Of equal spellings the first id counts; "" is a gap.
  explicit SpellingIndex(const std::vector<std::string>& spellings);

  [[nodiscard]] TokenId find(std::string_view spelling) const;  // kNoToken: none

 private:
  struct Slot {
    uint32_t tag = 0;
    TokenId id = kNoToken;
  };

  const std::vector<std::string>& spellings_;
  std::vector<Slot> slots_;  // open addressing, a power of two, at most half full
};

}  // namespace fathom
