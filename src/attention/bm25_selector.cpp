// Blocks as documents, token ids as words, the question as the query: no model is needed.
// Okapi BM25 (Robertson & Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009)
// with idf = ln(1 + (N - df + 0.5) / (df + 0.5)), k1 = 1.2, b = 0.75.
#include <algorithm>
#include <cmath>
#include <set>
#include <unordered_map>

#include "attention/selectors.h"

namespace fathom {
namespace {

constexpr double kK1 = 1.2;
constexpr double kB = 0.75;
constexpr double kCommon = 0.5;  // a token in more than this share of the blocks says nothing

class Bm25Selector : public BlockSelector {
 public:
  using BlockSelector::BlockSelector;

 protected:
  void reset() override {
    const auto tokens = static_cast<int64_t>(context().tokens.size());
    const int64_t block = options().block;
    blocks_.assign(static_cast<size_t>((tokens + block - 1) / block), 0);
    std::vector<std::unordered_map<int32_t, double>> counts(blocks_.size());
    std::unordered_map<int32_t, double> documents;
    for (int64_t i = 0; i < tokens; ++i) {
      double& count = counts[static_cast<size_t>(i / block)][context().tokens[i]];
      if (count++ == 0) ++documents[context().tokens[i]];
    }
    const auto all = static_cast<double>(blocks_.size());
    const double mean_length = static_cast<double>(tokens) / std::max(1.0, all);
    const TokenSpan question = context().question;
    const size_t end = std::min<size_t>(question.end, context().tokens.size());
    const size_t begin = std::min<size_t>(question.begin, end);
    const std::span<const int32_t> asked = context().tokens.subspan(begin, end - begin);
    const std::set<int32_t> words(asked.begin(), asked.end());
    for (const int32_t word : words) {
      const double df = documents[word];
      if (df > kCommon * all) continue;
      const double idf = std::log(1 + (all - df + 0.5) / (df + 0.5));
      for (size_t b = 0; b < blocks_.size(); ++b) {
        const auto found = counts[b].find(word);
        if (found == counts[b].end()) continue;
        const auto start = static_cast<int64_t>(b) * block;
        const auto length = static_cast<double>(std::min(block, tokens - start));
        const double tf = found->second;
        blocks_[b] += idf * tf * (kK1 + 1) / (tf + kK1 * (1 - kB + kB * length / mean_length));
      }
    }
  }

  BlockScores scores(const KeyView&, const QueryView&, const BlockGrid& grid) override {
    BlockScores found(1, grid.size());
    for (size_t b = 0; b < std::min(found.values.size(), blocks_.size()); ++b)
      found.values[b] = blocks_[b];
    return found;
  }

 private:
  std::vector<double> blocks_;  // scores of the prompt's blocks; those of the answer have 0
};

}  // namespace

const SelectorMaker make_bm25 = made<Bm25Selector>;

}  // namespace fathom
