// SentencePiece vocabularies of GGUF files: BPE by scores ("llama") and Unigram ("t5").
#include <algorithm>
#include <limits>

#include "tokenizer/byte_token.h"
#include "tokenizer/gguf_models.h"
#include "tokenizer/score_bpe.h"
#include "tokenizer/sentencepiece_normalizer.h"
#include "tokenizer/unigram.h"

namespace fathom {
namespace {

constexpr float kUnknownPenalty = 10.0F;

void find_byte_tokens(const GgufVocabulary& vocabulary, std::array<TokenId, 256>& bytes) {
  bytes.fill(kNoToken);
  for (TokenId id = 0; id < vocabulary.tokens.size(); ++id) {
    if (const auto byte = byte_of_token(vocabulary.tokens[id].text)) bytes[*byte] = id;
  }
}

}  // namespace

void set_sentencepiece_pieces(const GgufVocabulary& vocabulary, Pipeline& pipeline) {
  for (const GgufToken& token : vocabulary.tokens) {
    std::string piece = token.text;
    const auto byte =
        token.kind == GgufToken::Kind::kByte ? byte_of_token(token.text) : std::nullopt;
    if (byte) {
      piece.assign(1, static_cast<char>(*byte));
    } else if (!token.found_in_text) {
      std::vector<std::string> one{std::move(piece)};
      make_decoder_replace("▁", " ")->apply(one);
      piece = std::move(one[0]);
    }
    pipeline.pieces.push_back(std::move(piece));
  }
}

Result<void> build_gguf_sentencepiece_bpe(GgufVocabulary& vocabulary, Pipeline& pipeline) {
  const GgufFile& gguf = *vocabulary.gguf;
  ScoreBpeVocabulary bpe;
  // Blanks are marks by the time pieces merge: a piece with a blank (Gemma's runs of them) is only
  // ever found in the text itself.
  for (const GgufToken& token : vocabulary.tokens)
    bpe.pieces.push_back({.text = token.text,
                          .score = token.score,
                          .merges = token.text.find(' ') == std::string::npos});
  find_byte_tokens(vocabulary, bpe.byte_tokens);
  auto model = make_score_bpe(std::move(bpe));
  if (!model) return fail(with_context(model.error(), gguf.name()));
  pipeline.model = std::move(*model);
  pipeline.info.kind = "BPE with byte fallback";
  set_sentencepiece_pieces(vocabulary, pipeline);
  pipeline.decoders.push_back(make_decoder_bytes());
  // Each stretch of text between special tokens gets its own blank in front.
  if (gguf.boolean("tokenizer.ggml.add_space_prefix").value_or(true)) {
    pipeline.normalizers.push_back(make_prepend("▁"));
    pipeline.decoders.push_back(make_decoder_strip(' ', 1, 0));
  }
  pipeline.normalizers.push_back(make_replace_text(" ", "▁"));
  vocabulary.add_bos = true;
  vocabulary.bos = vocabulary.id_of("tokenizer.ggml.bos_token_id", 1);
  vocabulary.eos = vocabulary.id_of("tokenizer.ggml.eos_token_id", 2);
  return {};
}

Result<void> build_gguf_unigram(GgufVocabulary& vocabulary, Pipeline& pipeline) {
  const GgufFile& gguf = *vocabulary.gguf;
  UnigramVocabulary unigram;
  float worst = std::numeric_limits<float>::max();
  SentencePieceRules rules;
  for (const GgufToken& token : vocabulary.tokens) {
    const bool user = token.kind == GgufToken::Kind::kUserDefined;
    const bool normal = token.kind == GgufToken::Kind::kNormal;
    if (normal) worst = std::min(worst, token.score);
    if (user) rules.user_defined.push_back(token.text);
    unigram.pieces.push_back({.text = token.text,
                              .score = user ? 0.0 : token.score,
                              .matches = normal || user || token.kind == GgufToken::Kind::kUnused});
  }
  unigram.unknown = vocabulary.id_of("tokenizer.ggml.unknown_token_id", 2);
  if (unigram.unknown == kNoToken)
    return fail(ErrorCode::kInput, "{}: the vocabulary has no unknown token", gguf.name());
  unigram.unknown_score = worst - kUnknownPenalty;
  unigram.byte_tokens.fill(kNoToken);
  pipeline.model = make_unigram(std::move(unigram));
  pipeline.info.kind = "Unigram";

  auto map = CharactersMap::parse(gguf.raw("tokenizer.ggml.precompiled_charsmap"));
  if (!map)
    return fail(with_context(map.error(), gguf.name() + ": tokenizer.ggml.precompiled_charsmap"));
  rules.remove_extra_whitespaces =
      gguf.boolean("tokenizer.ggml.remove_extra_whitespaces").value_or(false);
  rules.add_dummy_prefix = rules.remove_extra_whitespaces ||
                           gguf.boolean("tokenizer.ggml.add_space_prefix").value_or(false);
  rules.as_llama_cpp = true;
  pipeline.normalizers.push_back(make_sentencepiece_normalizer(std::move(*map), std::move(rules)));
  set_sentencepiece_pieces(vocabulary, pipeline);
  pipeline.decoders.push_back(make_decoder_bytes());
  pipeline.decoders.push_back(make_decoder_strip(' ', 1, 0));
  vocabulary.add_eos = true;
  vocabulary.bos = vocabulary.id_of("tokenizer.ggml.bos_token_id", kNoToken);
  vocabulary.eos = vocabulary.id_of("tokenizer.ggml.eos_token_id", 1);
  return {};
}

}  // namespace fathom
