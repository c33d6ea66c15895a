// Byte-level BPE vocabularies of GGUF files ("gpt2").
#include "tokenizer/byte_alphabet.h"
#include "tokenizer/gguf_models.h"
#include "tokenizer/gguf_pre_tokenizers.h"
#include "tokenizer/spelling_index.h"

namespace fathom {
// Of merges that lead to no token llama.cpp keeps the parts as bytes; real vocabularies have none,
// so they are refused.
Result<std::vector<BpeMerge>> read_gguf_merges(const GgufVocabulary& vocabulary,
                                               const std::vector<std::string>& spellings) {
  TRY(const auto texts, vocabulary.gguf->texts("tokenizer.ggml.merges"));
  const SpellingIndex index(spellings);
  std::vector<BpeMerge> merges;
  merges.reserve(texts.size());
  std::string joined;
  for (size_t i = 0; i < texts.size(); ++i) {
    const size_t blank = texts[i].find(' ', 1);
    if (blank == std::string_view::npos) {
      return fail(ErrorCode::kInput, "{}: tokenizer.ggml.merges[{}]: '{}' is not two tokens",
                  vocabulary.gguf->name(), i, texts[i]);
    }
    const std::string_view left = texts[i].substr(0, blank);
    const std::string_view right = texts[i].substr(blank + 1);
    joined.assign(left).append(right);
    const BpeMerge merge{
        .left = index.find(left), .right = index.find(right), .result = index.find(joined)};
    if (merge.left == kNoToken || merge.right == kNoToken || merge.result == kNoToken) {
      return fail(
          ErrorCode::kInput,
          "{}: tokenizer.ggml.merges[{}]: '{}' uses or makes a token that is not in the vocabulary",
          vocabulary.gguf->name(), i, texts[i]);
    }
    merges.push_back(merge);
  }
  return merges;
}

Result<void> build_gguf_bpe(GgufVocabulary& vocabulary, Pipeline& pipeline) {
  const GgufFile& gguf = *vocabulary.gguf;
  const std::string_view name = gguf.text("tokenizer.ggml.pre").value_or("");
  auto pre = gguf_pre_tokenizer(name);
  if (!pre) {
    return fail(ErrorCode::kInput,
                "{}: tokenizer.ggml.pre '{}' is not supported, because its ids could not be "
                "reproduced exactly; use the server's own "
                "token count",
                gguf.name(), name);
  }
  BpeVocabulary bpe;
  TRY(bpe.merges, read_gguf_merges(vocabulary, pipeline.spellings));
  bpe.ignore_merges = pre->ignore_merges;
  bpe.byte_tokens.fill(kNoToken);
  bpe.tokens.resize(vocabulary.tokens.size());
  pipeline.pieces.resize(vocabulary.tokens.size());
  for (size_t id = 0; id < vocabulary.tokens.size(); ++id) {
    const GgufToken& token = vocabulary.tokens[id];
    pipeline.pieces[id] = token.text;
    if (auto bytes = bytes_of_spelling(token.text)) {
      if (!token.found_in_text) pipeline.pieces[id] = *bytes;
      bpe.tokens[id] = std::move(*bytes);
    }
  }
  TRY(pipeline.model, make_byte_level_bpe(std::move(bpe), pre->stages));
  pipeline.decoders.push_back(make_decoder_bytes());
  pipeline.info.kind = "byte-level BPE";
  vocabulary.add_bos = pre->add_bos;
  vocabulary.bos = vocabulary.id_of("tokenizer.ggml.bos_token_id", 11);
  vocabulary.eos = vocabulary.id_of("tokenizer.ggml.eos_token_id", 11);
  return {};
}

}  // namespace fathom
