// What a reader may ask of a result beyond the plain numbers: thresholds of effective lengths, what
// a mistake costs, how sure intervals shall be. The defaults are what every command uses unless
// told otherwise; docs/design/statistics-of-a-run.md argues for each.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>

#include "grade/miss.h"
#include "run/attempt.h"
#include "stats/effective_length.h"
#include "stats/estimate.h"

namespace fathom {

inline constexpr size_t kOutcomeCount = 10;
[[nodiscard]] constexpr std::array<Outcome, kOutcomeCount> all_outcomes() {
  return {Outcome::kAnswered,      Outcome::kOutputCut,      Outcome::kThinkingCut,
          Outcome::kOverWindow,    Outcome::kInputTruncated, Outcome::kRefused,
          Outcome::kOutOfMemory,   Outcome::kTimedOut,       Outcome::kErrorPermanent,
          Outcome::kErrorTransient};
}

// What a sample costs whoever relies on the answer: 0 = nothing (a right answer), 1 = a wrong
// answer that nobody notices. A sample's cost is the weight of its primary miss times the share
// that is missing of a strictly right answer; of a failed request, the weight of its outcome.
struct RiskWeights {
  std::array<double, kMissCount> misses{};       // by Miss
  std::array<double, kOutcomeCount> outcomes{};  // by Outcome; complete ones are not read
  bool operator==(const RiskWeights&) const = default;
};

// Wrong values given as if they were right cost 1; answers that lack a part or add one 0.7; those
// that say that they do not know 0.3, since the reader is warned; right ones in the wrong form 0.1.
// Failed requests cost 0.3: they are seen, and can be sent elsewhere.
[[nodiscard]] RiskWeights default_risk_weights();

// What the relative effective length is relative to.
enum class RelativeBase {
  kShortest,  // the score at the shortest length
  kControl,   // the score of the needles-only control, where the suite has it; else as kShortest
};

struct ResultsOptions {
  double threshold = kRulerThreshold;  // tau of the absolute effective length
  double relative = kBaseRatio;        // rho: share of the base that is still good enough
  RelativeBase relative_to = RelativeBase::kShortest;
  // tau of a category, by its name, in the robust effective length; others: `threshold`
  std::map<std::string, double> category_thresholds = {};
  RiskWeights risk = default_risk_weights();
  double risk_limit = 1 - kRulerThreshold;  // mean cost a sample that is still acceptable
  int64_t resamples = 2000;
  uint64_t seed = 1;  // of the resampling; the same seed gives the same intervals
  double confidence = kConfidence;
  int threads = 0;  // as in parallel_for; results do not depend on it
  bool operator==(const ResultsOptions&) const = default;
};

}  // namespace fathom
