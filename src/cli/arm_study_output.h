// A study of arms to the terminal and into its folder: the same for run, report and
// coverage.
#pragma once

#include <string>

#include "base/result.h"
#include "results/arm_study.h"

namespace fathom {

// Reads the folder; writes arms-summary.json and the page (empty: report.html in the folder);
// prints neither.
[[nodiscard]] Result<ArmStudy> write_arm_study(const std::string& folder,
                                               const ResultsOptions& options = {},
                                               const std::string& page = {});
// The table on stdout, or the summary as JSON.
void print_arm_study(const ArmStudy& study, bool json);

}  // namespace fathom
