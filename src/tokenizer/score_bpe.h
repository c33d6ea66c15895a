// BPE as SentencePiece does it: any two neighbours whose join is a piece merge, best score first,
// leftmost among equals. Beside make_byte_fallback_bpe() because a merge list cannot say that
// merges of equal score go from the left.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "tokenizer/segment_encoder.h"

namespace fathom {

struct ScoreBpePiece {
  std::string text;  // "" = gap
  float score = 0;
  bool merges = true;  // false: never found in text
};

struct ScoreBpeVocabulary {
  std::vector<ScoreBpePiece> pieces;  // by id
  TokenId unknown = kNoToken;         // for characters without byte tokens; neighbours become one
  std::array<TokenId, 256>
      byte_tokens{};  // kNoToken where missing; characters outside the vocabulary become these
};

// Errors: kInput where a piece has a character that is no piece itself, so that merging by ids
// could not reach it.
[[nodiscard]] Result<std::unique_ptr<SegmentEncoder>> make_score_bpe(ScoreBpeVocabulary vocabulary);

}  // namespace fathom
