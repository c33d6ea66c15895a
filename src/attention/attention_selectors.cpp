// The attention-mass oracle, H2O and TOVA: from attention weights themselves.
#include <algorithm>

#include "attention/attention_weights.h"
#include "attention/selectors.h"

namespace fathom {
namespace {

// Adds a head's weights to its row, block by block.
void add_by_block(std::span<const float> weights, const BlockGrid& grid, std::span<double> row) {
  for (int64_t j = grid.first; j <= grid.position; ++j)
    row[static_cast<size_t>(j / grid.block)] += static_cast<double>(weights[j]);
}

// The blocks that hold most of the query's attention: an upper bound that reads every key.
class MassOracle : public BlockSelector {
 public:
  using BlockSelector::BlockSelector;
  [[nodiscard]] bool needs_logits() const override { return true; }
  [[nodiscard]] double pairs_read_to_select(int64_t visible) const override {
    return static_cast<double>(visible) * shape().kv_heads / 2;
  }

 protected:
  BlockScores scores(const KeyView& keys, const QueryView& query, const BlockGrid& grid) override {
    const AttentionWeights weights = attention_weights(shape(), keys, query);
    BlockScores mass(shape().query_heads, grid.size());
    for (int head = 0; head < shape().query_heads; ++head)
      add_by_block(weights.head(head), grid, mass.row(head));
    return mass;
  }
};

// What a row did not keep once is gone: the cache of these methods forgets.
class EvictingSelector : public BlockSelector {
 public:
  using BlockSelector::BlockSelector;
  [[nodiscard]] bool needs_logits() const override { return true; }

 protected:
  void reset() override { layers_gone_.assign(static_cast<size_t>(layers()), {}); }
  void leave_out_more(int layer, size_t row, BlockSet& left_out) const override {
    const std::vector<std::vector<char>>& rows = layers_gone_[static_cast<size_t>(layer)];
    if (row >= rows.size()) return;
    for (size_t b = 0; b < rows[row].size(); ++b)
      if (rows[row][b] != 0) left_out.insert(static_cast<int64_t>(b));
  }
  void chosen(const KeyView&, const QueryView& query, const BlockGrid& grid,
              std::span<const BlockSet> sets) override {
    std::vector<std::vector<char>>& rows = layers_gone_[static_cast<size_t>(query.layer)];
    rows.resize(std::max(rows.size(), sets.size()));
    for (size_t row = 0; row < sets.size(); ++row) {
      rows[row].resize(static_cast<size_t>(grid.size()));
      for (int64_t b = grid.lowest(); b < grid.size(); ++b)
        if (!sets[row].contains(b)) rows[row][static_cast<size_t>(b)] = 1;
    }
  }

 private:
  std::vector<std::vector<std::vector<char>>> layers_gone_;  // [layer][row][block]
};

// Zhang et al., "H2O: Heavy-Hitter Oracle for Efficient Generative Inference of Large Language
// Models", NeurIPS 2023: attention summed over all queries so far, the prompt's included; what is
// recent (the window) and the heaviest stay.
class H2oSelector : public EvictingSelector {
 public:
  using EvictingSelector::EvictingSelector;
  [[nodiscard]] int64_t observes_from() const override { return 0; }
  void observe(const KeyView& keys, const QueryView& query) override {
    add(keys, query, grid_of(query, options().block), {});
  }

 protected:
  void reset() override {
    EvictingSelector::reset();
    sums_.assign(static_cast<size_t>(layers()), {});
  }
  BlockScores scores(const KeyView&, const QueryView& query, const BlockGrid& grid) override {
    BlockScores found(shape().query_heads, grid.size());
    const std::vector<std::vector<double>>& heads = sums_[static_cast<size_t>(query.layer)];
    for (size_t head = 0; head < heads.size(); ++head)
      std::copy_n(heads[head].begin(),
                  std::min(heads[head].size(), static_cast<size_t>(grid.size())),
                  found.row(static_cast<int>(head)).begin());
    return found;
  }
  void chosen(const KeyView& keys, const QueryView& query, const BlockGrid& grid,
              std::span<const BlockSet> sets) override {
    EvictingSelector::chosen(keys, query, grid, sets);
    add(keys, query, grid, sets);
  }

 private:
  // Adds what the query looks at among what its heads may read.
  void add(const KeyView& keys, const QueryView& query, const BlockGrid& grid,
           std::span<const BlockSet> sets) {
    const AttentionWeights weights = attention_weights(shape(), keys, query);
    std::vector<std::vector<double>>& heads = sums_[static_cast<size_t>(query.layer)];
    heads.resize(static_cast<size_t>(shape().query_heads));
    for (int head = 0; head < shape().query_heads; ++head) {
      std::vector<double>& sums = heads[static_cast<size_t>(head)];
      sums.resize(std::max(sums.size(), static_cast<size_t>(grid.size())));
      std::vector<double> mass(static_cast<size_t>(grid.size()));
      add_by_block(weights.head(head), grid, mass);
      double kept = 0;
      const BlockSet* set = sets.empty() ? nullptr
                                         : &sets[static_cast<size_t>(head) * sets.size() /
                                                 static_cast<size_t>(shape().query_heads)];
      for (size_t b = 0; b < mass.size(); ++b) {
        if (set != nullptr && !set->contains(static_cast<int64_t>(b))) mass[b] = 0;
        kept += mass[b];
      }
      for (size_t b = 0; b < mass.size() && kept > 0; ++b) sums[b] += mass[b] / kept;
    }
  }

  std::vector<std::vector<std::vector<double>>> sums_;  // [layer][query head][block]
};

// Oren et al., "Transformers are Multi-State RNNs", EMNLP 2024: the query at hand alone decides, by
// its attention among what is left, and all heads of a layer keep the same.
class TovaSelector : public EvictingSelector {
 public:
  using EvictingSelector::EvictingSelector;

 protected:
  BlockScores scores(const KeyView& keys, const QueryView& query, const BlockGrid& grid) override {
    const AttentionWeights weights = attention_weights(shape(), keys, query);
    BlockSet gone(grid.size());
    leave_out_more(query.layer, 0, gone);
    BlockScores mean(1, grid.size());
    for (int head = 0; head < shape().query_heads; ++head) {
      std::vector<double> mass(static_cast<size_t>(grid.size()));
      add_by_block(weights.head(head), grid, mass);
      double left = 0;
      for (size_t b = 0; b < mass.size(); ++b) {
        if (gone.contains(static_cast<int64_t>(b))) mass[b] = 0;
        left += mass[b];
      }
      for (size_t b = 0; b < mass.size() && left > 0; ++b)
        mean.values[b] += mass[b] / left / shape().query_heads;
    }
    return mean;
  }
};

}  // namespace

const SelectorMaker make_mass_oracle = made<MassOracle>;
const SelectorMaker make_h2o = made<H2oSelector>;
const SelectorMaker make_tova = made<TovaSelector>;

}  // namespace fathom
