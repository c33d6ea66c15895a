#include "stats/power.h"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <limits>

namespace fathom {
namespace {

constexpr double kMostPairs = 9e15;  // whole numbers of a double end there

double z_of(double probability) {
  return boost::math::quantile(boost::math::normal(), probability);
}

int64_t whole_pairs(double pairs) {
  // A hair above a whole number is rounding, not one more pair.
  return static_cast<int64_t>(std::ceil(std::min(pairs, kMostPairs) - 1e-9));
}

double mcnemar_pairs(double difference, double discordance, const PowerTarget& target) {
  const double spread = std::max(0.0, discordance - difference * difference);
  const double root =
      z_of(1 - target.alpha / 2) * std::sqrt(discordance) + z_of(target.power) * std::sqrt(spread);
  return root * root / (difference * difference);
}

}  // namespace

int64_t pairs_needed_mcnemar(double difference, double discordance, const PowerTarget& target) {
  return whole_pairs(mcnemar_pairs(std::abs(difference), discordance, target));
}

double detectable_difference_mcnemar(int64_t n, double discordance, const PowerTarget& target) {
  const auto pairs = static_cast<double>(n);
  if (n <= 0 || mcnemar_pairs(discordance, discordance, target) > pairs) return 1;
  // The pairs needed fall as the difference grows, so bisection finds the one that n pairs see.
  double low = 0;
  double high = discordance;
  for (int step = 0; step < 200; ++step) {
    const double middle = (low + high) / 2;
    (mcnemar_pairs(middle, discordance, target) > pairs ? low : high) = middle;
  }
  return high;
}

int64_t pairs_needed(double difference, double variance, const PowerTarget& target) {
  const double z = z_of(1 - target.alpha / 2) + z_of(target.power);
  return whole_pairs(z * z * variance / (difference * difference));
}

double detectable_difference(int64_t n, double variance, const PowerTarget& target) {
  if (n <= 0) return 1;
  const double z = z_of(1 - target.alpha / 2) + z_of(target.power);
  return std::min(1.0, z * std::sqrt(variance / static_cast<double>(n)));
}

int64_t non_inferiority_pairs(double margin, double discordance, const PowerTarget& target) {
  const double z_alpha = z_of(1 - target.alpha);
  const double z_power = z_of(target.power);
  const auto seen = [&](double n) {
    return 1 / n + z_alpha * std::sqrt((discordance + 1 / n) / n) +
           z_power * std::sqrt(discordance / n);
  };
  // What n pairs can show falls as n grows.
  double low = 1;
  double high = 2;
  while (seen(high) > margin && high < kMostPairs) high *= 2;
  for (int step = 0; step < 100; ++step) {
    const double middle = (low + high) / 2;
    (seen(middle) > margin ? low : high) = middle;
  }
  return whole_pairs(high);
}

double discordance(const PairedCounts& counts) {
  return (static_cast<double>(counts.discordant()) + 1) / (static_cast<double>(counts.n()) + 2);
}

double difference_variance(std::span<const double> a, std::span<const double> b) {
  if (a.empty()) return 1;
  const auto n = static_cast<double>(a.size());
  double mean = 0;
  for (size_t i = 0; i < a.size(); ++i) mean += (b[i] - a[i]) / n;
  double squares = 1;
  for (size_t i = 0; i < a.size(); ++i) {
    const double residual = b[i] - a[i] - mean;
    squares += residual * residual;
  }
  return squares / n;
}

}  // namespace fathom
