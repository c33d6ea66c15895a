// SentencePiece's precompiled normalization: a double-array trie from character sequences to their
// replacements.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace fathom {

// Immutable; thread-safe. Layout of the blob: u32 size of the trie in bytes, the trie's u32 units,
// then replacements that end in NUL.
class CharactersMap {
 public:
  struct Match {
    size_t size = 0;  // bytes of the text it replaces
    std::string_view replacement;
  };

  // An empty blob is a map that replaces nothing. Errors: kInput.
  [[nodiscard]] static Result<CharactersMap> parse(std::string_view blob);

  [[nodiscard]] bool empty() const { return units_.empty(); }
  // The longest / shortest key that `text` starts with.
  [[nodiscard]] std::optional<Match> longest(std::string_view text) const {
    return find(text, false);
  }
  [[nodiscard]] std::optional<Match> shortest(std::string_view text) const {
    return find(text, true);
  }

 private:
  [[nodiscard]] std::optional<Match> find(std::string_view text, bool first) const;

  std::vector<uint32_t> units_;
  std::string replacements_;
};

}  // namespace fathom
