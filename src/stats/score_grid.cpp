#include "stats/score_grid.h"

namespace fathom {

ScoreGrid ScoreGrid::of_tasks(const std::vector<size_t>& chosen) const {
  ScoreGrid part = empty(lengths, chosen.size(), indices);
  const size_t task_size = lengths.size() * indices;
  for (size_t task = 0; task < chosen.size(); ++task) {
    for (size_t i = 0; i < task_size; ++i)
      part.scores[task * task_size + i] = scores[chosen[task] * task_size + i];
    for (size_t index = 0; index < indices; ++index)
      if (!clusters.empty()) part.clusters.push_back(clusters[chosen[task] * indices + index]);
  }
  return part;
}

}  // namespace fathom
