#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>
#include <vector>

#include "stats/cluster_numbers.h"
#include "stats/index_stream.h"
#include "stats/mean_distribution.h"
#include "stats/paired.h"

namespace fathom {
namespace {

constexpr int kMostDenominator = 60;
constexpr double kMostSteps = 1e8;  // of counting by sums: some tenths of a second

// |Σ dᵢ| by unit (pair or cluster), zeros left out.
struct UnitDifferences {
  std::vector<double> sizes;
  double total = 0;
};

UnitDifferences unit_differences(std::span<const double> a, std::span<const double> b,
                                 std::span<const int64_t> clusters) {
  std::vector<double> differences(a.size());
  for (size_t i = 0; i < a.size(); ++i) differences[i] = b[i] - a[i];
  UnitDifferences units;
  for (const double sum : cluster_totals(std::move(differences), clusters)) {
    if (std::abs(sum) < 1e-12) continue;
    units.sizes.push_back(std::abs(sum));
    units.total += sum;
  }
  return units;
}

// Share of the sign patterns whose sum is at least as far from 0 as `total`, by counting how many
// patterns give each sum. `steps` are the sizes in whole steps.
double share_by_sums(const std::vector<int64_t>& steps, int64_t total) {
  int64_t reach = 0;
  for (const int64_t step : steps) reach += step;
  // chance[s]: that the flipped-up sizes sum to s; the signed sum is 2 s - reach.
  std::vector<double> chance(static_cast<size_t>(reach) + 1);
  chance[0] = 1;
  int64_t so_far = 0;
  for (const int64_t step : steps) {
    so_far += step;
    for (int64_t s = so_far; s >= 0; --s) {
      const auto place = static_cast<size_t>(s);
      chance[place] =
          chance[place] / 2 + (s >= step ? chance[static_cast<size_t>(s - step)] / 2 : 0);
    }
  }
  double share = 0;
  for (int64_t s = 0; s <= reach; ++s)
    if (std::abs(2 * s - reach) >= std::abs(total)) share += chance[static_cast<size_t>(s)];
  return std::min(1.0, share);
}

// The same by trying every pattern, one sign changed from each to the next (Gray code). The first
// sign stays: patterns come in mirrored pairs.
double share_by_patterns(const std::vector<double>& sizes, double total) {
  double sum = 0;
  double reach = 0;
  for (const double size : sizes) reach += size;
  const double wanted = std::abs(total) - 1e-9 * reach;
  std::vector<double> signed_sizes = sizes;
  sum = reach;
  const uint64_t patterns = uint64_t{1} << (sizes.size() - 1);
  uint64_t hits = 0;
  for (uint64_t pattern = 0; pattern < patterns; ++pattern) {
    if (pattern > 0) {
      double& turned = signed_sizes[static_cast<size_t>(std::countr_zero(pattern)) + 1];
      sum -= 2 * turned;
      turned = -turned;
    }
    hits += std::abs(sum) >= wanted ? 1 : 0;
  }
  return static_cast<double>(hits) / static_cast<double>(patterns);
}

double share_by_chance(const std::vector<double>& sizes, double total, int64_t flips,
                       RandomKey key) {
  double reach = 0;
  for (const double size : sizes) reach += size;
  const double wanted = std::abs(total) - 1e-9 * reach;
  int64_t hits = 0;
  IndexStream bits(key);
  for (int64_t flip = 0; flip < flips; ++flip) {
    double sum = 0;
    uint64_t word = 0;
    for (size_t i = 0; i < sizes.size(); ++i) {
      if (i % 64 == 0) word = bits.next();
      sum += (word & 1) != 0 ? sizes[i] : -sizes[i];
      word >>= 1;
    }
    hits += std::abs(sum) >= wanted ? 1 : 0;
  }
  return static_cast<double>(1 + hits) / static_cast<double>(1 + flips);
}

}  // namespace

SignFlipResult sign_flip_test(std::span<const double> a, std::span<const double> b,
                              const SignFlipOptions& options) {
  const UnitDifferences units = unit_differences(a, b, options.clusters);
  SignFlipResult result{.units = static_cast<int64_t>(units.sizes.size())};
  if (units.sizes.empty()) return result;
  const int denominator = common_denominator(units.sizes, kMostDenominator);
  if (denominator > 0) {
    std::vector<int64_t> steps;
    double reach = 0;
    for (const double size : units.sizes) {
      steps.push_back(std::llround(size * denominator));
      reach += size * denominator;
    }
    if (reach * static_cast<double>(steps.size()) <= kMostSteps) {
      result.p = share_by_sums(steps, std::llround(units.total * denominator));
      return result;
    }
  }
  if (units.sizes.size() <= kEnumeratedUnits) {
    result.p = share_by_patterns(units.sizes, units.total);
    return result;
  }
  result.exact = false;
  result.flips = options.flips;
  result.p = share_by_chance(units.sizes, units.total, options.flips, options.key);
  return result;
}

}  // namespace fathom
