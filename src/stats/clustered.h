// Means of scores whose samples share something (a haystack, a document) and so are not
// independent. `clusters[i]` names the group of `scores[i]`; groups are independent of each other.
#pragma once

#include <cstdint>
#include <span>

#include "stats/bootstrap.h"
#include "stats/estimate.h"

namespace fathom {

// The chooser: mean_score() where every cluster is a single sample, clustered_mean() otherwise.
// Requires, throughout: as many clusters as scores.
[[nodiscard]] Estimate clustered_mean_score(std::span<const double> scores,
                                            std::span<const int64_t> clusters,
                                            double confidence = kConfidence);

// Cluster-robust interval, cut to [0, 1]: variance of the mean from the sums of residuals by
// cluster (CR2, Bell & McCaffrey, Survey Methodology 28, 2002), t with their Satterthwaite degrees
// of freedom (at most G - 1), applied as a score interval with the effective number of samples that
// this variance gives, so that it stays inside [0, 1] and honest near its ends. One cluster: the
// interval is [0, 1], since nothing is known of the variation between clusters.
[[nodiscard]] Estimate clustered_mean(std::span<const double> scores,
                                      std::span<const int64_t> clusters,
                                      double confidence = kConfidence);

// Percentile bootstrap of whole clusters (mean of resampled sums over resampled sizes).
[[nodiscard]] Estimate cluster_bootstrap_mean(std::span<const double> scores,
                                              std::span<const int64_t> clusters,
                                              const BootstrapOptions& options = {});

}  // namespace fathom
