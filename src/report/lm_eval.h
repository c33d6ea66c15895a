// A run as the files that lm-evaluation-harness writes, so that tools that read those read fathom's
// runs: MODEL/results_TIME.json and MODEL/samples_TASK_TIME.jsonl.
//
// RULER's tasks have the names that lm-eval gives them (niah_single_1, ruler_vt, ruler_qa_squad …);
// others are fathom_CELL. A metric is a length: "4096,none". docs/formats/exports.md has the rest.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "results/run_folder.h"

namespace fathom {

struct LmEvalExport {
  std::string results_file;
  std::vector<std::string> sample_files;
  int64_t samples = 0;
};

// lm-eval's name of a cell.
[[nodiscard]] std::string lm_eval_task_name(const std::string& task, const std::string& cell);

// The samples are made or read again, one at a time. `with_prompts` false leaves the prompts out
// (their hashes stay). Errors: those of the dataset and of writing; kUsage for a run of more tasks
// than files can be open at once.
[[nodiscard]] Result<LmEvalExport> export_lm_eval(const FinishedRun& run, const std::string& folder,
                                                  bool with_prompts);

}  // namespace fathom
