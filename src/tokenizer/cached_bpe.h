// A BPE model behind a word cache: text in, ids or their number out. Byte-level and byte-fallback
// models share it and differ in where words end (WordSource).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "tokenizer/bpe_model.h"
#include "tokenizer/word_cache.h"
#include "tokenizer/word_source.h"

namespace fathom {

// Thread-safe.
class CachedBpe {
 public:
  explicit CachedBpe(BpeModel model) : model_(std::move(model)) {}

  void encode(const WordSource& source, std::string_view text, std::vector<TokenId>& ids) const;
  [[nodiscard]] size_t count(const WordSource& source, std::string_view text) const;
  void encode_with_ends(const WordSource& source, std::string_view text, std::vector<TokenId>& ids,
                        std::vector<uint64_t>& ends) const;
  [[nodiscard]] const BpeModel& model() const { return model_; }

 private:
  struct Batch;

  template <typename Sink>
  void run(const WordSource& source, std::string_view text, WordCache& cache, Sink& sink) const;
  void look_up(std::string_view text, WordCache& cache, Batch& batch) const;
  const WordEntry* add_short(std::string_view word, const WordKey& key, uint64_t hash,
                             WordCache& cache) const;
  WordCache::LongWord encode_long(std::string_view word, WordCache& cache) const;

  BpeModel model_;
  mutable WordCachePool caches_;
};

}  // namespace fathom
