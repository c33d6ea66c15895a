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

// Wilson's interval for a mean of scores in [0, 1] that is as uncertain as a proportion of
// `effective_n` coin tosses (design-effect use of the score interval: Dean & Pagano, JSSAM 3,
// 2015), with `quantile` standard errors. n only labels the result.
[[nodiscard]] Estimate wilson_scaled(double mean, int64_t n, double effective_n, double quantile);

// Coin tosses that a mean with this standard error is worth, mean * (1 - mean) / error², where one
// of the `worth` samples is taken to vary like a coin, so that a variance of 0 is never believed:
//   error'² = ((worth - 1) error² + mean (1 - mean) / worth) / worth
[[nodiscard]] double effective_sample_size(double mean, double error, double worth);
// The same for scores with their own variance; n where all are 0 or 1.
[[nodiscard]] double effective_sample_size(std::span<const double> scores);

// The interval fit for scores in [0, 1], the default of reports: Wilson where all are 0 or 1,
// otherwise Wilson's with the effective sample size (Student's t falls to 84 % where most scores
// are 1: docs/statistics.md). A single fractional score has Wilson's bound.
[[nodiscard]] Estimate mean_score(std::span<const double> scores, double confidence = kConfidence);

}  // namespace fathom
