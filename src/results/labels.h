// The words that people read for outcomes and marks; the same in tables, files and the page.
#pragma once

#include <string>

#include "results/results.h"
#include "run/attempt.h"

namespace fathom {

[[nodiscard]] std::string outcome_label(Outcome outcome);  // "answer cut at the output limit"
[[nodiscard]] std::string mark_label(CellMark mark);       // "out of memory"
[[nodiscard]] std::string mark_sign(
    CellMark mark);  // for tables, at most 4 columns: "OOM"; "" for kScore and kZero

}  // namespace fathom
