// The spread of arms' means on the same cells, with what sampling alone would give.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "results/robustness.h"

namespace fathom {

// A scored sample of an arm. Equal (task, length, unit) in several arms: the same question.
struct ArmSample {
  size_t task = 0;
  size_t length = 0;
  int64_t unit = 0;     // of the task; the same at every length
  int64_t cluster = 0;  // units that are not independent, over all arms
  double score = 0;
};

// Means over lengths, then tasks, each weighing the same, of every arm, and their spread. Sampling
// errors come from the units' deviations from their cells' means, added up by cluster over lengths,
// tasks and arms, so that what arms share cancels in their differences. Fills all of the row but
// its cell and length. Requires: every arm has samples in the same tasks and lengths.
[[nodiscard]] SpreadRow arm_spread(std::span<const std::vector<ArmSample>> arms, double confidence);

}  // namespace fathom
