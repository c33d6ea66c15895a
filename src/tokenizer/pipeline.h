// A tokenizer put together from parts: added tokens → normalizers → pre-tokenizers → model →
// post-processor, and decoders back. The file loaders fill a Pipeline; make_tokenizer() turns it
// into a Tokenizer.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tokenizer/added_tokens.h"
#include "tokenizer/decoder.h"
#include "tokenizer/normalizer.h"
#include "tokenizer/pre_tokenizer.h"
#include "tokenizer/segment_encoder.h"
#include "tokenizer/tokenizer.h"

namespace fathom {

struct Pipeline {
  TokenizerInfo info;            // vocabulary_size is set by make_tokenizer()
  AddedTokens added;             // found in the raw text
  AddedTokens added_normalized;  // found in what the normalizers made of the rest
  std::vector<std::unique_ptr<Normalizer>> normalizers;
  std::vector<std::unique_ptr<PreTokenizer>> pre_tokenizers;
  std::unique_ptr<SegmentEncoder> model;
  std::vector<TokenId> before;  // what the post-processor puts around the text
  std::vector<TokenId> after;
  std::vector<std::unique_ptr<Decoder>> decoders;
  std::vector<std::string> spellings;  // by id; "" = gap
  std::vector<std::string> pieces;     // by id: what decoding starts from; empty: the spellings
  std::vector<bool> special;           // by id: skipped by decode(…, skip_special)
};

// Requires: model, and special.size() == spellings.size().
[[nodiscard]] std::shared_ptr<const Tokenizer> make_tokenizer(Pipeline pipeline);

}  // namespace fathom
