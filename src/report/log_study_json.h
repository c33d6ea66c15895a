// What recorded selections say, for programs: docs/formats/arms.md, "arms-summary.json",
// `readings`.
#pragma once

#include "io/json.h"
#include "results/log_study.h"

namespace fathom {

[[nodiscard]] Json log_study_json(const LogStudy& study);

}  // namespace fathom
