// A result for a terminal: the verdict, then tasks × lengths with 95 % intervals, then what the
// table adds up to (terminal_summary.h).
#pragma once

#include <cstddef>
#include <string>

#include "results/results.h"
#include "results/run_description.h"

namespace fathom {

struct TableStyle {
  size_t width = 80;    // columns; a table that does not fit drops its intervals, then splits the
                        // lengths over several blocks
  bool colour = false;  // the caller knows: a terminal, and NO_COLOR not set
  bool strict = false;  // cells show the strict score
};

// Lines end in newlines and fit the width (at least 23 columns); UTF-8 (as_ascii() is for terminals
// without). Numbers are percent right of all requests, failures counting as wrong; marks of cells
// without one are explained below the table. Variants stand in the summary only.
[[nodiscard]] std::string terminal_table(const Results& results, const RunDescription& run,
                                         const TableStyle& style);

}  // namespace fathom
