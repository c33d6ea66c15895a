// A comparison for a terminal: the verdict, what differs between the runs, who wins where.
#pragma once

#include <string>

#include "report/terminal_table.h"
#include "results/comparison.h"

namespace fathom {

// Lines end in newlines and fit `style.width` columns (at least 40); columns that do not fit are
// left out, the least telling first. Of many cells those with the smallest p values are shown, and
// the rest is counted.
[[nodiscard]] std::string comparison_table(const Comparison& comparison, const TableStyle& style);

}  // namespace fathom
