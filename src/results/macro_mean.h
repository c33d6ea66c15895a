// The mean over tasks of their mean scores (each task weighs the same, as in RULER's average), over
// any set of samples, with clusters counted.
#pragma once

#include <cstdint>
#include <vector>

#include "stats/estimate.h"

namespace fathom {

// Aligned: the scores of samples, 0..1, with the task and the cluster of each.
struct TaskScores {
  std::vector<double> scores;
  std::vector<size_t> tasks;
  std::vector<int64_t> clusters;

  void add(double score, size_t task, int64_t cluster) {
    scores.push_back(score);
    tasks.push_back(task);
    clusters.push_back(cluster);
  }
};

// Within a task, samples of one cluster are not independent (clustered_mean_score()). Over tasks
// the stratified mean, with the correlations that clusters make which span tasks
// (stats/influence.h). Unknown where there are no scores.
[[nodiscard]] Estimate macro_mean(const TaskScores& scores, double confidence = kConfidence);

}  // namespace fathom
