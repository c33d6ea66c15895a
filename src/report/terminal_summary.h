// What stands below a result's table: curves with their effective lengths, the most frequent
// failures, controls and variants.
#pragma once

#include <cstddef>

#include "report/inked_lines.h"
#include "results/results.h"

namespace fathom {

// Lines fit `width` columns; columns of effective lengths that do not fit are left out.
void add_curve_lines(InkedLines& out, const Results& results, size_t width);

// Why answers are not strictly right, and why requests failed: counts, the most frequent first.
void add_failure_lines(InkedLines& out, const Results& results, size_t width);

// Averages over lengths, the slope, controls, spread over variants: what there is of them.
void add_average_lines(InkedLines& out, const Results& results, size_t width);

}  // namespace fathom
