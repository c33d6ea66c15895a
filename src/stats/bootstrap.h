// Bootstrap intervals of a mean score. Resampling is exact or condensed where the scores allow it:
//   0/1 scores          the resampled mean is Binomial(n, mean) / n: its quantiles, no sampling
//   few distinct values the counts of the values are multinomial: one draw per value and resample
//   otherwise           plain resampling
// Deterministic in `key`, whatever the number of threads.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/random.h"
#include "stats/estimate.h"

namespace fathom {

inline constexpr size_t kFewLevels = 32;  // distinct values drawn as counts

struct BootstrapOptions {
  int64_t resamples = 10'000;
  double confidence = kConfidence;
  RandomKey key = RandomKey(0);
  bool bca = false;  // bias-corrected and accelerated limits (Efron, JASA 82, 1987) in place of
                     // percentiles; needs sampling even for 0/1 scores
};

// Percentile limits (type-7 quantiles of the resampled means; exact binomial quantiles for 0/1
// scores). They are too narrow for small n: mean_score() is the default of reports.
[[nodiscard]] Estimate bootstrap_mean(std::span<const double> scores,
                                      const BootstrapOptions& options = {});

// Resampled means themselves, for statistics built on several of them.
[[nodiscard]] std::vector<double> resampled_means(std::span<const double> scores,
                                                  const BootstrapOptions& options = {});

}  // namespace fathom
