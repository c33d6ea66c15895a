// SentencePiece's own normalization: character map, white space, dummy prefix, the word mark.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tokenizer/normalizer.h"

namespace fathom {

struct SentencePieceRules {
  bool add_dummy_prefix = true;
  bool remove_extra_whitespaces = true;  // none at the ends, one between words
  bool escape_whitespaces = true;        // blanks become "▁"
  bool whitespace_as_suffix = false;     // the dummy goes behind the text
  bool as_llama_cpp = false;  // no dummy for text of blanks only; a mark at the end stays
  std::vector<std::string> user_defined;  // never changed by the map
};

[[nodiscard]] std::unique_ptr<Normalizer> make_sentencepiece_normalizer(CharactersMap map,
                                                                        SentencePieceRules rules);

}  // namespace fathom
