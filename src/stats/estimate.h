// A number with its uncertainty: what every figure of a report is.
#pragma once

#include <cstdint>
#include <string_view>

namespace fathom {

enum class IntervalMethod {
  kNone,            // no interval: n = 0, or a plain number
  kWilson,          // proportion, score interval (Wilson 1927)
  kClopperPearson,  // proportion, exact (Clopper & Pearson 1934)
  kStudentT,        // mean of fractional scores, cut to the range of the scores
  kWilsonBound,   // mean of fractional scores by Wilson's formula: never too narrow, since no score
                  // in [0, 1] varies more than a coin with the same mean
  kWilsonScaled,  // mean of fractional scores by Wilson's formula with the effective number of
                  // samples that their variance gives
  kStratified,  // mean over independent strata (tasks): Wilson's formula with the effective number
                // of samples that the strata's variances give
  kMover,       // linear combination of estimates from their own intervals (Zou & Donner 2008)
  kSumBound,    // weighted mean of dependent parts: the weighted sum of their limits, true for any
                // dependence
  kBootstrap,   // percentile bootstrap (Efron 1979), exact for 0/1 scores
  kBootstrapBca,      // bias-corrected and accelerated bootstrap (Efron 1987)
  kClusterRobust,     // clustered scores: variance from clusters, t with G - 1 degrees of freedom
  kClusterBootstrap,  // percentile bootstrap of whole clusters
  kGainsLosses,  // mean paired difference of fractional scores: mean gain less mean loss, by MOVER
  kTango,        // difference of paired proportions, score interval (Tango 1998)
  kGaffke,       // one-sided limits of a mean paired difference (Learned-Miller & Thomas 2019)
  kNewcombe,  // difference of independent means from their own intervals (Newcombe 1998, method 10)
  kOrderStatistics,  // quantile, exact from binomial ranks (Hahn & Meeker 1991)
  kFisher,           // correlation by Fisher's z
  kDelta,            // first-order error of a ratio, such as kappa's
  kVarianceRatio,    // standard deviation between groups, from the F distribution of the ratio of
                     // variances between and within
};
[[nodiscard]] std::string_view to_text(
    IntervalMethod method);  // "Wilson", "Clopper-Pearson", "Student t" …

struct Estimate {
  double value = 0;
  double low = 0;
  double high = 0;
  int64_t n = 0;  // samples behind it; 0: nothing is known and the other numbers mean nothing
  IntervalMethod method = IntervalMethod::kNone;
  int64_t clusters = 0;  // independent groups the samples fall into; 0: each sample by itself
  double error = 0;      // standard error of the value as estimated; 0: none, or not known

  [[nodiscard]] bool known() const { return n > 0; }
  bool operator==(const Estimate&) const = default;
};

inline constexpr double kConfidence = 0.95;

}  // namespace fathom
