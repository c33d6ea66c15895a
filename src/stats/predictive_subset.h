// The fewest tasks that stand for all of them (spec S7): which subset's scores predict the mean
// over all tasks best, over several models (or runs)?
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace fathom {

enum class SubsetPredictor {
  kMean,   // the subset's plain mean: nothing is fitted, nothing overfits
  kRidge,  // linear in the subset's scores, ridge 1e-3 * their mean square, refitted without each
           // model in turn
};

struct PredictiveSubset {
  std::vector<size_t> tasks;  // ascending
  double error = 0;           // root mean square, leave one model out, in score units (0..1)
  double worst = 0;           // largest error of one model
};

inline constexpr size_t kMostSubsetTasks = 16;  // all subsets are tried

// The best subset of each size 1..tasks-1, by leave-one-out error. `scores` is model-major:
// scores[model * tasks + task], all finite. Empty unless models >= 3 and 2 <= tasks <=
// kMostSubsetTasks. O(2^tasks * models * tasks) for kMean.
[[nodiscard]] std::vector<PredictiveSubset> predictive_subsets(
    std::span<const double> scores, size_t tasks,
    SubsetPredictor predictor = SubsetPredictor::kMean);

// The smallest of them whose error is at most `tolerance`; the largest where none is.
[[nodiscard]] PredictiveSubset smallest_predictive_subset(std::span<const PredictiveSubset> subsets,
                                                          double tolerance);

}  // namespace fathom
