// BPE over characters with a merge list and byte fallback in GGUF files ("gemma4").
#include "tokenizer/byte_token.h"
#include "tokenizer/gguf_models.h"

namespace fathom {
namespace {

// A run of newlines that is a token is that token; everything else goes to the inner encoder.
class WholeNewlineRuns final : public SegmentEncoder {
 public:
  WholeNewlineRuns(std::unique_ptr<SegmentEncoder> inner, std::vector<TokenId> runs)
      : inner_(std::move(inner)), runs_(std::move(runs)) {}

  void encode(std::string_view text, std::vector<TokenId>& ids) const override {
    const TokenId run = find_run(text);
    run != kNoToken ? ids.push_back(run) : inner_->encode(text, ids);
  }
  [[nodiscard]] size_t count(std::string_view text) const override {
    return find_run(text) != kNoToken ? 1 : inner_->count(text);
  }
  void encode_with_ends(std::string_view text, std::vector<TokenId>& ids,
                        std::vector<uint64_t>& ends) const override {
    const TokenId run = find_run(text);
    if (run == kNoToken) return inner_->encode_with_ends(text, ids, ends);
    ids.push_back(run);
    ends.push_back(text.size());
  }

 private:
  [[nodiscard]] TokenId find_run(std::string_view text) const {
    const bool newlines =
        text.size() < runs_.size() && text.find_first_not_of('\n') == std::string_view::npos;
    return newlines ? runs_[text.size()] : kNoToken;
  }

  std::unique_ptr<SegmentEncoder> inner_;
  std::vector<TokenId> runs_;  // by number of newlines
};

std::vector<TokenId> find_newline_runs(const std::vector<GgufToken>& tokens) {
  std::vector<TokenId> runs;
  for (TokenId id = 0; id < tokens.size(); ++id) {
    const std::string& text = tokens[id].text;
    if (text.find_first_not_of('\n') != std::string::npos) continue;
    if (text.size() >= runs.size()) runs.resize(text.size() + 1, kNoToken);
    runs[text.size()] = id;
  }
  return runs;
}

}  // namespace

Result<void> build_gguf_raw_bpe(GgufVocabulary& vocabulary, Pipeline& pipeline) {
  const GgufFile& gguf = *vocabulary.gguf;
  BpeVocabulary bpe;
  TRY(bpe.merges, read_gguf_merges(vocabulary, pipeline.spellings));
  bpe.tokens = pipeline.spellings;
  bpe.byte_tokens.fill(kNoToken);
  for (TokenId id = 0; id < vocabulary.tokens.size(); ++id) {
    if (const auto byte = byte_of_token(vocabulary.tokens[id].text)) bpe.byte_tokens[*byte] = id;
  }
  auto encoder = make_byte_fallback_bpe(std::move(bpe));
  if (!encoder) return fail(with_context(encoder.error(), gguf.name()));
  pipeline.model =
      std::make_unique<WholeNewlineRuns>(std::move(*encoder), find_newline_runs(vocabulary.tokens));
  pipeline.info.kind = "BPE with byte fallback";
  pipeline.normalizers.push_back(make_replace_text(" ", "▁"));
  pipeline.pre_tokenizers.push_back(make_split_text("\n", SplitBehavior::kContiguous, false));
  set_sentencepiece_pieces(vocabulary, pipeline);
  pipeline.decoders.push_back(make_decoder_bytes());
  vocabulary.add_bos = true;
  vocabulary.bos = vocabulary.id_of("tokenizer.ggml.bos_token_id", kNoToken);
  vocabulary.eos = vocabulary.id_of("tokenizer.ggml.eos_token_id", kNoToken);
  return {};
}

}  // namespace fathom
