// Two runs of the page against each other (docs/formats/page.md, "comparisons").
#pragma once

#include <string>

#include "report/page_values.h"
#include "results/comparison.h"

namespace fathom {

// `a` and `b`: the runs' places on the page. The text of a JSON object.
[[nodiscard]] std::string page_comparison_json(const Comparison& comparison, size_t a, size_t b,
                                               const PageAxes& axes);

}  // namespace fathom
