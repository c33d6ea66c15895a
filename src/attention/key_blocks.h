// What is known of each block's keys without reading them again: least and greatest value of every
// component, their sum, the sum of their lengths. Kept up to date key by key.
#pragma once

#include <span>
#include <vector>

#include "attention/attention_view.h"
#include "attention/block_grid.h"

namespace fathom {

enum class KeyFact { kBounds, kSum, kNorm };

// Of one layer. Keys before `upto` must not change between calls. O(new keys).
class KeyBlocks {
 public:
  KeyBlocks(KeyFact fact, const AttentionShape& shape, int64_t block)
      : fact_(fact), shape_(shape), block_(block), heads_(static_cast<size_t>(shape.kv_heads)) {}

  void update(const KeyView& keys, int64_t upto);
  [[nodiscard]] int64_t keys_seen() const { return seen_; }
  // Of block b; [head_size]. kBounds: least() and greatest(); kSum: sum(); kNorm: norm().
  [[nodiscard]] std::span<const float> least(int kv_head, int64_t b) const {
    return part(heads_[static_cast<size_t>(kv_head)].first, b);
  }
  [[nodiscard]] std::span<const float> greatest(int kv_head, int64_t b) const {
    return part(heads_[static_cast<size_t>(kv_head)].second, b);
  }
  [[nodiscard]] std::span<const float> sum(int kv_head, int64_t b) const {
    return least(kv_head, b);
  }
  [[nodiscard]] double norm(int kv_head, int64_t b) const {
    return heads_[static_cast<size_t>(kv_head)].first[static_cast<size_t>(b)];
  }

 private:
  // first: least, sum or norm; second: greatest.
  struct Head {
    std::vector<float> first;
    std::vector<float> second;
  };
  [[nodiscard]] size_t width() const {
    return fact_ == KeyFact::kNorm ? 1 : static_cast<size_t>(shape_.head_size);
  }
  [[nodiscard]] std::span<const float> part(const std::vector<float>& values, int64_t b) const {
    return std::span(values).subspan(static_cast<size_t>(b) * width(), width());
  }
  void add(Head& head, int64_t b, std::span<const float> key) const;

  KeyFact fact_;
  AttentionShape shape_;
  int64_t block_;
  int64_t seen_ = 0;
  std::vector<Head> heads_;
};

}  // namespace fathom
