#include "results/positions.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <map>
#include <unordered_map>

#include "results/position_gaps.h"
#include "results/results.h"
#include "results/tally_pool.h"
#include "stats/clustered.h"
#include "stats/paired.h"

namespace fathom {
namespace {

int trailing_zeros(int64_t length) { return std::countr_zero(static_cast<uint64_t>(length)); }

// Lower bound of the bucket that `tokens` fall into: 0, 256, 1K, 4K …
constexpr int64_t kFirstBound = 256;
constexpr int64_t kBoundRatio = 4;
int64_t bucket_from(int64_t tokens) {
  if (tokens < kFirstBound) return 0;
  int64_t bound = kFirstBound;
  while (tokens / kBoundRatio >= bound) bound *= kBoundRatio;
  return bound;
}
int64_t bucket_below(int64_t from) { return from == 0 ? kFirstBound : from * kBoundRatio; }

// Tallies by task, length and bucket. The largest number stands for "all", so that it sorts last;
// all lengths sort first.
class Buckets {
 public:
  Buckets(const Results& results, const std::vector<int64_t>& clusters,
          const std::vector<size_t>& boundaries)
      : results_(results), clusters_(clusters), boundaries_(boundaries) {}

  void add(size_t row, int64_t tokens) {
    const SampleRow& place = results_.rows[row];
    const auto from = static_cast<size_t>(bucket_from(tokens));
    add_to({place.task, place.length + 1, from}, row);
    const bool main = boundaries_[place.length] == place.length;
    if (main) add_to({place.task, kAllLengths, from}, row);
    if (!results_.tasks[place.task].variant.ordinary()) return;
    add_to({kAllTasks, place.length + 1, from}, row);
    if (main) add_to({kAllTasks, kAllLengths, from}, row);
  }

  [[nodiscard]] std::vector<TokenBucket> buckets() const {
    std::vector<TokenBucket> buckets;
    for (const auto& [key, pool] : pools_) {
      TokenBucket bucket{.from = static_cast<int64_t>(key[2]),
                         .below = bucket_below(static_cast<int64_t>(key[2])),
                         .tally = pool.tally(results_.options.confidence)};
      if (key[0] != kAllTasks) bucket.task = key[0];
      if (key[1] != kAllLengths) bucket.length = key[1] - 1;
      buckets.push_back(bucket);
    }
    return buckets;
  }

 private:
  static constexpr size_t kAllTasks = SIZE_MAX;
  static constexpr size_t kAllLengths = 0;

  void add_to(const std::array<size_t, 3>& key, size_t row) {
    pools_[key].add(results_.score_of(row), clusters_[row]);
  }

  const Results& results_;
  const std::vector<int64_t>& clusters_;
  const std::vector<size_t>& boundaries_;
  std::map<std::array<size_t, 3>, TallyPool> pools_;
};

void fill_buckets(const Results& results, const std::vector<int64_t>& clusters,
                  const std::vector<size_t>& boundaries, Positions& positions) {
  Buckets spans(results, clusters, boundaries);
  Buckets distances(results, clusters, boundaries);
  for (size_t row = 0; row < results.rows.size(); ++row) {
    const SampleFacts& facts = results.samples[row];
    const TokenSpan& span = facts.evidence_tokens;
    if (span.begin >= span.end) continue;
    const auto end = static_cast<int64_t>(span.end);
    if (facts.evidence > 1) spans.add(row, static_cast<int64_t>(span.end - span.begin));
    distances.add(row, std::max<int64_t>(facts.prompt_tokens - end, 0));
  }
  positions.spans = spans.buckets();
  positions.distances = distances.buckets();
}

double counted_score(const ScoredAttempt& score) { return score.official.value_or(0); }

// Every length that is an edge beside its boundary, paired by cell and index.
std::vector<BlockEdge> block_edges_of(const Results& results, const std::vector<int64_t>& clusters,
                                      const std::vector<size_t>& boundaries) {
  std::vector<BlockEdge> edges;
  for (size_t length = 0; length < boundaries.size(); ++length)
    if (boundaries[length] != length)
      edges.push_back({.boundary = boundaries[length],
                       .length = length,
                       .offset = results.lengths[length] - results.lengths[boundaries[length]]});
  if (edges.empty()) return edges;

  std::map<std::array<int64_t, 3>, size_t> rows;  // length, task, index
  for (size_t row = 0; row < results.rows.size(); ++row) {
    const SampleRow& place = results.rows[row];
    if (place.score && results.tasks[place.task].variant.ordinary())
      rows[{static_cast<int64_t>(place.length), static_cast<int64_t>(place.task),
            results.samples[row].index}] = row;
  }
  for (BlockEdge& edge : edges) {
    std::vector<double> at;
    std::vector<double> beside;
    std::vector<int64_t> shared;
    for (const auto& [key, row] : rows) {
      if (key[0] != static_cast<int64_t>(edge.length)) continue;
      const auto other = rows.find({static_cast<int64_t>(edge.boundary), key[1], key[2]});
      if (other == rows.end()) continue;
      beside.push_back(counted_score(*results.score_of(row)));
      at.push_back(counted_score(*results.score_of(other->second)));
      shared.push_back(clusters[row]);
    }
    edge.pairs = static_cast<int64_t>(at.size());
    if (at.empty()) continue;
    const double confidence = results.options.confidence;
    edge.at_boundary = clustered_mean_score(at, shared, confidence);
    edge.score = clustered_mean_score(beside, shared, confidence);
    edge.difference = paired_difference(at, beside, shared, confidence);
  }
  std::sort(edges.begin(), edges.end(), [](const BlockEdge& a, const BlockEdge& b) {
    return std::pair(a.boundary, a.length) < std::pair(b.boundary, b.length);
  });
  return edges;
}

}  // namespace

std::vector<size_t> block_boundaries(std::span<const int64_t> lengths) {
  std::vector<size_t> boundaries(lengths.size());
  for (size_t i = 0; i < lengths.size(); ++i) {
    boundaries[i] = i;
    for (size_t j = 0; j < lengths.size(); ++j) {
      if (std::abs(lengths[i] - lengths[j]) > kEdgeTokens) continue;
      if (lengths[j] % kSmallestBlock != 0) continue;
      if (trailing_zeros(lengths[j]) > trailing_zeros(lengths[boundaries[i]])) boundaries[i] = j;
    }
  }
  return boundaries;
}

Positions positions_of(const Results& results) {
  const std::vector<int64_t>& clusters = results.clusters;
  const std::vector<size_t> boundaries = block_boundaries(results.lengths);
  Positions positions;
  positions.gaps = position_gaps(results, clusters, boundaries);
  fill_buckets(results, clusters, boundaries, positions);
  positions.edges = block_edges_of(results, clusters, boundaries);
  return positions;
}

}  // namespace fathom
