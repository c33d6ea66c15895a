// A run as an inspect log (format version 2, JSON), for `inspect view` and read_eval_log().
// docs/formats/exports.md says what stands where.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "results/run_folder.h"

namespace fathom {

struct InspectExport {
  int64_t samples = 0;
  int64_t bytes = 0;
};

// Writes the log to `path` (its name should end in .json); samples are made or read again and
// written one at a time. `with_prompts` false leaves the prompts out, which keeps the log of a long
// run small. Errors: those of the dataset and of writing.
[[nodiscard]] Result<InspectExport> export_inspect_log(const FinishedRun& run,
                                                       const std::string& path, bool with_prompts);

}  // namespace fathom
