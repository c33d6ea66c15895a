// Results from answers that another harness made: RULER's prediction files, read by
// suite/ruler_files.h.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "results/results.h"

namespace fathom {

// One line of a prediction file: pred/TASK.jsonl under a folder named by the length.
struct ForeignAnswer {
  std::string task;
  int64_t length = 0;
  int64_t index = 0;  // line number in its file, since RULER's own index repeats (ruler.md §3)
  std::vector<std::string> references;
  std::string answer;
  Metric metric = Metric::kStringMatchAll;  // of the task
  bool null_reference = false;  // the file's first reference is null: RULER scores the whole task 0
};

// Rows of one task and length must come in file order. Errors: a line without references.
[[nodiscard]] Result<Results> results_of_predictions(const std::vector<ForeignAnswer>& answers,
                                                     const ResultsOptions& options);
[[nodiscard]] Result<Results> results_of_predictions(const std::vector<ForeignAnswer>& answers,
                                                     int threads);

}  // namespace fathom
