// The distribution of a resampled mean: its support and cumulative shares, exact or from a sample.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace fathom {

struct MeanDistribution {
  std::vector<double> values;      // ascending
  std::vector<double> cumulative;  // shares up to and including each; the last is 1

  // The least value whose cumulative share reaches `share` (but for rounding).
  [[nodiscard]] double at_share(double share) const;
  // Share strictly below, plus half of the share at `value` (within rounding).
  [[nodiscard]] double share_below(double value) const;
};

// The least d <= most for which every value is a multiple of 1/d but for rounding; 0: none.
[[nodiscard]] int common_denominator(std::span<const double> values, int most);

// Of the mean of n draws with replacement from `scores`, where all are multiples of 1/d for one
// d <= most_levels; empty otherwise. By the discrete Fourier transform: absolute errors of the
// shares stay below 1e-12.
[[nodiscard]] MeanDistribution exact_resampled_mean(std::span<const double> scores,
                                                    int most_levels);

// Of a sample of means.
[[nodiscard]] MeanDistribution sampled_distribution(std::vector<double> means);

}  // namespace fathom
