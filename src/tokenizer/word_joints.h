// Cuts the text of a byte-fallback model, which by the book is one single word, at places that no
// merge can cross.
#pragma once

#include <bitset>
#include <memory>

#include "tokenizer/segment_encoder.h"
#include "tokenizer/word_source.h"

namespace fathom {

// A place between two characters is a safe joint if no token that merging makes has this pair of
// characters inside. Characters are told apart by their edge bytes (last byte of the left one,
// first of the right one), the word mark U+2581 by a name of its own. Thread-safe.
class WordJoints final : public WordSource {
 public:
  explicit WordJoints(const BpeVocabulary& vocabulary);

  size_t next(std::string_view text, Cursor& cursor, size_t* ends, size_t max) const override;

 private:
  void forbid_inside(std::string_view token);

  std::bitset<size_t{256} * 256>
      crossed_;  // left edge * 256 + right edge: some token has it inside
};

}  // namespace fathom
