// Full, streaming, random and the evidence oracles: no selector of these looks at keys or queries.
#include <limits>
#include <utility>

#include "attention/selectors.h"
#include "base/random.h"

namespace fathom {
namespace {

// Masks nothing but what a knock-out leaves out.
class FullSelector : public BlockSelector {
 public:
  using BlockSelector::BlockSelector;

 protected:
  BlockScores scores(const KeyView&, const QueryView&, const BlockGrid& grid) override {
    return {1, grid.size()};
  }
};

// Sinks and the most recent tokens (Xiao et al., "Efficient Streaming Language Models with
// Attention Sinks", ICLR 2024); positions stay as they are.
class StreamingSelector : public BlockSelector {
 public:
  using BlockSelector::BlockSelector;

 protected:
  BlockScores scores(const KeyView&, const QueryView&, const BlockGrid& grid) override {
    BlockScores recency(1, grid.size());
    for (int64_t b = 0; b < grid.size(); ++b)
      recency.values[static_cast<size_t>(b)] = static_cast<double>(b);
    return recency;
  }
};

// Each layer draws its blocks once for a sample: a block keeps its rank while the context grows.
class RandomSelector : public BlockSelector {
 public:
  using BlockSelector::BlockSelector;

 protected:
  BlockScores scores(const KeyView&, const QueryView& query, const BlockGrid& grid) override {
    const RandomKey key = RandomKey(options().seed)
                              .with(context().sample_id)
                              .with(static_cast<uint64_t>(query.layer));
    BlockScores ranks(1, grid.size());
    for (int64_t b = 0; b < grid.size(); ++b)
      ranks.values[static_cast<size_t>(b)] =
          static_cast<double>(key.with(static_cast<uint64_t>(b)).value() >> 11);
    return ranks;
  }
};

// What is always kept and the evidence, however large they are, and nothing else.
class EvidenceSelector : public FullSelector {
 public:
  using FullSelector::FullSelector;

 protected:
  [[nodiscard]] int64_t most_blocks(const BlockGrid&) const override { return 0; }
};

}  // namespace

std::unique_ptr<Selector> make_full(const SelectorOptions& options, const AttentionShape& shape,
                                    int layers, EvidenceRule rule) {
  SelectorOptions unlimited = options;
  unlimited.budget = std::numeric_limits<int64_t>::max();
  return std::make_unique<FullSelector>(std::move(unlimited), shape, layers, rule);
}

std::unique_ptr<Selector> make_streaming(const SelectorOptions& options,
                                         const AttentionShape& shape, int layers,
                                         EvidenceRule rule) {
  return std::make_unique<StreamingSelector>(options, shape, layers, rule);
}

std::unique_ptr<Selector> make_random(const SelectorOptions& options, const AttentionShape& shape,
                                      int layers, EvidenceRule rule) {
  return std::make_unique<RandomSelector>(options, shape, layers, rule);
}

std::unique_ptr<Selector> make_evidence(const SelectorOptions& options, const AttentionShape& shape,
                                        int layers, EvidenceRule rule) {
  return std::make_unique<EvidenceSelector>(options, shape, layers, rule);
}

}  // namespace fathom
