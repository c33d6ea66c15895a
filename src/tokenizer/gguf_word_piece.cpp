// WordPiece vocabularies of GGUF files ("bert"): words start with "▁", pieces inside a word are
// bare.
#include <limits>

#include "tokenizer/gguf_models.h"
#include "tokenizer/word_piece.h"

namespace fathom {

Result<void> build_gguf_word_piece(GgufVocabulary& vocabulary, Pipeline& pipeline) {
  const GgufFile& gguf = *vocabulary.gguf;
  WordPieceVocabulary words;
  words.continuation = "";
  words.max_characters = std::numeric_limits<size_t>::max();
  for (const GgufToken& token : vocabulary.tokens) words.tokens.push_back(token.text);
  words.unknown = vocabulary.id_of("tokenizer.ggml.unknown_token_id", 100);
  if (words.unknown == kNoToken)
    return fail(ErrorCode::kInput, "{}: the vocabulary has no unknown token", gguf.name());
  pipeline.model = make_word_piece(words);
  pipeline.info.kind = "WordPiece";

  const bool lower = gguf.boolean("tokenizer.ggml.normalizer.lowercase").value_or(true);
  const bool strip = gguf.boolean("tokenizer.ggml.normalizer.strip_accents").value_or(lower);
  if (strip) {
    pipeline.normalizers.push_back(make_normal_form(NormalForm::kNfd));
    pipeline.normalizers.push_back(make_strip_accents());
  }
  pipeline.normalizers.push_back(make_bert_normalizer({.clean_text = true,
                                                       .handle_chinese_chars = true,
                                                       .strip_accents = false,
                                                       .lowercase = false,
                                                       .keep_control_space = true}));
  if (lower) pipeline.normalizers.push_back(make_lower_case());
  pipeline.pre_tokenizers.push_back(make_bert_pre_tokenizer());
  pipeline.pre_tokenizers.push_back(make_prefix("▁"));

  pipeline.decoders.push_back(make_decoder_replace("▁", " "));
  pipeline.decoders.push_back(make_decoder_fuse());
  pipeline.decoders.push_back(make_decoder_strip(' ', 1, 0));
  vocabulary.add_bos = true;
  vocabulary.add_eos = true;
  vocabulary.bos = vocabulary.id_of("tokenizer.ggml.bos_token_id", 101);
  vocabulary.eos = vocabulary.id_of("tokenizer.ggml.seperator_token_id", 102);
  return {};
}

}  // namespace fathom
