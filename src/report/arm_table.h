// A study of arms for people and for programs.
#pragma once

#include <string>

#include "io/json.h"
#include "report/terminal_table.h"
#include "results/arm_study.h"

namespace fathom {

// Lines within the style's width; UTF-8. Untrusted names are made safe.
[[nodiscard]] std::string arm_table(const ArmStudy& study, const TableStyle& style);

// docs/sparse-attention.md, "arms-summary.json".
[[nodiscard]] Json arm_study_json(const ArmStudy& study);

}  // namespace fathom
