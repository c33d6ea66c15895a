#include "stats/clustered.h"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <numeric>
#include <vector>

#include "stats/cluster_numbers.h"
#include "stats/index_stream.h"
#include "stats/interval.h"
#include "stats/mean_distribution.h"

namespace fathom {
namespace {

struct ClusterSums {
  std::vector<double> sums;   // of scores
  std::vector<double> sizes;  // samples
};

// In order of first appearance.
ClusterSums cluster_sums(std::span<const double> scores, std::span<const int64_t> clusters) {
  ClusterSums found;
  ClusterNumbers numbers;
  for (size_t i = 0; i < scores.size(); ++i) {
    const size_t cluster = numbers.of(clusters[i]);
    if (cluster == found.sums.size()) {
      found.sums.push_back(0);
      found.sizes.push_back(0);
    }
    found.sums[cluster] += scores[i];
    found.sizes[cluster] += 1;
  }
  return found;
}

struct RobustVariance {
  double variance = 0;  // of the mean
  double freedom = 1;   // Satterthwaite's degrees of freedom under independence
};

// CR2 for a mean: a cluster's residual sum R_g is divided by sqrt(1 - n_g/n) (Bell & McCaffrey
// 2002, section 3). Its degrees of freedom follow from the covariances c_g'(I - H)c_h of the
// adjusted sums: n_g/n² for g = h, -a_g a_h n_g n_h / n³ otherwise, with a_g² = 1 / (1 - n_g/n).
RobustVariance robust_variance(const ClusterSums& clusters, double mean, double n) {
  double variance = 0;
  double own = 0;
  double cross = 0;
  double cross_diagonal = 0;
  for (size_t g = 0; g < clusters.sums.size(); ++g) {
    const double size = clusters.sizes[g];
    const double adjust = 1 / (1 - size / n);
    const double residual = clusters.sums[g] - mean * size;
    variance += adjust * residual * residual / (n * n);
    own += size * size / std::pow(n, 4);
    const double term = adjust * size * size / (n * n);
    cross += term;
    cross_diagonal += term * term;
  }
  const double squares = own + (cross * cross - cross_diagonal) / (n * n);
  const double most = static_cast<double>(clusters.sums.size()) - 1;
  return {variance, std::clamp(1 / (n * n * squares), 1.0, most)};
}

// Clusters of equal size that weigh as much as these.
double effective_clusters(const ClusterSums& clusters, double n) {
  double squares = 0;
  for (const double size : clusters.sizes) squares += size * size;
  return n * n / squares;
}

}  // namespace

Estimate clustered_mean_score(std::span<const double> scores, std::span<const int64_t> clusters,
                              double confidence) {
  const ClusterSums sums = cluster_sums(scores, clusters);
  if (sums.sums.size() == scores.size()) return mean_score(scores, confidence);
  return clustered_mean(scores, clusters, confidence);
}

Estimate clustered_mean(std::span<const double> scores, std::span<const int64_t> clusters,
                        double confidence) {
  if (scores.empty()) return {};
  const ClusterSums sums = cluster_sums(scores, clusters);
  const auto n = static_cast<double>(scores.size());
  const auto count = static_cast<int64_t>(sums.sums.size());
  const double mean =
      std::clamp(std::accumulate(sums.sums.begin(), sums.sums.end(), 0.0) / n, 0.0, 1.0);
  Estimate estimate{.value = mean,
                    .low = 0,
                    .high = 1,
                    .n = static_cast<int64_t>(scores.size()),
                    .method = IntervalMethod::kClusterRobust,
                    .clusters = count,
                    .error = count < 2 ? 0.5 : 0};
  if (count < 2) return estimate;
  const RobustVariance robust = robust_variance(sums, mean, n);
  const double groups = effective_clusters(sums, n);
  const double coin = mean * (1 - mean);
  // Half a pseudo-cluster of wholly equal scores keeps a small variance from being taken for none;
  // it also stands alone where every score is 0 or 1 alike.
  constexpr double kPseudoClusters = 0.5;
  double effective = groups;
  if (coin > 0) {
    const double variance = ((groups - 1) * robust.variance + kPseudoClusters * coin / groups) /
                            (groups - 1 + kPseudoClusters);
    effective = std::clamp(coin / variance, groups / 2, effective_sample_size(scores));
    estimate.error = std::sqrt(variance);
  }
  const double t =
      boost::math::quantile(boost::math::students_t(robust.freedom), 0.5 + confidence / 2);
  const Estimate interval = wilson_scaled(mean, estimate.n, effective, t);
  estimate.low = interval.low;
  estimate.high = interval.high;
  return estimate;
}

Estimate cluster_bootstrap_mean(std::span<const double> scores, std::span<const int64_t> clusters,
                                const BootstrapOptions& options) {
  if (scores.empty()) return {};
  const ClusterSums sums = cluster_sums(scores, clusters);
  const auto count = static_cast<uint32_t>(sums.sums.size());
  std::vector<double> means(static_cast<size_t>(options.resamples));
  for (size_t i = 0; i < means.size(); ++i) {
    IndexStream indices(options.key.with(i));
    double sum = 0;
    double size = 0;
    for (uint32_t drawn = 0; drawn < count; ++drawn) {
      const uint32_t g = indices.below(count);
      sum += sums.sums[g];
      size += sums.sizes[g];
    }
    means[i] = sum / size;
  }
  const MeanDistribution distribution = sampled_distribution(std::move(means));
  const double mean =
      std::accumulate(scores.begin(), scores.end(), 0.0) / static_cast<double>(scores.size());
  return {.value = mean,
          .low = distribution.at_share((1 - options.confidence) / 2),
          .high = distribution.at_share(0.5 + options.confidence / 2),
          .n = static_cast<int64_t>(scores.size()),
          .method = IntervalMethod::kClusterBootstrap,
          .clusters = static_cast<int64_t>(count)};
}

}  // namespace fathom
