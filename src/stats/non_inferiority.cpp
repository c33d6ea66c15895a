#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/random.h"
#include "stats/mean_distribution.h"
#include "stats/paired.h"

namespace fathom {
namespace {

constexpr int kDraws = 10'000;

// Units (pairs or clusters) that are alike, drawn together: their weights add up to one Gamma
// variable.
struct UnitKind {
  double sum = 0;   // of differences
  double size = 0;  // pairs
  double count = 0;
};

std::vector<UnitKind> unit_kinds(std::span<const double> a, std::span<const double> b,
                                 std::span<const int64_t> clusters) {
  std::unordered_map<int64_t, std::pair<double, double>> units;
  std::map<std::pair<double, double>, double> kinds;
  for (size_t i = 0; i < a.size(); ++i) {
    if (clusters.empty()) {
      kinds[{b[i] - a[i], 1}] += 1;
      continue;
    }
    auto& [sum, size] = units[clusters[i]];
    sum += b[i] - a[i];
    size += 1;
  }
  for (const auto& [cluster, unit] : units) kinds[unit] += 1;
  std::vector<UnitKind> found;
  for (const auto& [unit, count] : kinds) found.push_back({unit.first, unit.second, count});
  return found;
}

double draw_normal(Random& random) {
  // Box and Muller; 1 - u is never 0.
  const double radius = std::sqrt(-2 * std::log(1 - random.uniform()));
  return radius * std::cos(6.283185307179586 * random.uniform());
}

// Gamma(shape, 1) for shape >= 1: Marsaglia & Tsang, ACM TOMS 26 (2000).
double draw_gamma(Random& random, double shape) {
  const double d = shape - 1.0 / 3;
  const double c = 1 / std::sqrt(9 * d);
  for (;;) {
    const double x = draw_normal(random);
    const double root = 1 + c * x;
    if (root <= 0) continue;
    const double v = root * root * root;
    if (std::log(1 - random.uniform()) < x * x / 2 + d * (1 - v + std::log(v))) return d * v;
  }
}

}  // namespace

double non_inferiority_bound(std::span<const double> a, std::span<const double> b,
                             std::span<const int64_t> clusters, double confidence) {
  if (a.empty()) return -1;
  const std::vector<UnitKind> kinds = unit_kinds(a, b, clusters);
  double units = 0;
  for (const UnitKind& kind : kinds) units += kind.count;
  // The one more unit, of mean size, in which every pair is lost.
  const double lost_size = static_cast<double>(a.size()) / units;
  Random random(RandomKey(0), "non-inferiority");
  std::vector<double> means(kDraws);
  for (double& mean : means) {
    const double lost = draw_gamma(random, 1);
    double sum = -lost_size * lost;
    double size = lost_size * lost;
    for (const UnitKind& kind : kinds) {
      const double weight = draw_gamma(random, kind.count);
      sum += weight * kind.sum;
      size += weight * kind.size;
    }
    mean = sum / size;
  }
  return sampled_distribution(std::move(means)).at_share(1 - confidence);
}

}  // namespace fathom
