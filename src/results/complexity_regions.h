// Where a suite sweeps a parameter that makes the task harder: length × complexity.
#pragma once

#include <vector>

#include "results/results.h"
#include "results/score_grids.h"

namespace fathom {

// One entry for each task, swept numeric parameter and setting of the other parameters, with at
// least two levels; by the tasks' order. Parameters that only place evidence make no complexity.
[[nodiscard]] std::vector<ComplexityRegion> complexity_regions(const Results& results,
                                                               const RunGrids& grids);

}  // namespace fathom
