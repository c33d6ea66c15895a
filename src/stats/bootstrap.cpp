#include "stats/bootstrap.h"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <numeric>

#include "stats/index_stream.h"
#include "stats/mean_distribution.h"

namespace fathom {
namespace {

double mean_of(std::span<const double> scores) {
  return std::accumulate(scores.begin(), scores.end(), 0.0) / static_cast<double>(scores.size());
}

bool all_whole(std::span<const double> scores) {
  return std::all_of(scores.begin(), scores.end(),
                     [](double score) { return score == 0 || score == 1; });
}

// Quantiles of Binomial(n, p) / n, by the distribution itself.
Estimate binomial_bootstrap(double p, int64_t n, double confidence) {
  using Discrete = boost::math::policies::policy<
      boost::math::policies::discrete_quantile<boost::math::policies::integer_round_up>>;
  const auto count = static_cast<double>(n);
  const boost::math::binomial_distribution<double, Discrete> right(count, p);
  const double tail = (1 - confidence) / 2;
  Estimate estimate{.value = p, .low = p, .high = p, .n = n, .method = IntervalMethod::kBootstrap};
  if (p <= 0 || p >= 1) return estimate;
  estimate.low = boost::math::quantile(right, tail) / count;
  estimate.high = boost::math::quantile(right, 1 - tail) / count;
  return estimate;
}

// Skewness of the mean from leaving each score out once (Efron 1987, eq. 7.3 for a mean).
double acceleration(std::span<const double> scores, double mean) {
  double squares = 0;
  double cubes = 0;
  for (const double score : scores) {
    const double residual = score - mean;
    squares += residual * residual;
    cubes += residual * residual * residual;
  }
  return squares <= 0 ? 0 : cubes / (6 * std::pow(squares, 1.5));
}

struct Shares {
  double low = 0;
  double high = 0;
};

// The shares at which BCa reads the distribution in place of alpha / 2 and 1 - alpha / 2.
Shares bca_shares(const MeanDistribution& distribution, std::span<const double> scores, double mean,
                  double confidence) {
  const boost::math::normal normal;
  constexpr double kEdge = 1e-12;
  const double bias =
      boost::math::quantile(normal, std::clamp(distribution.share_below(mean), kEdge, 1 - kEdge));
  const double a = acceleration(scores, mean);
  const auto share = [&](double z) {
    return boost::math::cdf(normal, bias + (bias + z) / (1 - a * (bias + z)));
  };
  const double z = boost::math::quantile(normal, 0.5 + confidence / 2);
  return {share(-z), share(z)};
}

}  // namespace

Estimate bootstrap_mean(std::span<const double> scores, const BootstrapOptions& options) {
  if (scores.empty()) return {};
  const auto n = static_cast<int64_t>(scores.size());
  const double mean = mean_of(scores);
  if (all_whole(scores) && !options.bca) return binomial_bootstrap(mean, n, options.confidence);
  MeanDistribution distribution = exact_resampled_mean(scores, kMostLevels);
  if (distribution.values.empty())
    distribution = sampled_distribution(resampled_means(scores, options));
  Shares shares{(1 - options.confidence) / 2, 0.5 + options.confidence / 2};
  if (options.bca) shares = bca_shares(distribution, scores, mean, options.confidence);
  return {.value = mean,
          .low = std::min(mean, distribution.at_share(shares.low)),
          .high = std::max(mean, distribution.at_share(shares.high)),
          .n = n,
          .method = options.bca ? IntervalMethod::kBootstrapBca : IntervalMethod::kBootstrap};
}

std::vector<double> resampled_means(std::span<const double> scores,
                                    const BootstrapOptions& options) {
  std::vector<double> means(static_cast<size_t>(options.resamples));
  if (scores.empty()) return means;
  const auto n = static_cast<uint32_t>(scores.size());
  for (size_t i = 0; i < means.size(); ++i) {
    IndexStream indices(options.key.with(i));
    // Four sums break the chain of additions.
    double sums[4] = {};
    uint32_t drawn = 0;
    for (; drawn + 4 <= n; drawn += 4) {
      const auto [first, second] = indices.two_below(n);
      const auto [third, fourth] = indices.two_below(n);
      sums[0] += scores[first];
      sums[1] += scores[second];
      sums[2] += scores[third];
      sums[3] += scores[fourth];
    }
    for (; drawn < n; ++drawn) sums[0] += scores[indices.two_below(n).first];
    means[i] = (sums[0] + sums[1] + sums[2] + sums[3]) / n;
  }
  return means;
}

}  // namespace fathom
