// Scores of a made-up run of any size, without prompts, for benchmarks: thirteen tasks at six
// lengths, a reader that gets worse with length, 0/1 scores and fractions, depths and evidence
// spans.
#pragma once

#include <cstdint>
#include <vector>

#include "results/sample_facts.h"
#include "results/scores.h"

namespace fathom::testing_run {

struct LargeRun {
  std::vector<SampleFacts> samples;
  std::vector<ScoredAttempt> scores;
};

// About `count` samples. `sharing`: indices that share one haystack; 1: none.
[[nodiscard]] LargeRun large_run(int64_t count, int64_t sharing);

}  // namespace fathom::testing_run
