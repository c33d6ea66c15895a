// The Unigram model: the cheapest way through a segment, by Viterbi over the scores of its pieces.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "tokenizer/segment_encoder.h"

namespace fathom {

// Whose arithmetic decides ties and unknown characters.
enum class UnigramRules {
  kHuggingFace,    // double sums
  kSentencePiece,  // sums kept as float
};

struct UnigramPiece {
  std::string text;  // "" = gap
  double score = 0;
  bool matches = true;  // false: never found in text (control, unknown, byte and unused pieces)
};

struct UnigramVocabulary {
  std::vector<UnigramPiece> pieces;  // by id
  TokenId unknown = 0;
  double unknown_score = 0;    // of one unknown character
  bool byte_fallback = false;  // unknown characters become byte_tokens where all of theirs exist
  std::array<TokenId, 256> byte_tokens{};  // kNoToken where missing
  UnigramRules rules = UnigramRules::kHuggingFace;
};

// Encodes one segment as a whole; neighbouring unknown characters become one unknown token. O(bytes
// x longest piece).
[[nodiscard]] std::unique_ptr<SegmentEncoder> make_unigram(UnigramVocabulary vocabulary);

}  // namespace fathom
