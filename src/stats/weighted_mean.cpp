#include "stats/weighted_mean.h"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>

#include "stats/interval.h"
#include "stats/mover.h"

namespace fathom {
namespace {

// Means of scores in [0, 1] that carry the standard error that stratification needs.
bool has_error(const Estimate& part) {
  constexpr IntervalMethod kMeans[] = {
      IntervalMethod::kWilson,      IntervalMethod::kClopperPearson, IntervalMethod::kStudentT,
      IntervalMethod::kWilsonBound, IntervalMethod::kWilsonScaled,   IntervalMethod::kClusterRobust,
      IntervalMethod::kStratified};
  // Differences of clustered scores bear the name of their means, and may be negative.
  return part.low >= 0 &&
         std::find(std::begin(kMeans), std::end(kMeans), part.method) != std::end(kMeans);
}

Estimate sum_of_limits(const std::vector<Estimate>& parts, const std::vector<double>& weights) {
  Estimate mean{.method = IntervalMethod::kSumBound};
  for (size_t i = 0; i < parts.size(); ++i) {
    mean.value += weights[i] * parts[i].value;
    mean.low += weights[i] * parts[i].low;
    mean.high += weights[i] * parts[i].high;
    mean.n += parts[i].n;
  }
  return mean;
}

}  // namespace

Estimate stratified_mean(std::span<const Estimate> parts, std::span<const double> weights,
                         std::span<const double> correlations, double confidence) {
  Estimate mean;
  double variance = 0;
  double spread = 0;  // of coins of one kind: 1 / spread samples stand behind the mean
  const auto worth = [&](size_t i) {
    return static_cast<double>(parts[i].clusters > 0 ? parts[i].clusters : parts[i].n);
  };
  for (size_t i = 0; i < parts.size(); ++i) {
    mean.value += weights[i] * parts[i].value;
    mean.n += parts[i].n;
    mean.clusters += parts[i].clusters;
    for (size_t j = 0; j < parts.size(); ++j) {
      const double correlation = i == j                 ? 1
                                 : correlations.empty() ? 0
                                                        : correlations[i * parts.size() + j];
      if (correlation == 0) continue;
      const double share = weights[i] * weights[j] * correlation;
      variance += share * parts[i].error * parts[j].error;
      spread += share / std::sqrt(worth(i) * worth(j));
    }
  }
  // Thirteen thirteenths are 1.
  constexpr double kRounding = 1e-12;
  mean.value = mean.value < kRounding ? 0 : mean.value > 1 - kRounding ? 1 : mean.value;
  mean.error = std::sqrt(std::max(0.0, variance));
  const double z = boost::math::quantile(boost::math::normal(), 0.5 + confidence / 2);
  const double samples = 1 / std::max(spread, 1e-12);
  const Estimate interval =
      wilson_scaled(mean.value, mean.n, effective_sample_size(mean.value, mean.error, samples), z);
  mean.low = interval.low;
  mean.high = interval.high;
  mean.method = IntervalMethod::kStratified;
  return mean;
}

Estimate weighted_mean(std::span<const Estimate> parts, std::span<const double> weights,
                       Dependence dependence, double confidence) {
  std::vector<Estimate> known;
  std::vector<double> shares;
  double total = 0;
  for (size_t i = 0; i < parts.size(); ++i) {
    if (!parts[i].known()) continue;
    known.push_back(parts[i]);
    shares.push_back(weights.empty() ? 1 : weights[i]);
    total += shares.back();
  }
  if (known.empty()) return {};
  for (double& share : shares) share /= total;
  if (known.size() == 1) return known[0];
  if (dependence == Dependence::kAny) return sum_of_limits(known, shares);
  if (std::all_of(known.begin(), known.end(), has_error))
    return stratified_mean(known, shares, {}, confidence);
  Estimate mean = mover(known, shares);
  mean.n = 0;
  for (const Estimate& part : known) mean.n += part.n;
  return mean;
}

RulerAverages ruler_averages(std::span<const Estimate> by_length) {
  std::vector<double> rising(by_length.size());
  for (size_t i = 0; i < rising.size(); ++i) rising[i] = static_cast<double>(i + 1);
  const std::vector<double> falling(rising.rbegin(), rising.rend());
  return {.average = weighted_mean(by_length, {}, Dependence::kAny),
          .increasing = weighted_mean(by_length, rising, Dependence::kAny),
          .decreasing = weighted_mean(by_length, falling, Dependence::kAny)};
}

}  // namespace fathom
