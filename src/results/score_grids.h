// The run as score grids (stats/score_grid.h): what effective lengths, slopes and averages over
// lengths are computed from.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "results/results.h"
#include "stats/score_grid.h"

namespace fathom {

// Attempted samples of ordinary tasks at the lengths of the main curve; a unit is one index of a
// cell. Samples not attempted are missing.
struct RunGrids {
  std::vector<size_t> tasks;    // into Results::tasks, by the grids' task
  std::vector<size_t> lengths;  // into Results::lengths, by the grids' length
  ScoreGrid usability;          // official score, failures 0
  ScoreGrid strict;             // strict score, failures 0
  ScoreGrid cost;               // cost_of()
  double worst_cost = 1;        // the largest weight, above 0

  // The grids' numbers of these Results::tasks.
  [[nodiscard]] std::vector<size_t> grid_tasks(std::span<const size_t> results_tasks) const;
};
[[nodiscard]] RunGrids run_grids(const Results& results);

[[nodiscard]] double cost_of(const ScoredAttempt& score, const RiskWeights& weights);

}  // namespace fathom
