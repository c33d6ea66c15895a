// Confidence intervals for proportions and for means of scores in [0, 1]. Pure functions; no
// locale, no state.
#pragma once

#include <cstdint>
#include <span>

#include "stats/estimate.h"

namespace fathom {

// Requires, throughout: 0 <= successes <= n, 0 < confidence < 1. n = 0 gives an unknown Estimate.

// Score interval without continuity correction: Wilson, JASA 22 (1927). `successes` may be
// fractional.
[[nodiscard]] Estimate wilson(double successes, int64_t n, double confidence = kConfidence);

// Exact interval from the beta distribution: Clopper & Pearson, Biometrika 26 (1934).
[[nodiscard]] Estimate clopper_pearson(int64_t successes, int64_t n,
                                       double confidence = kConfidence);

// Mean of n values with Student's t, cut to [0, 1]. Requires: n >= 2 for an interval (else kNone
// with value = mean).
[[nodiscard]] Estimate student_t(std::span<const double> scores, double confidence = kConfidence);

// The interval fit for scores in [0, 1]: Wilson where all are 0 or 1; Wilson's bound where fewer
// than kFewScores or all equal; Student's t otherwise.
inline constexpr int64_t kFewScores = 12;
[[nodiscard]] Estimate mean_score(std::span<const double> scores, double confidence = kConfidence);

}  // namespace fathom
