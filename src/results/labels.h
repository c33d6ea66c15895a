// The words that people read for outcomes, marks and differences; the same in tables, files and the
// page.
#pragma once

#include <string>

#include "results/results.h"
#include "run/attempt.h"

namespace fathom {

[[nodiscard]] std::string outcome_label(Outcome outcome);  // "answer cut at the output limit"
[[nodiscard]] std::string mark_label(CellMark mark);       // "out of memory"
[[nodiscard]] std::string mark_sign(
    CellMark mark);  // for tables, at most 4 columns: "OOM"; "" for kScore and kZero

// A difference of shares in points of a hundred: "+3.1", "−0.4", "0.0".
[[nodiscard]] std::string signed_points(double share);

}  // namespace fathom
