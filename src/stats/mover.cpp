#include "stats/mover.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace fathom {
namespace {

// Length of the sum of correlated distances.
double joint(const std::vector<double>& distances, std::span<const double> correlations) {
  const size_t count = distances.size();
  double sum = 0;
  for (size_t i = 0; i < count; ++i) {
    sum += distances[i] * distances[i];
    if (correlations.empty() || distances[i] == 0) continue;
    for (size_t j = 0; j < i; ++j)
      sum += 2 * correlations[i * count + j] * distances[i] * distances[j];
  }
  return std::sqrt(std::max(0.0, sum));
}

}  // namespace

Estimate mover(std::span<const Estimate> parts, std::span<const double> coefficients,
               std::span<const double> correlations) {
  Estimate result{.method = IntervalMethod::kMover};
  // Signed distances from each part to its limit on the side that lowers (raises) the sum.
  std::vector<double> down(parts.size());
  std::vector<double> up(parts.size());
  for (size_t i = 0; i < parts.size(); ++i) {
    const double c = coefficients[i];
    if (c == 0) continue;
    const double below = parts[i].value - parts[i].low;
    const double above = parts[i].high - parts[i].value;
    result.value += c * parts[i].value;
    down[i] = c * (c > 0 ? below : above);
    up[i] = c * (c > 0 ? above : below);
    result.n = result.n == 0 ? parts[i].n : std::min(result.n, parts[i].n);
    result.clusters = std::max(result.clusters, parts[i].clusters);
  }
  result.low = result.value - joint(down, correlations);
  result.high = result.value + joint(up, correlations);
  return result;
}

}  // namespace fathom
