#include "results/tally_pool.h"

#include <algorithm>

#include "stats/clustered.h"
#include "stats/interval.h"

namespace fathom {
namespace {

int64_t distinct(std::vector<int64_t> ids) {
  std::sort(ids.begin(), ids.end());
  return std::unique(ids.begin(), ids.end()) - ids.begin();
}

}  // namespace

void TallyPool::reserve(size_t samples) {
  graded_.reserve(samples);
  graded_clusters_.reserve(samples);
  counted_.reserve(samples);
  strict_.reserve(samples);
  completed_.reserve(samples);
  counted_clusters_.reserve(samples);
}

void TallyPool::add(const ScoredAttempt* score, int64_t cluster) {
  ++counts_.samples;
  if (score == nullptr) return;
  ++counts_.attempted;
  ++counts_.outcomes[static_cast<size_t>(score->outcome)];
  counted_clusters_.push_back(cluster);
  completed_.push_back(score->official ? 1 : 0);
  if (!score->official) {
    counted_.push_back(0);
    strict_.push_back(0);
    return;
  }
  ++counts_.completed;
  counts_.nulls += score->empty ? 1 : 0;
  counted_.push_back(*score->official);
  graded_.push_back(*score->official);
  graded_clusters_.push_back(cluster);
  // Scores written before strict grading have no strict reading; the official one stands in.
  const double strict = score->strict.value_or(*score->official);
  strict_.push_back(strict);
  if (strict >= 1) {
    ++counts_.strictly_right;
  } else if (!score->misses.empty()) {
    ++counts_.misses[static_cast<size_t>(score->misses.front().kind)];
  }
}

Tally TallyPool::tally(double confidence) const {
  Tally tally = counts_;
  tally.clusters = distinct(counted_clusters_);
  // Where no two share anything the plain intervals are the cluster-robust ones, without the
  // search.
  if (tally.clusters == tally.attempted) {
    tally.quality = mean_score(graded_, confidence);
    tally.usability = mean_score(counted_, confidence);
    tally.strict = mean_score(strict_, confidence);
    tally.completion = wilson(static_cast<double>(tally.completed), tally.attempted, confidence);
    return tally;
  }
  tally.quality = clustered_mean_score(graded_, graded_clusters_, confidence);
  tally.usability = clustered_mean_score(counted_, counted_clusters_, confidence);
  tally.strict = clustered_mean_score(strict_, counted_clusters_, confidence);
  tally.completion = clustered_mean_score(completed_, counted_clusters_, confidence);
  return tally;
}

}  // namespace fathom
