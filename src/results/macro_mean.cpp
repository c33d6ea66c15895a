#include "results/macro_mean.h"

#include <map>

#include "stats/clustered.h"
#include "stats/influence.h"
#include "stats/weighted_mean.h"

namespace fathom {

Estimate macro_mean(const TaskScores& scores, double confidence) {
  std::map<size_t, TaskScores> by_task;
  for (size_t i = 0; i < scores.scores.size(); ++i)
    by_task[scores.tasks[i]].add(scores.scores[i], scores.tasks[i], scores.clusters[i]);
  if (by_task.empty()) return {};
  std::vector<Estimate> parts;
  Influence influence(by_task.size());
  for (const auto& [task, own] : by_task) {
    const Estimate part = clustered_mean_score(own.scores, own.clusters, confidence);
    for (size_t i = 0; i < own.scores.size(); ++i)
      influence.add(own.clusters[i], parts.size(), own.scores[i] - part.value);
    parts.push_back(part);
  }
  if (parts.size() == 1) return parts[0];
  const std::vector<double> weights(parts.size(), 1 / static_cast<double>(parts.size()));
  return stratified_mean(parts, weights, influence.correlations(), confidence);
}

}  // namespace fathom
