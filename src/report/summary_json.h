// summary.json: every figure of a result in one document (docs/formats/summary.md).
#pragma once

#include "io/json.h"
#include "results/results.h"
#include "results/run_description.h"

namespace fathom {

inline constexpr int kSummaryVersion = 2;

[[nodiscard]] Json summary_json(const Results& results, const RunDescription& run);

}  // namespace fathom
