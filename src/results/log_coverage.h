// A run's coverage out of a selection log that another engine wrote
// (docs/formats/selection-log.md).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "coverage/coverage.h"

namespace fathom {

struct LogCoverage {
  std::vector<SampleCoverage> samples;  // in the order of their first lines
  int64_t unknown = 0;                  // ids of the log that are none of the run's
  int64_t missing = 0;                  // samples of the run that the log does not have
};

// `folder`: the run's; `arm`: what its coverage is named. Makes or reads the samples again to find
// their evidence, and writes FOLDER/coverage.jsonl and FOLDER/selections.jsonl.zst (the log's lines
// about samples of this run) once all of the log is found to fit; nothing is written before. `log`
// may be FOLDER/selections.jsonl.zst itself.
// Reads the log twice; memory holds one line of it and one sample.
// Errors: kInput for a malformed log, a log about no sample of the run, lines of different models,
// prompts of other lengths than the run's (naming the first such sample), samples that are made
// differently today; kIo; those of the dataset and its sources.
[[nodiscard]] Result<LogCoverage> take_selection_log(const std::string& folder,
                                                     const std::string& arm,
                                                     const std::string& log);

}  // namespace fathom
