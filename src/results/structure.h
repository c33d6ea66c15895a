// Which tasks measure the same thing, learnt from several runs: rank correlations between tasks
// over models, their clustering, and the smallest set of tasks that predicts the rest.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "results/results_options.h"
#include "results/robustness.h"
#include "stats/correlation.h"
#include "stats/estimate.h"
#include "stats/linkage.h"
#include "stats/predictive_subset.h"

namespace fathom {

struct TaskStructure {
  std::vector<std::string> runs;
  std::vector<std::string> tasks;  // cells with a score at the same lengths in every run
  std::vector<std::string>
      left_out;                // cells that some run lacks, or that score the same everywhere
  std::vector<double> scores;  // [run * tasks + task]: mean usability over the shared lengths
  // Spearman over the runs, [task * tasks + task]; n is the number of runs. Unknown interval below
  // four runs.
  std::vector<Estimate> correlations;
  std::vector<LinkageStep> steps;  // average linkage of 1 - correlation
  std::vector<size_t> order;       // tasks in the order of the dendrogram's leaves
  std::vector<size_t> groups;      // by task: its group where joins up to kSameGroup are made
  std::vector<PredictiveSubset> subsets;  // the best of each size: predicts the mean over all tasks
  PredictiveSubset smallest;              // the smallest one within kSubsetTolerance
};

inline constexpr size_t kFewestRuns = 3;
inline constexpr double kSameGroup = 0.3;         // correlation of 0.7 on average
inline constexpr double kSubsetTolerance = 0.02;  // root mean square error of the mean

// Where more than kMostSubsetTasks tasks are shared, subsets of the medoids of as many groups are
// tried, and what they predict is the medoids' mean. Errors: kUsage below kFewestRuns runs, or with
// fewer than two shared tasks, naming what is there.
[[nodiscard]] Result<TaskStructure> task_structure(std::span<const NamedResults> runs);

}  // namespace fathom
