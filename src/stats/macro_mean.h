// The mean over tasks of their mean scores (each task weighs the same, as in RULER's average), over
// any set of samples, with clusters counted.
#pragma once

#include <cstdint>
#include <span>
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

// The scores of one task, with the cluster of each.
struct TaskCell {
  std::vector<double> scores;
  std::vector<int64_t> clusters;
};

// The mean over cells of `means`, the estimates of their means: the stratified mean, with the
// correlations that clusters make which span cells (stats/influence.h). Requires: a mean for each
// cell, at least one.
[[nodiscard]] Estimate mean_over_cells(std::span<const TaskCell> cells,
                                       std::span<const Estimate> means,
                                       double confidence = kConfidence);

// The same with clustered_mean_score() within each task. Unknown where there are no scores.
[[nodiscard]] Estimate macro_mean(const TaskScores& scores, double confidence = kConfidence);

}  // namespace fathom
