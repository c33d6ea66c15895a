#include "results/macro_mean.h"

#include <algorithm>
#include <map>

#include "stats/clustered.h"
#include "stats/weighted_mean.h"

namespace fathom {

Estimate macro_mean(const TaskScores& scores, double confidence) {
  std::map<size_t, TaskScores> by_task;
  std::map<int64_t, size_t> task_of_cluster;
  bool spans_tasks = false;
  for (size_t i = 0; i < scores.scores.size(); ++i) {
    by_task[scores.tasks[i]].add(scores.scores[i], scores.tasks[i], scores.clusters[i]);
    const auto [entry, fresh] = task_of_cluster.try_emplace(scores.clusters[i], scores.tasks[i]);
    spans_tasks = spans_tasks || entry->second != scores.tasks[i];
  }
  if (by_task.empty()) return {};
  const size_t first = by_task.begin()->second.scores.size();
  const bool even = std::all_of(by_task.begin(), by_task.end(), [&](const auto& task) {
    return task.second.scores.size() == first;
  });
  if (by_task.size() == 1 || (spans_tasks && even))
    return clustered_mean_score(scores.scores, scores.clusters, confidence);
  std::vector<Estimate> parts;
  for (const auto& [task, own] : by_task)
    parts.push_back(clustered_mean_score(own.scores, own.clusters, confidence));
  return weighted_mean(parts, {}, spans_tasks ? Dependence::kAny : Dependence::kIndependent,
                       confidence);
}

}  // namespace fathom
