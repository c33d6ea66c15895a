// Scores of one arm by task × length × sample index: what effective lengths, slopes and their
// resampled intervals are computed from.
//
// The samples of a task that have the same index at several lengths are one *unit* (the same
// question in more text): they are resampled together, and differences between lengths are taken
// within them.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace fathom {

struct ScoreGrid {
  std::vector<int64_t> lengths;  // tokens, ascending, distinct
  size_t tasks = 0;
  size_t indices = 0;          // units a task, the most over all tasks
  std::vector<double> scores;  // [(task * lengths + length) * indices + index]; NaN: no such sample
  // Units that share more than their task (a document, a haystack): empty, or a cluster id for each
  // [task * indices + index]. Clusters may span tasks.
  std::vector<int64_t> clusters;

  static constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

  // All scores missing.
  [[nodiscard]] static ScoreGrid empty(std::vector<int64_t> lengths, size_t tasks, size_t indices) {
    ScoreGrid grid;
    grid.scores.assign(tasks * lengths.size() * indices, kMissing);
    grid.lengths = std::move(lengths);
    grid.tasks = tasks;
    grid.indices = indices;
    return grid;
  }
  [[nodiscard]] double& at(size_t task, size_t length, size_t index) {
    return scores[(task * lengths.size() + length) * indices + index];
  }
  [[nodiscard]] double at(size_t task, size_t length, size_t index) const {
    return scores[(task * lengths.size() + length) * indices + index];
  }
  [[nodiscard]] bool has(size_t task, size_t length, size_t index) const {
    return !std::isnan(at(task, length, index));
  }
  [[nodiscard]] int64_t cluster_of(size_t task, size_t index) const {
    const size_t unit = task * indices + index;
    return clusters.empty() ? static_cast<int64_t>(unit) : clusters[unit];
  }
  // The same grid with only these tasks, in this order.
  [[nodiscard]] ScoreGrid of_tasks(const std::vector<size_t>& chosen) const;
};

}  // namespace fathom
