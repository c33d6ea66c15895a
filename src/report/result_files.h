// The result as files: summary.json (docs/formats/summary.md), results.csv (one row a figure), a
// Markdown table, and RULER's summary.csv.
#pragma once

#include <string>

#include "base/result.h"
#include "report/summary_json.h"
#include "results/results.h"
#include "results/run_description.h"

namespace fathom {

[[nodiscard]] std::string results_csv(const Results& results, const RunDescription& run);
[[nodiscard]] std::string markdown_table(const Results& results, const RunDescription& run);

// RULER's file for the tasks at one length (ruler.md §3): header "0,1,…", rows Tasks, Score, Nulls.
// Its name is summary.csv, or summary-TASK.csv where there is one task. Samples without a complete
// answer have no prediction and are not in it.
[[nodiscard]] std::string ruler_summary_csv(const Results& results, size_t length);
[[nodiscard]] std::string ruler_summary_name(const Results& results, size_t length);

// Everything above and scores.jsonl into `folder`: summary.json, results.csv, results.md,
// scores.jsonl, ruler/LENGTH/summary.csv.
[[nodiscard]] Result<void> write_result_files(const std::string& folder, const Results& results,
                                              const RunDescription& run);

}  // namespace fathom
