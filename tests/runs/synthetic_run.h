// A made-up run for the tests of report/: thirteen tasks, four lengths, a reader that gets worse
// with length, some failures.
#pragma once

#include <string>
#include <vector>

#include "results/results.h"
#include "results/run_description.h"
#include "run/attempt.h"
#include "task/sample.h"

namespace fathom::testing_run {

struct SyntheticOptions {
  int samples_per_cell = 10;
  std::vector<int64_t> lengths = {1024, 2048, 4096, 8192};
  double skill = 0.97;  // at the shortest length
  uint64_t seed = 1;
  int unanswered = 3;  // attempts missing at the end: not run yet
};

struct SyntheticRun {
  std::vector<Sample> samples;
  std::vector<Attempt> attempts;
  Results results;
  RunDescription description;

  [[nodiscard]] const Attempt* attempt_of(const std::string& sample_id) const;
};

[[nodiscard]] SyntheticRun synthetic_run(const SyntheticOptions& options = {});

}  // namespace fathom::testing_run
