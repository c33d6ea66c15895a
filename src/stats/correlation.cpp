#include "stats/correlation.h"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <limits>
#include <numeric>

namespace fathom {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

double mean_of(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// Fisher's z with the given error of z, times 1 / sqrt(n - 3).
Estimate fisher_estimate(double value, int64_t n, double error_factor, double confidence) {
  Estimate estimate{.value = value, .low = value, .high = value, .n = n};
  if (std::isnan(value)) return {};
  if (n < 4 || std::abs(value) >= 1) return estimate;
  const double z = boost::math::quantile(boost::math::normal(), 0.5 + confidence / 2);
  const double half = z * error_factor / std::sqrt(static_cast<double>(n - 3));
  estimate.low = std::tanh(std::atanh(value) - half);
  estimate.high = std::tanh(std::atanh(value) + half);
  estimate.method = IntervalMethod::kFisher;
  return estimate;
}

}  // namespace

std::vector<double> ranks(std::span<const double> values) {
  std::vector<size_t> order(values.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return values[a] < values[b]; });
  std::vector<double> found(values.size());
  for (size_t begin = 0; begin < order.size();) {
    size_t end = begin;
    while (end < order.size() && values[order[end]] == values[order[begin]]) ++end;
    const double shared = static_cast<double>(begin + 1 + end) / 2;
    for (size_t i = begin; i < end; ++i) found[order[i]] = shared;
    begin = end;
  }
  return found;
}

double pearson(std::span<const double> x, std::span<const double> y) {
  if (x.size() < 2) return kNaN;
  const double mean_x = mean_of(x);
  const double mean_y = mean_of(y);
  double xx = 0;
  double yy = 0;
  double xy = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    xx += (x[i] - mean_x) * (x[i] - mean_x);
    yy += (y[i] - mean_y) * (y[i] - mean_y);
    xy += (x[i] - mean_x) * (y[i] - mean_y);
  }
  const auto constant = [](std::span<const double> v) {
    return std::all_of(v.begin(), v.end(), [&](double value) { return value == v[0]; });
  };
  if (constant(x) || constant(y)) return kNaN;
  return std::clamp(xy / (std::sqrt(xx) * std::sqrt(yy)), -1.0, 1.0);
}

double spearman(std::span<const double> x, std::span<const double> y) {
  return pearson(ranks(x), ranks(y));
}

double kendall_tau_b(std::span<const double> x, std::span<const double> y) {
  int64_t concordance = 0;
  int64_t distinct_x = 0;
  int64_t distinct_y = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    for (size_t j = i + 1; j < x.size(); ++j) {
      const int sign_x = (x[i] < x[j]) - (x[i] > x[j]);
      const int sign_y = (y[i] < y[j]) - (y[i] > y[j]);
      concordance += int64_t{sign_x} * sign_y;
      distinct_x += sign_x != 0 ? 1 : 0;
      distinct_y += sign_y != 0 ? 1 : 0;
    }
  }
  if (distinct_x == 0 || distinct_y == 0) return kNaN;
  return static_cast<double>(concordance) /
         (std::sqrt(static_cast<double>(distinct_x)) * std::sqrt(static_cast<double>(distinct_y)));
}

Estimate pearson_estimate(std::span<const double> x, std::span<const double> y, double confidence) {
  return fisher_estimate(pearson(x, y), static_cast<int64_t>(x.size()), 1, confidence);
}

Estimate spearman_estimate(std::span<const double> x, std::span<const double> y,
                           double confidence) {
  const double value = spearman(x, y);
  return fisher_estimate(value, static_cast<int64_t>(x.size()), std::sqrt(1 + value * value / 2),
                         confidence);
}

}  // namespace fathom
