#include "stats/macro_mean.h"

#include <map>

#include "stats/clustered.h"
#include "stats/influence.h"
#include "stats/weighted_mean.h"

namespace fathom {

Estimate mean_over_cells(std::span<const TaskCell> cells, std::span<const Estimate> means,
                         double confidence) {
  if (means.size() == 1) return means[0];
  Influence influence(cells.size());
  for (size_t cell = 0; cell < cells.size(); ++cell)
    for (size_t i = 0; i < cells[cell].scores.size(); ++i)
      influence.add(cells[cell].clusters[i], cell, cells[cell].scores[i] - means[cell].value);
  const std::vector<double> weights(means.size(), 1 / static_cast<double>(means.size()));
  return stratified_mean(means, weights, influence.correlations(), confidence);
}

Estimate macro_mean(const TaskScores& scores, double confidence) {
  std::map<size_t, TaskCell> by_task;
  for (size_t i = 0; i < scores.scores.size(); ++i) {
    TaskCell& cell = by_task[scores.tasks[i]];
    cell.scores.push_back(scores.scores[i]);
    cell.clusters.push_back(scores.clusters[i]);
  }
  if (by_task.empty()) return {};
  std::vector<TaskCell> cells;
  std::vector<Estimate> means;
  for (auto& [task, cell] : by_task) {
    means.push_back(clustered_mean_score(cell.scores, cell.clusters, confidence));
    cells.push_back(std::move(cell));
  }
  return mean_over_cells(cells, means, confidence);
}

}  // namespace fathom
