// The kinds of vocabulary that GGUF files hold, each built into a Pipeline that follows llama.cpp.
// Internal to the GGUF loader.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tokenizer/gguf.h"
#include "tokenizer/pipeline.h"

namespace fathom {

struct GgufToken {
  enum class Kind { kNormal, kUnknown, kControl, kUserDefined, kUnused, kByte };
  std::string text;
  float score = 0;
  Kind kind = Kind::kNormal;
  bool found_in_text = false;  // matched before the model runs
  bool control =
      false;  // only where special tokens are parsed; left out by decode(…, skip_special)
};

struct GgufVocabulary {
  const GgufFile* gguf = nullptr;  // owned by the caller of the loader
  std::vector<GgufToken> tokens;   // by id
  bool add_bos = false;            // what the kind of vocabulary does where the file does not say
  bool add_eos = false;
  TokenId bos = kNoToken;
  TokenId eos = kNoToken;

  // The id under `key` where it is in the vocabulary, else `fallback` where that is, else kNoToken.
  [[nodiscard]] TokenId id_of(std::string_view key, TokenId fallback) const;
};

// Each fills model, normalizers, decoders, pieces and info.kind of `pipeline` and the special ids
// and defaults of `vocabulary`.
[[nodiscard]] Result<void> build_gguf_bpe(GgufVocabulary& vocabulary, Pipeline& pipeline);
[[nodiscard]] Result<void> build_gguf_sentencepiece_bpe(GgufVocabulary& vocabulary,
                                                        Pipeline& pipeline);
[[nodiscard]] Result<void> build_gguf_unigram(GgufVocabulary& vocabulary, Pipeline& pipeline);
[[nodiscard]] Result<void> build_gguf_word_piece(GgufVocabulary& vocabulary, Pipeline& pipeline);

[[nodiscard]] Result<void> build_gguf_raw_bpe(GgufVocabulary& vocabulary, Pipeline& pipeline);

// tokenizer.ggml.merges by id. Errors: kInput where a merge uses or makes a token that is not
// there.
[[nodiscard]] Result<std::vector<BpeMerge>> read_gguf_merges(
    const GgufVocabulary& vocabulary, const std::vector<std::string>& spellings);
// What each id of a "▁" vocabulary contributes to decoded text, into pipeline.pieces.
void set_sentencepiece_pieces(const GgufVocabulary& vocabulary, Pipeline& pipeline);

}  // namespace fathom
