// A BPE vocabulary ready for encoding single words: symbols, merges, whole-word tokens. No cache;
// see cached_bpe.h.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "tokenizer/merge_table.h"
#include "tokenizer/segment_encoder.h"
#include "tokenizer/token_table.h"
#include "tokenizer/word_merger.h"

namespace fathom {

// What the symbols are that merging starts from.
enum class BpeAlphabet { kBytes, kCharacters };

// Thread-safe.
class BpeModel {
 public:
  // Errors: kInput for ids over 2^24 or merges of ids that do not exist. O(bytes of all tokens).
  [[nodiscard]] static Result<BpeModel> create(BpeVocabulary vocabulary, BpeAlphabet alphabet);

  BpeModel(BpeModel&&) = default;

  // The tokens of one word, into `symbols` (cleared before). O(n log n) in the bytes of the word.
  void encode_word(std::string_view word, Symbols& symbols) const;

  // The token that the whole short word is, if merging would give it (or merging is to be ignored).
  [[nodiscard]] const TokenTable& whole_words() const { return whole_words_; }
  // Bytes of text that a token stands for; kVaries for the unknown token.
  [[nodiscard]] uint32_t token_bytes(TokenId id) const { return token_bytes_[id]; }
  [[nodiscard]] const BpeVocabulary& vocabulary() const { return vocabulary_; }

  static constexpr uint32_t kVaries = 0xFFFFFFFF;

 private:
  BpeModel(BpeVocabulary vocabulary, BpeAlphabet alphabet);

  void index_alphabet();
  void index_whole_words();
  void start_symbols(std::string_view word, Symbols& symbols) const;
  void start_from_bytes(std::string_view word, Symbols& symbols) const;
  void start_from_characters(std::string_view word, Symbols& symbols) const;

  BpeVocabulary vocabulary_;
  BpeAlphabet alphabet_;
  MergeTable merges_;
  TokenTable whole_words_;
  std::vector<uint32_t> token_bytes_;
  std::array<TokenId, 256> byte_ids_{};
  std::vector<TokenId> character_ids_;  // by code point
};

}  // namespace fathom
