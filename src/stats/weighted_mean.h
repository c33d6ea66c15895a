// Means of estimates: over tasks (RULER's average, categories) and over lengths (RULER's averages
// of the leaderboard).
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "stats/estimate.h"

namespace fathom {

enum class Dependence {
  kIndependent,  // strata share no samples: tasks at one length
  kAny,          // parts may be correlated in any way: the same content at several lengths
};

// Σ wᵢ·valueᵢ / Σ wᵢ over the known estimates, with an interval from theirs.
//   independent, all in [0, 1]   Wilson's formula with the coin tosses that the parts' standard
//                                errors are worth together (kStratified); putting the parts' own
//                                limits together (MOVER) would pile up their asymmetry and miss
//                                high means from above (docs/statistics.md)
//   independent, differences     MOVER (Zou & Donner, Statistics in Medicine 27, 2008): each part's
//                                distance to its own limits stands for a standard error
//   dependent in any way         the weighted sum of the limits
// n is the sum. Unknown parts are left out: callers say how many there were. `confidence` is that
// of the parts. Requires: weights empty (all equal) or one positive weight a part.
[[nodiscard]] Estimate weighted_mean(std::span<const Estimate> parts,
                                     std::span<const double> weights, Dependence dependence,
                                     double confidence = kConfidence);

// The stratified mean itself, for parts in [0, 1] with standard errors and known correlations of
// their values (row-major; empty: independent). Weights sum to 1.
[[nodiscard]] Estimate stratified_mean(std::span<const Estimate> parts,
                                       std::span<const double> weights,
                                       std::span<const double> correlations,
                                       double confidence = kConfidence);

// RULER's three averages of the scores at its lengths, shortest first: plain, weights 1..k (longest
// counts most), weights k..1.
struct RulerAverages {
  Estimate average;
  Estimate increasing;
  Estimate decreasing;
  bool operator==(const RulerAverages&) const = default;
};
[[nodiscard]] RulerAverages ruler_averages(std::span<const Estimate> by_length);

}  // namespace fathom
