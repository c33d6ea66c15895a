// Quest, MoBA's block means and key norms: a few numbers of each block stand for its keys.
#include <algorithm>

#include "attention/key_blocks.h"
#include "attention/selectors.h"

namespace fathom {
namespace {

// Σ term(i) in four sums side by side, so that they need not wait for each other.
template <typename Term>
double sum_of(size_t size, Term term) {
  double sums[4] = {0, 0, 0, 0};
  size_t i = 0;
  for (; i + 4 <= size; i += 4)
    for (size_t lane = 0; lane < 4; ++lane) sums[lane] += term(i + lane);
  for (; i < size; ++i) sums[0] += term(i);
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

template <KeyFact kFact>
class KeySelector : public BlockSelector {
 public:
  using BlockSelector::BlockSelector;

 protected:
  void reset() override {
    layers_.assign(static_cast<size_t>(layers()), KeyBlocks(kFact, shape(), options().block));
  }
  const KeyBlocks& blocks_of(const KeyView& keys, const QueryView& query) {
    KeyBlocks& blocks = layers_[static_cast<size_t>(query.layer)];
    blocks.update(keys, query.position + 1);
    return blocks;
  }
  [[nodiscard]] double visible_blocks(int64_t visible) const {
    const int64_t blocks = (visible + options().block - 1) / options().block;
    return static_cast<double>(blocks);
  }

 private:
  std::vector<KeyBlocks> layers_;
};

// The largest q·k that a block's bounds allow (Tang et al., "Quest: Query-Aware Sparsity for
// Efficient Long-Context LLM Inference", ICML 2024).
class QuestSelector : public KeySelector<KeyFact::kBounds> {
 public:
  using KeySelector::KeySelector;
  [[nodiscard]] double pairs_read_to_select(int64_t visible) const override {
    return visible_blocks(visible) * shape().kv_heads;
  }

 protected:
  BlockScores scores(const KeyView& keys, const QueryView& query, const BlockGrid& grid) override {
    const KeyBlocks& blocks = blocks_of(keys, query);
    BlockScores bounds(shape().query_heads, grid.size());
    const auto size = static_cast<size_t>(shape().head_size);
    for (int head = 0; head < shape().query_heads; ++head) {
      const float* q = query.query.data() + static_cast<size_t>(head) * size;
      const std::span<double> row = bounds.row(head);
      for (int64_t b = grid.lowest(); b < grid.size(); ++b) {
        const float* least = blocks.least(head / shape().group(), b).data();
        const float* greatest = blocks.greatest(head / shape().group(), b).data();
        row[static_cast<size_t>(b)] = sum_of(size, [&](size_t i) {
          const double value = q[i];
          return std::max(value * least[i], value * greatest[i]);
        });
      }
    }
    return bounds;
  }
};

// q · mean of a block's keys (Lu et al., "MoBA: Mixture of Block Attention for Long-Context LLMs",
// 2025). The query's own block is always kept, as there.
class MobaSelector : public KeySelector<KeyFact::kSum> {
 public:
  using KeySelector::KeySelector;
  [[nodiscard]] double pairs_read_to_select(int64_t visible) const override {
    return visible_blocks(visible) * shape().kv_heads / 2;
  }

 protected:
  BlockScores scores(const KeyView& keys, const QueryView& query, const BlockGrid& grid) override {
    const KeyBlocks& blocks = blocks_of(keys, query);
    BlockScores products(shape().query_heads, grid.size());
    const auto size = static_cast<size_t>(shape().head_size);
    for (int head = 0; head < shape().query_heads; ++head) {
      const float* q = query.query.data() + static_cast<size_t>(head) * size;
      const std::span<double> row = products.row(head);
      for (int64_t b = grid.lowest(); b < grid.size(); ++b) {
        const float* sum = blocks.sum(head / shape().group(), b).data();
        row[static_cast<size_t>(b)] =
            sum_of(size, [&](size_t i) { return static_cast<double>(q[i]) * sum[i]; }) /
            count(grid, b);
      }
    }
    return products;
  }

 private:
  static double count(const BlockGrid& grid, int64_t b) {
    return static_cast<double>(grid.end(b) - b * grid.block);
  }
};

// Short keys first (Devoto et al., "A Simple and Effective L2 Norm-Based Strategy for KV Cache
// Compression", EMNLP 2024): the mean length of a block's keys, negative.
class KeyNormSelector : public KeySelector<KeyFact::kNorm> {
 public:
  using KeySelector::KeySelector;

 protected:
  BlockScores scores(const KeyView& keys, const QueryView& query, const BlockGrid& grid) override {
    const KeyBlocks& blocks = blocks_of(keys, query);
    BlockScores norms(shape().kv_heads, grid.size());
    for (int g = 0; g < shape().kv_heads; ++g)
      for (int64_t b = grid.lowest(); b < grid.size(); ++b)
        norms.row(g)[static_cast<size_t>(b)] =
            -blocks.norm(g, b) / static_cast<double>(grid.end(b) - b * grid.block);
    return norms;
  }
};

}  // namespace

const SelectorMaker make_quest = made<QuestSelector>;
const SelectorMaker make_moba = made<MobaSelector>;
const SelectorMaker make_key_norm = made<KeyNormSelector>;

}  // namespace fathom
