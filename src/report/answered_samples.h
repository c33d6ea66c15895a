// A run's samples with their prompts and what was answered to them, one at a time: for the files of
// other tools, which hold all three.
#pragma once

#include <functional>
#include <vector>

#include "base/result.h"
#include "results/run_folder.h"
#include "task/sample.h"

namespace fathom {

struct AnsweredSample {
  const Sample& sample;
  // By attempt number; empty: not run yet. Owned by the run.
  std::vector<const Attempt*> attempts;
  std::vector<const ScoredAttempt*> scores;  // of the same attempts
};

// In the order of the dataset, controls and variants too; samples are made or read again. Memory
// holds one of them. Errors: those of the dataset, and of `take`, which end it.
[[nodiscard]] Result<void> for_each_answered(
    const FinishedRun& run, const std::function<Result<void>(const AnsweredSample&)>& take);

}  // namespace fathom
