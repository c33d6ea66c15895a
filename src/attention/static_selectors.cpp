// Full, streaming, random and the evidence oracles: no selector of these looks at keys or queries.
#include <limits>
#include <utility>

#include "attention/selectors.h"
#include "base/random.h"

namespace fathom {
namespace {

// Weighs no block against another.
class UnweighedSelector : public BlockSelector {
 public:
  using BlockSelector::BlockSelector;

 protected:
  BlockScores scores(const KeyView&, const QueryView&, const BlockGrid& grid) override {
    return {1, grid.size()};
  }
  [[nodiscard]] bool weighs() const override { return false; }
};

// Masks nothing but what a knock-out leaves out.
class UnmaskedSelector : public UnweighedSelector {
 public:
  UnmaskedSelector(SelectorOptions options, const AttentionShape& shape, int layers,
                   EvidenceRule rule)
      : UnweighedSelector(unlimited(std::move(options)), shape, layers, rule) {}

 private:
  static SelectorOptions unlimited(SelectorOptions options) {
    options.budget = std::numeric_limits<int64_t>::max();
    return options;
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
class EvidenceSelector : public UnweighedSelector {
 public:
  using UnweighedSelector::UnweighedSelector;

 protected:
  [[nodiscard]] int64_t most_blocks(const BlockGrid&) const override { return 0; }
};

}  // namespace

const SelectorMaker make_full = made<UnmaskedSelector>;
const SelectorMaker make_streaming = made<StreamingSelector>;
const SelectorMaker make_random = made<RandomSelector>;
const SelectorMaker make_evidence = made<EvidenceSelector>;

}  // namespace fathom
