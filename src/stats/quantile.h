// Quantiles of measured times and sizes, with exact intervals from order statistics.
#pragma once

#include <span>

#include "stats/estimate.h"

namespace fathom {

// Type 7 of Hyndman & Fan (1996), as numpy and R give it. Requires: values not empty, finite,
// 0 <= share <= 1. O(n).
[[nodiscard]] double quantile(std::span<const double> values, double share);
[[nodiscard]] double sorted_quantile(std::span<const double> sorted, double share);

// With the narrowest interval between two order statistics that covers the true quantile with at
// least `confidence`, whatever the distribution (Hahn & Meeker 1991). Where n is too small for one
// (p99 needs 300 and more), the open side is the least or largest value and the method is kNone.
[[nodiscard]] Estimate quantile_estimate(std::span<const double> values, double share,
                                         double confidence = kConfidence);

}  // namespace fathom
