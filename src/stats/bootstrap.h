// Bootstrap intervals of a mean score, exact where the scores allow it:
//   0/1 scores               the resampled mean is Binomial(n, mean) / n
//   multiples of 1/d         its distribution is the n-fold convolution of the scores' own, that is
//                            what multinomial draws over the levels would give in the limit
//   otherwise                resampling
// Deterministic in `key`, whatever the number of threads.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/random.h"
#include "stats/estimate.h"

namespace fathom {

inline constexpr int kMostLevels = 60;  // largest d of the exact distribution

struct BootstrapOptions {
  int64_t resamples = 10'000;
  double confidence = kConfidence;
  RandomKey key = RandomKey(0);
  bool bca = false;  // bias-corrected and accelerated limits (Efron, JASA 82, 1987) in place of
                     // percentiles
};

// Percentile limits: quantiles of the distribution of resampled means (the least value whose
// cumulative share reaches alpha / 2, 1 - alpha / 2). They are too narrow for small n: mean_score()
// is the default of reports. O(n d log(n d)) where exact, O(n * resamples) otherwise.
[[nodiscard]] Estimate bootstrap_mean(std::span<const double> scores,
                                      const BootstrapOptions& options = {});

// Resampled means themselves, for statistics built on several of them. O(n * resamples).
[[nodiscard]] std::vector<double> resampled_means(std::span<const double> scores,
                                                  const BootstrapOptions& options = {});

}  // namespace fathom
