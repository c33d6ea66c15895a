// The figures of one run on the page: cells, curves, effective lengths, positions, spending,
// controls (docs/formats/page.md, "Run").
#pragma once

#include "io/json.h"
#include "report/page_values.h"
#include "results/results.h"
#include "results/structure.h"

namespace fathom {

[[nodiscard]] Json page_cells_json(const Results& results, const RunAxes& own);
[[nodiscard]] Json page_curves_json(const Results& results, const RunAxes& own);
[[nodiscard]] Json page_depth_json(const Results& results, const RunAxes& own);
[[nodiscard]] Json page_summaries_json(const Results& results, const RunAxes& own);
[[nodiscard]] Json page_robust_json(const Results& results);
[[nodiscard]] Json page_regions_json(const Results& results, const RunAxes& own);
[[nodiscard]] Json page_positions_json(const Results& results, const RunAxes& own);
[[nodiscard]] Json page_spending_json(const Results& results, const RunAxes& own);
[[nodiscard]] Json page_controls_json(const Results& results, const RunAxes& own);

// Over arms: variants of one run, or whole runs.
[[nodiscard]] Json page_spread_json(const Robustness& robustness);
[[nodiscard]] Json page_structure_json(const TaskStructure& structure);

}  // namespace fathom
