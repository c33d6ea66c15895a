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

// Σ wᵢ·valueᵢ / Σ wᵢ over the known estimates, with an interval from theirs: for independent parts
// MOVER (Zou & Donner, Statistics in Medicine 27, 2008), which takes each part's distance to its
// own limits in place of a standard error and so stays honest where a part is 0 or 1; for dependent
// ones the weighted sum of the limits. n is the sum. Unknown parts are left out: callers say how
// many there were. Requires: weights empty (all equal) or one positive weight a part.
[[nodiscard]] Estimate weighted_mean(std::span<const Estimate> parts,
                                     std::span<const double> weights, Dependence dependence);

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
