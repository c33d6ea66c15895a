// Counts and estimates over a set of samples (first attempts).
#pragma once

#include <array>
#include <cstdint>

#include "grade/miss.h"
#include "results/results_options.h"
#include "stats/estimate.h"

namespace fathom {

struct Tally {
  int64_t samples = 0;    // in the dataset
  int64_t attempted = 0;  // with a final outcome; samples - attempted are not run yet
  int64_t completed = 0;
  int64_t nulls = 0;                              // complete, but empty after post-processing
  int64_t clusters = 0;                           // distinct haystacks among the attempted; a
                                                  // sample without one is its own
  std::array<int64_t, kOutcomeCount> outcomes{};  // by the order of all_outcomes()
  std::array<int64_t, kMissCount> misses{};       // primary miss of each completed sample that is
                                                  // not strictly right, by Miss
  int64_t strictly_right = 0;                     // completed with strict score 1
  Estimate quality;                               // mean score among the completed
  Estimate completion;                            // completed / attempted
  Estimate usability;                             // mean score over the attempted, failures as 0
  Estimate strict;  // mean strict score over the attempted, failures as 0: beside usability, which
                    // is the lenient reading
  bool operator==(const Tally&) const = default;
};

}  // namespace fathom
