// Which samples an arm answered wrongly, for arms that are asked those alone (spec A7).
#pragma once

#include <string>
#include <unordered_set>
#include <vector>

#include "attention/arm.h"
#include "base/result.h"
#include "results/results.h"

namespace fathom {

// Ids of the rows, variants included and controls not, that were answered with an official score
// below 1. Requests that failed are no answers.
[[nodiscard]] std::unordered_set<std::string> failed_samples(const Results& results);

// failed_samples() of the arm `name` of a study. Errors: kUsage where there is no such arm, it has
// not answered everything, or it has failed nothing; kIo, kInput of its folder.
[[nodiscard]] Result<std::unordered_set<std::string>> failed_samples_of_arm(
    const std::string& folder, const std::string& name);

// Error (kUsage) where an arm of `arms` cannot be asked the samples that another one failed: full
// attention and the oracle, which all samples are compared with, and that arm itself.
[[nodiscard]] Result<void> check_only_failed(const std::vector<AttentionArm>& arms);

}  // namespace fathom
