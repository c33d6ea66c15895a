// SentencePiece-style BPE with byte fallback (Llama-2, Mistral, Gemma): the whole segment is one
// word of characters.
#include <utility>

#include "tokenizer/cached_bpe.h"
#include "tokenizer/segment_encoder.h"
#include "tokenizer/word_joints.h"

namespace fathom {

namespace {

class ByteFallbackBpe final : public SegmentEncoder {
 public:
  explicit ByteFallbackBpe(BpeModel model)
      : bpe_(std::move(model)), joints_(bpe_.model().vocabulary()) {}

  void encode(std::string_view text, std::vector<TokenId>& ids) const override {
    if (const TokenId whole = whole_token(text); whole != kNoToken) return ids.push_back(whole);
    bpe_.encode(joints_, text, ids);
  }
  [[nodiscard]] size_t count(std::string_view text) const override {
    return whole_token(text) != kNoToken ? 1 : bpe_.count(joints_, text);
  }
  void encode_with_ends(std::string_view text, std::vector<TokenId>& ids,
                        std::vector<uint64_t>& ends) const override {
    if (const TokenId whole = whole_token(text); whole != kNoToken) {
      ids.push_back(whole);
      ends.push_back(text.size());
      return;
    }
    bpe_.encode_with_ends(joints_, text, ids, ends);
  }

 private:
  // The token that the whole segment is, where merges are to be ignored.
  [[nodiscard]] TokenId whole_token(std::string_view text) const { return all_tokens_.find(text); }

  CachedBpe bpe_;
  WordJoints joints_;
  TokenTable all_tokens_ =
      bpe_.model().vocabulary().ignore_merges
          ? TokenTable(bpe_.model().vocabulary().tokens,
                       std::vector<uint8_t>(bpe_.model().vocabulary().tokens.size(), 1))
          : TokenTable();
};

}  // namespace

Result<std::unique_ptr<SegmentEncoder>> make_byte_fallback_bpe(BpeVocabulary vocabulary) {
  TRY(auto model, BpeModel::create(std::move(vocabulary), BpeAlphabet::kCharacters));
  return std::make_unique<ByteFallbackBpe>(std::move(model));
}

}  // namespace fathom
