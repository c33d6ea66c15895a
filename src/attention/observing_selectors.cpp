// SnapKV and vertical-slash: what the last queries before the first masked one looked at.
#include <algorithm>
#include <optional>

#include "attention/attention_weights.h"
#include "attention/selectors.h"

namespace fathom {
namespace {

class ObservingSelector : public BlockSelector {
 public:
  using BlockSelector::BlockSelector;
  [[nodiscard]] int64_t observes_from() const override {
    return std::max<int64_t>(0, context().first_masked - options().observed);
  }
  [[nodiscard]] bool needs_logits() const override { return true; }

 protected:
  // Dense layers may show queries after the first masked one, too.
  [[nodiscard]] bool is_observed(int64_t position) const {
    return position >= observes_from() && position < context().first_masked;
  }
};

// Li et al., "SnapKV: LLM Knows What You are Looking for Before Generation", NeurIPS 2024:
// attention of the observed queries to each earlier position, summed, smoothed by a mean over
// `pooling` positions (zeros beyond the ends); the best stay for the whole answer beside the
// observed queries and what follows them. With the scope "decode" the observed queries are the
// question's end, with "question" they lie before it.
class SnapKvSelector : public ObservingSelector {
 public:
  using ObservingSelector::ObservingSelector;

  void observe(const KeyView& keys, const QueryView& query) override {
    if (!is_observed(query.position)) return;
    const AttentionWeights weights = attention_weights(shape(), keys, query);
    std::vector<double>& sums = sums_[static_cast<size_t>(query.layer)];
    const auto before = static_cast<size_t>(observes_from());
    sums.resize(static_cast<size_t>(shape().query_heads) * before);
    for (int head = 0; head < shape().query_heads; ++head)
      for (size_t j = 0; j < before; ++j)
        sums[static_cast<size_t>(head) * before + j] += static_cast<double>(weights.head(head)[j]);
  }

 protected:
  void reset() override {
    sums_.assign(static_cast<size_t>(layers()), {});
    pooled_.assign(static_cast<size_t>(layers()), std::nullopt);
  }
  BlockScores scores(const KeyView&, const QueryView& query, const BlockGrid& grid) override {
    std::optional<BlockScores>& pooled = pooled_[static_cast<size_t>(query.layer)];
    if (!pooled) pooled = pooled_scores(sums_[static_cast<size_t>(query.layer)], grid.block);
    BlockScores found(shape().query_heads, grid.size());
    for (int head = 0; head < shape().query_heads; ++head) {
      const std::span<const double> row = std::as_const(*pooled).row(head);
      std::copy_n(row.begin(), std::min(row.size(), found.row(head).size()),
                  found.row(head).begin());
    }
    return found;
  }
  void keep_more(const BlockGrid& grid, BlockSet& kept) const override {
    for (int64_t b = std::max(grid.lowest(), observes_from() / grid.block); b < grid.size(); ++b)
      kept.insert(b);
  }
  // Its set grows by what is written after it was chosen.
  [[nodiscard]] int64_t most_blocks(const BlockGrid& grid) const override {
    return options().budget / grid.block + grid.size() - (context().first_masked / grid.block + 1);
  }

 private:
  [[nodiscard]] BlockScores pooled_scores(const std::vector<double>& sums, int64_t block) const {
    const int64_t before = observes_from();
    BlockScores pooled(shape().query_heads, (before + block - 1) / block);
    if (sums.empty()) return pooled;
    const int64_t reach = options().pooling / 2;
    for (int head = 0; head < shape().query_heads; ++head) {
      const double* row = sums.data() + head * before;
      for (int64_t j = 0; j < before; ++j) {
        double sum = 0;
        for (int64_t i = std::max<int64_t>(0, j - reach); i <= std::min(before - 1, j + reach); ++i)
          sum += row[i];
        pooled.row(head)[static_cast<size_t>(j / block)] +=
            sum / static_cast<double>(options().pooling);
      }
    }
    return pooled;
  }

  std::vector<std::vector<double>> sums_;           // by layer; [query_heads][positions]
  std::vector<std::optional<BlockScores>> pooled_;  // by layer
};

// After the "vertical-slash" pattern of Jiang et al., "MInference 1.0", NeurIPS 2024: a position
// counts by the mean attention that the observed queries gave its column and, at its distance from
// the query, its diagonal. The original keeps whole lines; here their sum ranks blocks.
class VerticalSlashSelector : public ObservingSelector {
 public:
  using ObservingSelector::ObservingSelector;

  void observe(const KeyView& keys, const QueryView& query) override {
    if (!is_observed(query.position)) return;
    const AttentionWeights weights = attention_weights(shape(), keys, query);
    Lines& lines = lines_[static_cast<size_t>(query.layer)];
    const auto length = static_cast<size_t>(context().first_masked);
    lines.vertical.resize(static_cast<size_t>(shape().query_heads) * length);
    lines.slash.resize(lines.vertical.size());
    ++lines.queries;
    for (int head = 0; head < shape().query_heads; ++head) {
      const std::span<const float> row = weights.head(head);
      double* vertical = lines.vertical.data() + static_cast<size_t>(head) * length;
      double* slash = lines.slash.data() + static_cast<size_t>(head) * length;
      for (size_t j = 0; j < row.size(); ++j) {
        vertical[j] += static_cast<double>(row[j]);
        slash[row.size() - 1 - j] += static_cast<double>(row[j]);
      }
    }
  }

 protected:
  void reset() override { lines_.assign(static_cast<size_t>(layers()), {}); }
  BlockScores scores(const KeyView&, const QueryView& query, const BlockGrid& grid) override {
    const Lines& lines = lines_[static_cast<size_t>(query.layer)];
    BlockScores found(shape().query_heads, grid.size());
    if (lines.queries == 0) return found;
    const int64_t length = context().first_masked;
    for (int head = 0; head < shape().query_heads; ++head) {
      const double* vertical = lines.vertical.data() + head * length;
      const double* slash = lines.slash.data() + head * length;
      for (int64_t j = grid.first; j <= grid.position; ++j) {
        double mass = j < length ? vertical[j] : 0;
        if (const int64_t distance = grid.position - j; distance < length) mass += slash[distance];
        found.row(head)[static_cast<size_t>(j / grid.block)] += mass / lines.queries;
      }
    }
    return found;
  }

 private:
  struct Lines {
    double queries = 0;
    std::vector<double> vertical;  // [query_heads][positions]
    std::vector<double> slash;     // [query_heads][distances]
  };
  std::vector<Lines> lines_;  // by layer
};

}  // namespace

const SelectorMaker make_snapkv = made<SnapKvSelector>;
const SelectorMaker make_vertical_slash = made<VerticalSlashSelector>;

}  // namespace fathom
