// Estimates of the difference of two arms, paired and not.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "stats/cluster_numbers.h"
#include "stats/clustered.h"
#include "stats/index_stream.h"
#include "stats/interval.h"
#include "stats/mean_distribution.h"
#include "stats/mover.h"
#include "stats/paired.h"

namespace fathom {
namespace {

bool all_whole(std::span<const double> scores) {
  return std::all_of(scores.begin(), scores.end(),
                     [](double score) { return score == 0 || score == 1; });
}

std::vector<double> gains_over(std::span<const double> from, std::span<const double> to) {
  std::vector<double> gains(from.size());
  for (size_t i = 0; i < from.size(); ++i) gains[i] = std::max(0.0, to[i] - from[i]);
  return gains;
}

bool has_groups(std::span<const int64_t> clusters) {
  std::vector<int64_t> sorted(clusters.begin(), clusters.end());
  std::sort(sorted.begin(), sorted.end());
  return std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end();
}

// Residuals of `scores` from `mean`, summed by cluster (or one by one), in order of appearance.
std::vector<double> residual_sums(std::span<const double> scores, double mean,
                                  std::span<const int64_t> clusters) {
  std::vector<double> residuals(scores.begin(), scores.end());
  for (double& residual : residuals) residual -= mean;
  return cluster_totals(std::move(residuals), clusters);
}

double correlation_of(const std::vector<double>& x, const std::vector<double>& y) {
  const double xy = std::inner_product(x.begin(), x.end(), y.begin(), 0.0);
  const double xx = std::inner_product(x.begin(), x.end(), x.begin(), 0.0);
  const double yy = std::inner_product(y.begin(), y.end(), y.begin(), 0.0);
  return xx > 0 && yy > 0 ? xy / std::sqrt(xx * yy) : 0;
}

Estimate gains_less_losses(std::span<const double> a, std::span<const double> b,
                           std::span<const int64_t> clusters, double confidence) {
  const std::vector<double> gains = gains_over(a, b);
  const std::vector<double> losses = gains_over(b, a);
  const bool grouped = has_groups(clusters);
  const auto mean = [&](const std::vector<double>& scores) {
    return grouped ? clustered_mean(scores, clusters, confidence) : mean_score(scores, confidence);
  };
  const Estimate parts[] = {mean(gains), mean(losses)};
  const double correlation = correlation_of(residual_sums(gains, parts[0].value, clusters),
                                            residual_sums(losses, parts[1].value, clusters));
  const double correlations[] = {1, correlation, correlation, 1};
  const double signs[] = {1, -1};
  Estimate difference = mover(parts, signs, correlations);
  difference.low = std::max(-1.0, difference.low);
  difference.high = std::min(1.0, difference.high);
  difference.method = grouped ? IntervalMethod::kClusterRobust : IntervalMethod::kGainsLosses;
  return difference;
}

}  // namespace

Estimate paired_difference(std::span<const double> a, std::span<const double> b,
                           std::span<const int64_t> clusters, double confidence) {
  if (a.empty()) return {};
  if (all_whole(a) && all_whole(b) && !has_groups(clusters))
    return tango(paired_counts(a, b), confidence);
  return gains_less_losses(a, b, clusters, confidence);
}

Estimate paired_bootstrap(std::span<const double> a, std::span<const double> b,
                          std::span<const int64_t> clusters, const BootstrapOptions& options) {
  if (a.empty()) return {};
  // The difference as a score in [0, 1], so that one bootstrap serves both.
  std::vector<double> halves(a.size());
  for (size_t i = 0; i < a.size(); ++i) halves[i] = (b[i] - a[i] + 1) / 2;
  Estimate estimate = has_groups(clusters) ? cluster_bootstrap_mean(halves, clusters, options)
                                           : bootstrap_mean(halves, options);
  estimate.value = 2 * estimate.value - 1;
  estimate.low = 2 * estimate.low - 1;
  estimate.high = 2 * estimate.high - 1;
  return estimate;
}

Estimate unpaired_difference(const Estimate& a, const Estimate& b) {
  if (!a.known() || !b.known()) return {};
  const Estimate parts[] = {b, a};
  const double signs[] = {1, -1};
  Estimate difference = mover(parts, signs);
  difference.method = IntervalMethod::kNewcombe;
  return difference;
}

Estimate unpaired_difference(std::span<const double> a, std::span<const double> b,
                             double confidence) {
  return unpaired_difference(mean_score(a, confidence), mean_score(b, confidence));
}

double unpaired_p_value(std::span<const double> a, std::span<const double> b) {
  if (a.empty() || b.empty()) return 1;
  // The interval grows with its confidence; p is one minus that at which it reaches 0.
  double low = 0;
  double high = 1;
  for (int step = 0; step < 60; ++step) {
    const double p = (low + high) / 2;
    if (p <= 1e-15) break;
    const Estimate difference = unpaired_difference(a, b, 1 - p);
    (difference.low <= 0 && difference.high >= 0 ? low : high) = p;
  }
  return high;
}

}  // namespace fathom
