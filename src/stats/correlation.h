// How strongly two lists of numbers go together. All return NaN where one list is constant or
// shorter than two. Requires: equal sizes, finite values.
#pragma once

#include <span>
#include <vector>

#include "stats/estimate.h"

namespace fathom {

[[nodiscard]] double pearson(std::span<const double> x, std::span<const double> y);
// Pearson of the ranks; ties share their mean rank.
[[nodiscard]] double spearman(std::span<const double> x, std::span<const double> y);
// Tau-b (Kendall 1945): ties taken out of the norm. O(n^2).
[[nodiscard]] double kendall_tau_b(std::span<const double> x, std::span<const double> y);

// Pearson with Fisher's z interval; Spearman with the variance of Bonett & Wright (Psychometrika
// 65, 2000). kNone below four pairs.
[[nodiscard]] Estimate pearson_estimate(std::span<const double> x, std::span<const double> y,
                                        double confidence = kConfidence);
[[nodiscard]] Estimate spearman_estimate(std::span<const double> x, std::span<const double> y,
                                         double confidence = kConfidence);

// Mean ranks from 1, ties sharing theirs.
[[nodiscard]] std::vector<double> ranks(std::span<const double> values);

}  // namespace fathom
