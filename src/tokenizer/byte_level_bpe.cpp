// Byte-level BPE (GPT-2 and all that came after): split stages, then merging of bytes.
#include <utility>

#include "tokenizer/cached_bpe.h"
#include "tokenizer/segment_encoder.h"
#include "tokenizer/word_splitter.h"

namespace fathom {

namespace {

class ByteLevelBpe final : public SegmentEncoder {
 public:
  ByteLevelBpe(BpeModel model, WordSplitter splitter)
      : bpe_(std::move(model)), splitter_(std::move(splitter)) {}

  void encode(std::string_view text, std::vector<TokenId>& ids) const override {
    bpe_.encode(splitter_, text, ids);
  }
  [[nodiscard]] size_t count(std::string_view text) const override {
    return bpe_.count(splitter_, text);
  }
  void encode_with_ends(std::string_view text, std::vector<TokenId>& ids,
                        std::vector<uint64_t>& ends) const override {
    bpe_.encode_with_ends(splitter_, text, ids, ends);
  }
  [[nodiscard]] std::vector<std::string> slow_paths() const override {
    return splitter_.slow_paths();
  }

 private:
  CachedBpe bpe_;
  WordSplitter splitter_;
};

}  // namespace

Result<std::unique_ptr<SegmentEncoder>> make_byte_level_bpe(BpeVocabulary vocabulary,
                                                            const std::vector<SplitStage>& stages) {
  TRY(auto splitter, WordSplitter::create(stages));
  TRY(auto model, BpeModel::create(std::move(vocabulary), BpeAlphabet::kBytes));
  return std::make_unique<ByteLevelBpe>(std::move(model), std::move(splitter));
}

}  // namespace fathom
