#include "results/score_grids.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace fathom {
namespace {

// Numbers the units of each task: rows of the same index at several lengths are one. A second
// sample of the same index and length, which only foreign data has, is a unit of its own.
class UnitNumbers {
 public:
  explicit UnitNumbers(size_t tasks) : units_(tasks), taken_(tasks), counts_(tasks, 0) {}

  [[nodiscard]] size_t unit(size_t task, size_t length, int64_t index) {
    const auto [found, fresh] = units_[task].try_emplace(index, counts_[task]);
    if (fresh) ++counts_[task];
    std::vector<bool>& taken = taken_[task][length];
    if (taken.size() <= found->second) taken.resize(found->second + 1, false);
    if (!taken[found->second]) {
      taken[found->second] = true;
      return found->second;
    }
    return counts_[task]++;
  }
  [[nodiscard]] size_t most() const {
    return counts_.empty() ? 0 : *std::max_element(counts_.begin(), counts_.end());
  }

 private:
  std::vector<std::unordered_map<int64_t, size_t>> units_;
  std::vector<std::map<size_t, std::vector<bool>>> taken_;  // by task and length
  std::vector<size_t> counts_;
};

struct Placed {
  size_t row = 0;
  size_t task = 0;  // of the grid
  size_t length = 0;
  size_t unit = 0;
};

// Cluster ids by unit; empty where every unit is its own.
std::vector<int64_t> unit_clusters(const std::vector<Placed>& placed, size_t tasks, size_t units,
                                   const std::vector<int64_t>& clusters) {
  std::vector<int64_t> by_unit(tasks * units, -1);
  for (const Placed& each : placed) by_unit[each.task * units + each.unit] = clusters[each.row];
  std::vector<int64_t> known;
  for (const int64_t cluster : by_unit)
    if (cluster >= 0) known.push_back(cluster);
  std::sort(known.begin(), known.end());
  if (std::adjacent_find(known.begin(), known.end()) == known.end()) return {};
  // Places that hold no unit get ids that nothing shares.
  int64_t next = known.back() + 1;
  for (int64_t& cluster : by_unit)
    if (cluster < 0) cluster = next++;
  return by_unit;
}

}  // namespace

std::vector<size_t> RunGrids::grid_tasks(std::span<const size_t> results_tasks) const {
  std::vector<size_t> numbers;
  for (const size_t task : results_tasks)
    if (const auto found = std::find(tasks.begin(), tasks.end(), task); found != tasks.end())
      numbers.push_back(static_cast<size_t>(found - tasks.begin()));
  return numbers;
}

double cost_of(const ScoredAttempt& score, const RiskWeights& weights) {
  if (!score.official) return weights.outcomes[static_cast<size_t>(score.outcome)];
  const double lacking = 1 - score.strict.value_or(*score.official);
  const double weight =
      score.misses.empty() ? 1 : weights.misses[static_cast<size_t>(score.misses.front().kind)];
  return weight * std::max(lacking, 0.0);
}

RunGrids run_grids(const Results& results) {
  RunGrids grids;
  std::vector<size_t> task_place(results.tasks.size(), SIZE_MAX);
  for (size_t task = 0; task < results.tasks.size(); ++task) {
    if (!results.tasks[task].variant.ordinary()) continue;
    task_place[task] = grids.tasks.size();
    grids.tasks.push_back(task);
  }
  const std::vector<size_t> boundaries = block_boundaries(results.lengths);
  std::vector<size_t> length_place(results.lengths.size(), SIZE_MAX);
  std::vector<int64_t> lengths;
  for (size_t length = 0; length < boundaries.size(); ++length) {
    // Foreign answers may lack a length (0): they have a score and no place on a curve.
    if (boundaries[length] != length || results.lengths[length] <= 0) continue;
    length_place[length] = lengths.size();
    grids.lengths.push_back(length);
    lengths.push_back(results.lengths[length]);
  }

  UnitNumbers numbers(grids.tasks.size());
  std::vector<Placed> placed;
  for (size_t row = 0; row < results.rows.size(); ++row) {
    const SampleRow& place = results.rows[row];
    const size_t task = task_place[place.task];
    const size_t length = length_place[place.length];
    if (task == SIZE_MAX || length == SIZE_MAX || !place.score) continue;
    placed.push_back({row, task, length, numbers.unit(task, length, results.samples[row].index)});
  }

  grids.usability = ScoreGrid::empty(lengths, grids.tasks.size(), numbers.most());
  grids.usability.clusters =
      unit_clusters(placed, grids.tasks.size(), numbers.most(), results.clusters);
  grids.strict = grids.usability;
  grids.cost = grids.usability;
  const RiskWeights& risk = results.options.risk;
  for (const Placed& each : placed) {
    const ScoredAttempt& score = *results.score_of(each.row);
    const double official = score.official.value_or(0);
    grids.usability.at(each.task, each.length, each.unit) = official;
    grids.strict.at(each.task, each.length, each.unit) =
        score.official ? score.strict.value_or(official) : 0;
    grids.cost.at(each.task, each.length, each.unit) = cost_of(score, risk);
  }
  grids.worst_cost = std::max({*std::max_element(risk.misses.begin(), risk.misses.end()),
                               *std::max_element(risk.outcomes.begin(), risk.outcomes.end()), 1.0});
  return grids;
}

}  // namespace fathom
