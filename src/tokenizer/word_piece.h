// The WordPiece model: the longest piece first, again and again, within one word.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tokenizer/segment_encoder.h"

namespace fathom {

struct WordPieceVocabulary {
  std::vector<std::string> tokens;  // by id; "" = gap
  std::string continuation = "##";  // in front of pieces inside a word
  TokenId unknown = 0;              // for words that cannot be spelled
  size_t max_characters = 100;      // longer words are unknown
};

// Each segment is one word. O(bytes x longest token).
[[nodiscard]] std::unique_ptr<SegmentEncoder> make_word_piece(
    const WordPieceVocabulary& vocabulary);

}  // namespace fathom
