#include "stats/quantile.h"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <cmath>
#include <vector>

namespace fathom {
namespace {

// Chance that the i-th smallest of n values (i from 1) is at or below the quantile: at least i
// values are. Bin(n, share).
struct RankChances {
  boost::math::binomial_distribution<> below;
  int64_t n;

  // P(at most `rank` values fall below the quantile).
  [[nodiscard]] double at_most(int64_t rank) const {
    if (rank < 0) return 0;
    if (rank >= n) return 1;
    return boost::math::cdf(below, static_cast<double>(rank));
  }
};

struct Ranks {
  int64_t low = 0;   // 0: open below
  int64_t high = 0;  // n + 1: open above
};

// The covered chance of (x_low, x_high) is P(low <= K <= high - 1) with K ~ Bin(n, share). Grows
// from the middle rank outwards, always to the likelier side, so it is the narrowest in ranks.
Ranks narrowest_ranks(int64_t n, double share, double confidence) {
  const RankChances chances{boost::math::binomial_distribution<>(static_cast<double>(n), share), n};
  const auto middle = static_cast<int64_t>(std::floor(share * static_cast<double>(n)));
  Ranks ranks{std::clamp<int64_t>(middle, 0, n), std::clamp<int64_t>(middle + 1, 1, n + 1)};
  const auto covered = [&](const Ranks& r) {
    return chances.at_most(r.high - 1) - chances.at_most(r.low - 1);
  };
  while (covered(ranks) < confidence) {
    const Ranks lower{ranks.low - 1, ranks.high};
    const Ranks higher{ranks.low, ranks.high + 1};
    if (ranks.low <= 0 && ranks.high > n) break;
    if (ranks.low <= 0) {
      ranks = higher;
    } else if (ranks.high > n) {
      ranks = lower;
    } else {
      ranks = covered(lower) >= covered(higher) ? lower : higher;
    }
  }
  return ranks;
}

}  // namespace

double sorted_quantile(std::span<const double> sorted, double share) {
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<size_t>(place);
  if (below + 1 >= sorted.size()) return sorted.back();
  const double part = place - static_cast<double>(below);
  return sorted[below] + part * (sorted[below + 1] - sorted[below]);
}

double quantile(std::span<const double> values, double share) {
  std::vector<double> copy(values.begin(), values.end());
  const double place = share * static_cast<double>(copy.size() - 1);
  const auto below = std::min(static_cast<size_t>(place), copy.size() - 1);
  const auto nth = copy.begin() + static_cast<std::ptrdiff_t>(below);
  std::nth_element(copy.begin(), nth, copy.end());
  if (below + 1 == copy.size()) return *nth;
  const double next = *std::min_element(nth + 1, copy.end());
  return *nth + (place - static_cast<double>(below)) * (next - *nth);
}

Estimate quantile_estimate(std::span<const double> values, double share, double confidence) {
  if (values.empty()) return {};
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  const auto n = static_cast<int64_t>(sorted.size());
  const Ranks ranks = narrowest_ranks(n, share, confidence);
  const bool closed = ranks.low >= 1 && ranks.high <= n;
  const auto at_rank = [&](int64_t rank) {
    return sorted[static_cast<size_t>(std::clamp<int64_t>(rank, 1, n) - 1)];
  };
  return {.value = sorted_quantile(sorted, share),
          .low = at_rank(ranks.low),
          .high = at_rank(ranks.high),
          .n = n,
          .method = closed ? IntervalMethod::kOrderStatistics : IntervalMethod::kNone};
}

}  // namespace fathom
