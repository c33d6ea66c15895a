// Two arms on the same samples (spec S4): did B lose or gain against A? Scores are aligned:
// a[i] and b[i] are of the same sample.
#pragma once

#include <cstdint>
#include <span>

#include "base/random.h"
#include "stats/bootstrap.h"
#include "stats/estimate.h"

namespace fathom {

// Right and wrong of both arms, by pairs.
struct PairedCounts {
  int64_t both = 0;
  int64_t only_a = 0;  // lost: A right, B wrong
  int64_t only_b = 0;  // gained
  int64_t neither = 0;
  bool operator==(const PairedCounts&) const = default;

  [[nodiscard]] int64_t n() const { return both + only_a + only_b + neither; }
  [[nodiscard]] int64_t discordant() const { return only_a + only_b; }
};
// A score counts as right from `right_from` on.
[[nodiscard]] PairedCounts paired_counts(std::span<const double> a, std::span<const double> b,
                                         double right_from = 1.0);

// Two-sided exact McNemar test: the binomial test of only_a among the discordant pairs at 1/2. 1
// where there are none.
[[nodiscard]] double mcnemar_exact(const PairedCounts& counts);
// Mid-p variant (Fagerland et al., BMC Med Res Methodol 13, 2013): less conservative, its size may
// exceed the level slightly; a table must name it.
[[nodiscard]] double mcnemar_mid_p(const PairedCounts& counts);

// Two-sided binomial test by summed probabilities no larger than that of `successes` (Fisher's way,
// as R and scipy do). Requires: 0 <= successes <= n.
[[nodiscard]] double binomial_test(int64_t successes, int64_t n, double p = 0.5);

struct SignFlipResult {
  double p = 1;       // two-sided
  bool exact = true;  // all sign patterns enumerated
  int64_t flips = 0;  // random patterns tried; 0: all were counted
  int64_t units = 0;  // pairs (or clusters) with a non-zero difference
  bool operator==(const SignFlipResult&) const = default;
};
inline constexpr size_t kEnumeratedUnits = 20;  // up to 2^20 patterns are enumerated

struct SignFlipOptions {
  std::span<const int64_t> clusters = {};  // empty: each pair by itself; else signs flip by cluster
  int64_t flips = 20'000;                  // Monte Carlo patterns where enumeration is too long
  RandomKey key = RandomKey(0);
};
// Sign-flip permutation test of a zero mean difference. All patterns are counted where the
// differences are multiples of 1/60 or coarser (their sums then have few values) or at most
// kEnumeratedUnits differ; otherwise Monte Carlo with (1 + hits) / (1 + flips) (Phipson & Smyth
// 2010), which keeps the level.
[[nodiscard]] SignFlipResult sign_flip_test(std::span<const double> a, std::span<const double> b,
                                            const SignFlipOptions& options = {});

// Mean of b - a with an interval honest for small n:
//   0/1 scores   Tango's score interval for paired proportions (Statistics in Medicine 17, 1998)
//   fractional   mean gain less mean loss, each with the interval of mean_score(), put together by
//                MOVER with their correlation (t on the differences falls far below its level where
//                few pairs differ: docs/statistics.md)
//   clustered    the same with clustered_mean_score()
// Requires: clusters empty or one a pair.
[[nodiscard]] Estimate paired_difference(std::span<const double> a, std::span<const double> b,
                                         std::span<const int64_t> clusters = {},
                                         double confidence = kConfidence);
[[nodiscard]] Estimate tango(const PairedCounts& counts, double confidence = kConfidence);

// Percentile bootstrap of the mean difference: whole pairs, or whole clusters where given.
[[nodiscard]] Estimate paired_bootstrap(std::span<const double> a, std::span<const double> b,
                                        std::span<const int64_t> clusters = {},
                                        const BootstrapOptions& options = {});

// Lower limit of the mean of b - a at one-sided `confidence` (0.95: above the truth in at most 5 of
// 100), for gates: B is not worse than A by `margin` where this is >= -margin. The quantile of the
// Bayesian bootstrap with one more pair that is wholly lost (Gaffke's bound: Learned-Miller &
// Thomas, "A new confidence interval for the mean of a bounded random variable", 2019): no case is
// known in which it misses its level, and where nothing is gained it is Clopper-Pearson's. Compared
// with paired_difference() it costs about 1/n. Clusters are weighed whole. Deterministic, from
// 10,000 draws.
[[nodiscard]] double non_inferiority_bound(std::span<const double> a, std::span<const double> b,
                                           std::span<const int64_t> clusters = {},
                                           double confidence = kConfidence);

// Two arms on different samples, for those who ask: mean(b) - mean(a) from the means' own intervals
// (Newcombe, Statistics in Medicine 17, 1998, method 10), n the smaller of both.
[[nodiscard]] Estimate unpaired_difference(std::span<const double> a, std::span<const double> b,
                                           double confidence = kConfidence);
[[nodiscard]] Estimate unpaired_difference(const Estimate& a, const Estimate& b);

// Two-sided p value of an unpaired difference: the level at which the interval of
// unpaired_difference() just touches 0.
[[nodiscard]] double unpaired_p_value(std::span<const double> a, std::span<const double> b);

}  // namespace fathom
