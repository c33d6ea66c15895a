#include "stats/weighted_mean.h"

#include <algorithm>
#include <cmath>

namespace fathom {

Estimate weighted_mean(std::span<const Estimate> parts, std::span<const double> weights,
                       Dependence dependence) {
  double total = 0;
  for (size_t i = 0; i < parts.size(); ++i)
    if (parts[i].known()) total += weights.empty() ? 1 : weights[i];
  if (total <= 0) return {};

  Estimate mean;
  mean.method =
      dependence == Dependence::kIndependent ? IntervalMethod::kMover : IntervalMethod::kSumBound;
  double below = 0;
  double above = 0;
  for (size_t i = 0; i < parts.size(); ++i) {
    const Estimate& part = parts[i];
    if (!part.known()) continue;
    const double weight = (weights.empty() ? 1 : weights[i]) / total;
    mean.value += weight * part.value;
    mean.n += part.n;
    const double down = weight * (part.value - part.low);
    const double up = weight * (part.high - part.value);
    below += dependence == Dependence::kIndependent ? down * down : down;
    above += dependence == Dependence::kIndependent ? up * up : up;
  }
  if (dependence == Dependence::kIndependent) {
    below = std::sqrt(below);
    above = std::sqrt(above);
  }
  mean.low = mean.value - below;
  mean.high = mean.value + above;
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
