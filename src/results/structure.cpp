#include "results/structure.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>

#include "results/results.h"

namespace fathom {
namespace {

using TaskScore = std::map<int64_t, double>;  // usability by length in tokens
using RunScores = std::map<std::string, TaskScore>;

// Ordinary cells that have an attempt, at the lengths of the main curve.
RunScores scores_of(const Results& results) {
  const std::vector<size_t> boundaries = block_boundaries(results.lengths);
  RunScores scores;
  for (const Cell& cell : results.cells)
    if (cell.tally.usability.known() && boundaries[cell.length] == cell.length &&
        results.tasks[cell.task].variant.ordinary())
      scores[results.tasks[cell.task].cell][results.lengths[cell.length]] =
          cell.tally.usability.value;
  return scores;
}

// Lengths that every run has for this task.
std::set<int64_t> shared_lengths(const std::vector<RunScores>& runs, const std::string& task) {
  std::set<int64_t> shared;
  for (const auto& [length, score] : runs.front().at(task)) shared.insert(length);
  for (const RunScores& run : runs) {
    const auto found = run.find(task);
    if (found == run.end()) return {};
    std::erase_if(shared, [&](int64_t length) { return !found->second.contains(length); });
  }
  return shared;
}

// A task's column: its mean over the shared lengths in every run. Empty: some run lacks the task,
// or all score the same, so that nothing can correlate with it.
std::vector<double> column_of(const std::vector<RunScores>& runs, const std::string& task) {
  const std::set<int64_t> lengths = shared_lengths(runs, task);
  if (lengths.empty()) return {};
  std::vector<double> column;
  for (const RunScores& run : runs) {
    double sum = 0;
    for (const int64_t length : lengths) sum += run.at(task).at(length);
    column.push_back(sum / static_cast<double>(lengths.size()));
  }
  const auto [least, most] = std::minmax_element(column.begin(), column.end());
  constexpr double kRounding = 1e-12;
  return *most - *least > kRounding ? column : std::vector<double>{};
}

// Cells in the order of the first run that has them.
std::vector<std::string> all_cells(std::span<const NamedResults> runs) {
  std::vector<std::string> cells;
  for (const NamedResults& run : runs)
    for (const ResultTask& task : run.results->tasks)
      if (task.variant.ordinary() &&
          std::find(cells.begin(), cells.end(), task.cell) == cells.end())
        cells.push_back(task.cell);
  return cells;
}

void correlate(const std::vector<std::vector<double>>& columns, TaskStructure& structure) {
  const size_t tasks = columns.size();
  structure.correlations.resize(tasks * tasks);
  std::vector<double> distances;
  for (size_t a = 0; a < tasks; ++a)
    for (size_t b = 0; b < tasks; ++b)
      structure.correlations[a * tasks + b] = spearman_estimate(columns[a], columns[b]);
  for (size_t a = 0; a < tasks; ++a)
    for (size_t b = a + 1; b < tasks; ++b)
      distances.push_back(std::max(1 - structure.correlations[a * tasks + b].value, 0.0));
  structure.steps = linkage(distances, tasks, LinkageKind::kAverage);
  structure.order = leaf_order(structure.steps, tasks);
  structure.groups = flat_clusters(structure.steps, tasks, kSameGroup);
}

// The member of each group that is nearest to the others of it.
std::vector<size_t> medoids(const TaskStructure& structure, const std::vector<size_t>& groups) {
  const size_t tasks = structure.tasks.size();
  std::map<size_t, std::pair<double, size_t>> best;  // by group: distance, task
  for (size_t task = 0; task < tasks; ++task) {
    double distance = 0;
    for (size_t other = 0; other < tasks; ++other)
      if (groups[other] == groups[task])
        distance += 1 - structure.correlations[task * tasks + other].value;
    const auto [found, fresh] = best.try_emplace(groups[task], distance, task);
    if (!fresh && distance < found->second.first) found->second = {distance, task};
  }
  std::vector<size_t> chosen;
  for (const auto& [group, entry] : best) chosen.push_back(entry.second);
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

// Which tasks to try subsets of: all, or the medoids of as many groups as can be tried.
std::vector<size_t> candidates(const TaskStructure& structure) {
  const size_t tasks = structure.tasks.size();
  if (tasks > kMostSubsetTasks) {
    for (const LinkageStep& step : structure.steps) {
      const std::vector<size_t> groups = flat_clusters(structure.steps, tasks, step.distance);
      if (std::set<size_t>(groups.begin(), groups.end()).size() <= kMostSubsetTasks)
        return medoids(structure, groups);
    }
  }
  std::vector<size_t> all(tasks);
  for (size_t task = 0; task < tasks; ++task) all[task] = task;
  return all;
}

void find_subsets(TaskStructure& structure) {
  const size_t tasks = structure.tasks.size();
  const std::vector<size_t> chosen = candidates(structure);
  if (chosen.size() < 2) return;
  std::vector<double> scores;
  for (size_t run = 0; run < structure.runs.size(); ++run)
    for (const size_t task : chosen) scores.push_back(structure.scores[run * tasks + task]);
  structure.subsets = predictive_subsets(scores, chosen.size());
  for (PredictiveSubset& subset : structure.subsets)
    for (size_t& task : subset.tasks) task = chosen[task];
  structure.smallest = smallest_predictive_subset(structure.subsets, kSubsetTolerance);
}

}  // namespace

Result<TaskStructure> task_structure(std::span<const NamedResults> runs) {
  TaskStructure structure;
  for (const NamedResults& run : runs) structure.runs.push_back(run.name);
  if (runs.size() < kFewestRuns)
    return fail(
        ErrorCode::kUsage,
        "how tasks go together needs at least {} runs of different models, not {} ({}); give "
        "more run folders",
        kFewestRuns, runs.size(), fmt::join(structure.runs, ", "));
  std::vector<RunScores> scores;
  for (const NamedResults& run : runs) scores.push_back(scores_of(*run.results));

  std::vector<std::vector<double>> columns;
  for (const std::string& cell : all_cells(runs)) {
    std::vector<double> column;
    if (scores.front().contains(cell)) column = column_of(scores, cell);
    if (column.empty()) {
      structure.left_out.push_back(cell);
    } else {
      structure.tasks.push_back(cell);
      columns.push_back(std::move(column));
    }
  }
  if (columns.size() < 2)
    return fail(
        ErrorCode::kUsage,
        "these {} runs ({}) have {} tasks in common that do not score the same everywhere; at "
        "least two are needed",
        runs.size(), fmt::join(structure.runs, ", "), columns.size());
  for (size_t run = 0; run < runs.size(); ++run)
    for (const std::vector<double>& column : columns) structure.scores.push_back(column[run]);
  correlate(columns, structure);
  find_subsets(structure);
  return structure;
}

}  // namespace fathom
