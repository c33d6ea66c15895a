// What a comparison of n pairs can see, and how many pairs a wanted difference needs.
#pragma once

#include <cstdint>
#include <span>

#include "stats/paired.h"

namespace fathom {

struct PowerTarget {
  double alpha = 0.05;  // two-sided, but for non_inferiority_pairs()
  double power = 0.80;
};

// For 0/1 scores the exact test is discrete; the normal approximation of McNemar's test (Miettinen,
// Biometrics 24, 1968) is used, with the share of discordant pairs fixed:
//   n = (z(1-alpha/2) * sqrt(discordance) + z(power) * sqrt(discordance - difference^2))^2 /
//   difference^2
// `discordance` is in (0, 1]; a difference cannot exceed it.
[[nodiscard]] int64_t pairs_needed_mcnemar(double difference, double discordance,
                                           const PowerTarget& target = {});
// Smallest difference that n pairs see; 1 where none within `discordance` is.
[[nodiscard]] double detectable_difference_mcnemar(int64_t n, double discordance,
                                                   const PowerTarget& target = {});

// For any scores: `variance` is that of the paired differences.
//   n = (z(1-alpha/2) + z(power))^2 * variance / difference^2
[[nodiscard]] int64_t pairs_needed(double difference, double variance,
                                   const PowerTarget& target = {});
[[nodiscard]] double detectable_difference(int64_t n, double variance,
                                           const PowerTarget& target = {});

// Pairs for a gate on non_inferiority_bound() >= -margin to pass with probability `power` where the
// arms are equal and this share of pairs differs: the least n for which
//   margin >= 1/n + z(1-alpha) * sqrt((discordance + 1/n) / n) + z(power) * sqrt(discordance / n)
// (normal approximation, too hopeful where fewer than five pairs are expected to differ; 1/n is the
// added lost pair). Requires: 0 < margin < 1.
[[nodiscard]] int64_t non_inferiority_pairs(double margin, double discordance,
                                            const PowerTarget& target = {});

// The two inputs from data, kept away from 0 where few pairs differ by chance: the share of
// discordant pairs (only_a + only_b + 1) / (n + 2); the variance of the differences with one more
// pair that differs wholly, (sum of squares about the mean + 1) / n.
[[nodiscard]] double discordance(const PairedCounts& counts);
[[nodiscard]] double difference_variance(std::span<const double> a, std::span<const double> b);

}  // namespace fathom
