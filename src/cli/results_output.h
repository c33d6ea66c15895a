// A finished run to the terminal and into its folder: the same for run, score and report.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "results/arm_folder.h"
#include "results/arm_study.h"
#include "results/run_folder.h"

namespace fathom {

// The table on stdout, or summary JSON: a list of summaries for several runs. `strict`: the table
// shows strict scores.
[[nodiscard]] Result<void> show_results(std::span<const FinishedRun> runs, bool json, bool strict);

// summary.json, results.csv, results.md, scores.jsonl, ruler/ and report.html into the run's
// folder.
[[nodiscard]] Result<void> write_results(const FinishedRun& run);

// One page over all runs; says on stderr where it is.
[[nodiscard]] Result<void> write_page(std::span<const FinishedRun> runs, const std::string& path);

// One page over a study; `study` is of these arms, in their order.
[[nodiscard]] Result<void> write_arm_page(const std::vector<FinishedArm>& arms,
                                          const ArmStudy& study, const std::string& path);

}  // namespace fathom
