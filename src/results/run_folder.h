// A run folder read back: its record, the dataset it names, and its results. Everything that shows
// a run starts here.
//
//   FOLDER/run.json  attempts*.jsonl  samples.jsonl  dataset/manifest.json   (docs/formats/run.md)
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "results/comparison.h"
#include "results/results.h"
#include "results/results_options.h"
#include "results/run_description.h"
#include "results/sample_index.h"
#include "run/attempt.h"
#include "run/record.h"
#include "suite/manifest.h"

namespace fathom {

struct FinishedRun {
  std::string folder;
  RunRecord record;
  Manifest manifest;           // of the dataset
  std::string dataset_folder;  // where it lies
  RunDescription description;
  std::vector<Attempt> attempts;
  Results results;
};

// What a comparison needs of it; a view of the run.
[[nodiscard]] inline ComparedRun compared(const FinishedRun& run) {
  return {&run.results, &run.description, &run.record};
}

// The folder of a run's dataset: the first of FOLDER/dataset, the folder that run.json names, and
// FOLDER/../dataset (a study's, wherever it was moved to) that holds the samples of the record; the
// first of those that exist where none does, so that reading it says what is wrong.
[[nodiscard]] std::string dataset_of_run(const std::string& folder, const RunRecord& record);

// Reads and grades; no model is called. Works on runs that are not finished. Errors: kIo, kInput.
[[nodiscard]] Result<FinishedRun> read_run(const std::string& folder, int threads);
[[nodiscard]] Result<FinishedRun> read_run(const std::string& folder,
                                           const ResultsOptions& options);

[[nodiscard]] RunDescription describe_run(const std::string& folder, const RunRecord& record,
                                          const Manifest& manifest);

}  // namespace fathom
