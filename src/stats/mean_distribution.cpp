#include "stats/mean_distribution.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <numbers>

namespace fathom {
namespace {

constexpr double kRounding = 1e-9;  // scores are read from text: 0.333333333333 is a third

// In-place radix-2 transform; `direction` -1 forward, +1 backward without the division by size.
void transform(std::vector<std::complex<double>>& values, double direction) {
  const size_t size = values.size();
  for (size_t i = 1, j = 0; i < size; ++i) {
    size_t bit = size >> 1;
    for (; (j & bit) != 0; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) std::swap(values[i], values[j]);
  }
  for (size_t half = 1; half < size; half *= 2) {
    std::vector<std::complex<double>> roots(half);
    for (size_t k = 0; k < half; ++k)
      roots[k] = std::polar(
          1.0, direction * std::numbers::pi * static_cast<double>(k) / static_cast<double>(half));
    for (size_t start = 0; start < size; start += 2 * half) {
      for (size_t k = 0; k < half; ++k) {
        const std::complex<double> odd = values[start + half + k] * roots[k];
        values[start + half + k] = values[start + k] - odd;
        values[start + k] += odd;
      }
    }
  }
}

std::complex<double> power(std::complex<double> base, size_t exponent) {
  std::complex<double> result = 1;
  for (; exponent != 0; exponent >>= 1) {
    if ((exponent & 1) != 0) result *= base;
    base *= base;
  }
  return result;
}

}  // namespace

int common_denominator(std::span<const double> values, int most) {
  for (int d = 1; d <= most; ++d) {
    const bool fits = std::all_of(values.begin(), values.end(), [&](double value) {
      const double scaled = value * d;
      return std::abs(scaled - std::round(scaled)) < kRounding;
    });
    if (fits) return d;
  }
  return 0;
}

double MeanDistribution::at_share(double share) const {
  const auto place = std::lower_bound(cumulative.begin(), cumulative.end(), share - 1e-12);
  if (place == cumulative.end()) return values.back();
  return values[static_cast<size_t>(place - cumulative.begin())];
}

double MeanDistribution::share_below(double value) const {
  double below = 0;
  double up_to = 0;
  for (size_t i = 0; i < values.size() && values[i] <= value + kRounding; ++i) {
    up_to = cumulative[i];
    if (values[i] < value - kRounding) below = cumulative[i];
  }
  return (below + up_to) / 2;
}

MeanDistribution exact_resampled_mean(std::span<const double> scores, int most_levels) {
  const int d = common_denominator(scores, most_levels);
  const bool in_range = std::all_of(scores.begin(), scores.end(),
                                    [](double score) { return score >= 0 && score <= 1; });
  if (scores.empty() || d == 0 || !in_range) return {};
  const size_t n = scores.size();
  const size_t support = n * static_cast<size_t>(d) + 1;
  std::vector<std::complex<double>> shares(std::bit_ceil(support));
  for (const double score : scores)
    shares[static_cast<size_t>(std::lround(score * d))] += 1.0 / static_cast<double>(n);
  transform(shares, -1);
  for (std::complex<double>& value : shares) value = power(value, n);
  transform(shares, 1);
  MeanDistribution distribution;
  double sum = 0;
  for (size_t i = 0; i < support; ++i) {
    sum += std::max(0.0, shares[i].real() / static_cast<double>(shares.size()));
    distribution.values.push_back(static_cast<double>(i) / static_cast<double>(support - 1));
    distribution.cumulative.push_back(sum);
  }
  for (double& share : distribution.cumulative) share /= sum;
  return distribution;
}

MeanDistribution sampled_distribution(std::vector<double> means) {
  MeanDistribution distribution;
  std::sort(means.begin(), means.end());
  distribution.values = std::move(means);
  const auto count = static_cast<double>(distribution.values.size());
  for (size_t i = 0; i < distribution.values.size(); ++i)
    distribution.cumulative.push_back(static_cast<double>(i + 1) / count);
  return distribution;
}

}  // namespace fathom
