#include "stats/paired.h"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <vector>

namespace fathom {
namespace {

using Binomial = boost::math::binomial_distribution<>;

// Tango's score statistic at `difference` (B - A): the distance of the data from that difference in
// standard errors, with the loss rate that is likeliest under it. Falls as `difference` grows.
double tango_statistic(double gains, double losses, double n, double difference) {
  const double a = 2 * n;
  const double b = -gains - losses + (2 * n - gains + losses) * difference;
  const double c = -losses * difference * (1 - difference);
  const double loss_rate = (std::sqrt(std::max(0.0, b * b - 4 * a * c)) - b) / (2 * a);
  const double variance = n * (2 * loss_rate + difference * (1 - difference));
  const double distance = gains - losses - n * difference;
  if (variance <= 0) return distance == 0 ? 0 : std::copysign(1e300, distance);
  return distance / std::sqrt(variance);
}

// The difference in [low, high] where Tango's statistic equals `wanted`.
double tango_limit(double gains, double losses, double n, double wanted, double low, double high) {
  for (int step = 0; step < 100; ++step) {
    const double middle = (low + high) / 2;
    (tango_statistic(gains, losses, n, middle) > wanted ? low : high) = middle;
  }
  return (low + high) / 2;
}

}  // namespace

PairedCounts paired_counts(std::span<const double> a, std::span<const double> b,
                           double right_from) {
  PairedCounts counts;
  for (size_t i = 0; i < a.size(); ++i) {
    const bool right_a = a[i] >= right_from;
    const bool right_b = b[i] >= right_from;
    int64_t& count = right_a ? (right_b ? counts.both : counts.only_a)
                             : (right_b ? counts.only_b : counts.neither);
    ++count;
  }
  return counts;
}

double mcnemar_exact(const PairedCounts& counts) {
  const int64_t n = counts.discordant();
  if (n == 0) return 1;
  const auto fewer = static_cast<double>(std::min(counts.only_a, counts.only_b));
  return std::min(1.0, 2 * boost::math::cdf(Binomial(static_cast<double>(n), 0.5), fewer));
}

double mcnemar_mid_p(const PairedCounts& counts) {
  const int64_t n = counts.discordant();
  if (n == 0) return 1;
  const auto fewer = static_cast<double>(std::min(counts.only_a, counts.only_b));
  const Binomial even(static_cast<double>(n), 0.5);
  if (counts.only_a == counts.only_b) return 1 - boost::math::pdf(even, fewer) / 2;
  return 2 * boost::math::cdf(even, fewer) - boost::math::pdf(even, fewer);
}

double binomial_test(int64_t successes, int64_t n, double p) {
  if (n == 0) return 1;
  const Binomial distribution(static_cast<double>(n), p);
  const double own = boost::math::pdf(distribution, static_cast<double>(successes));
  constexpr double kRounding = 1 + 1e-7;  // probabilities equal but for rounding count as equal
  double sum = 0;
  for (int64_t k = 0; k <= n; ++k) {
    const double chance = boost::math::pdf(distribution, static_cast<double>(k));
    if (chance <= own * kRounding) sum += chance;
  }
  return std::min(1.0, sum);
}

Estimate tango(const PairedCounts& counts, double confidence) {
  if (counts.n() == 0) return {};
  const auto gains = static_cast<double>(counts.only_b);
  const auto losses = static_cast<double>(counts.only_a);
  const auto n = static_cast<double>(counts.n());
  const double z = boost::math::quantile(boost::math::normal(), 0.5 + confidence / 2);
  const double value = (gains - losses) / n;
  return {.value = value,
          .low = tango_limit(gains, losses, n, z, -1, value),
          .high = tango_limit(gains, losses, n, -z, value, 1),
          .n = counts.n(),
          .method = IntervalMethod::kTango};
}

}  // namespace fathom
