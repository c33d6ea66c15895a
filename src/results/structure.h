// Which tasks measure the same thing, learnt from several runs: rank correlations between tasks
// over models, their clustering, and the smallest set of tasks that predicts the rest.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "results/results_options.h"
#include "results/robustness.h"
#include "stats/estimate.h"

namespace fathom {

// Joins of the dendrogram, closest first: nodes 0..tasks-1 are the tasks, tasks+i is merges[i].
struct TaskMerge {
  size_t left = 0;
  size_t right = 0;
  double distance = 0;  // 1 - correlation, average linkage
  int64_t size = 0;     // tasks below
  bool operator==(const TaskMerge&) const = default;
};

struct TaskStructure {
  std::vector<std::string> runs;
  std::vector<std::string> tasks;  // those with a score in every run
  std::vector<std::string>
      left_out;  // tasks that some run lacks, or that score the same everywhere
  std::vector<std::vector<double>> scores;    // [run][task]: mean usability over the shared lengths
  std::vector<std::vector<double>> spearman;  // [task][task], -1..1
  int64_t n = 0;                              // runs behind each correlation
  double smallest_significant = 1;  // |correlation| from which one alone differs from 0 at 95 %
  std::vector<TaskMerge> merges;
  std::vector<size_t> order;   // tasks in the order of the dendrogram's leaves
  std::vector<size_t> subset;  // the smallest set of tasks that predicts the mean of all tasks …
  double subset_error = 0;     // … with this mean absolute error, each run left out in turn
  std::vector<double> errors;  // by size of the best set found: 1, 2 …
  bool operator==(const TaskStructure&) const = default;
};

inline constexpr size_t kFewestRuns = 3;

// Errors: kUsage below kFewestRuns runs, or with fewer than two shared tasks, naming what is there.
[[nodiscard]] Result<TaskStructure> task_structure(std::span<const NamedResults> runs);

}  // namespace fathom
