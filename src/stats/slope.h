// Degradation per doubling of the length (spec S3).
#pragma once

#include "stats/estimate.h"
#include "stats/score_grid.h"

namespace fathom {

// Least-squares slope of the mean over tasks against log2(length): score lost (negative) or gained
// with each doubling. The interval takes each unit's scores at all its lengths together (they are
// paired), tasks as strata, clusters where the grid has them. Unknown with fewer than two lengths.
[[nodiscard]] Estimate slope_per_doubling(const ScoreGrid& grid, double confidence = kConfidence);

}  // namespace fathom
