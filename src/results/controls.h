// Scores of a suite's controls (task/variant.h), which have no length.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "results/results.h"

namespace fathom {

// Usability of a cell's control, by Results::tasks; unknown where it has none. `control`:
// kNoContext or kNeedlesOnly.
[[nodiscard]] std::vector<Estimate> control_scores(const Results& results,
                                                   std::string_view control);

// The mean over these tasks; unknown unless each has the control.
[[nodiscard]] Estimate control_mean(std::span<const Estimate> scores,
                                    std::span<const size_t> tasks);

}  // namespace fathom
