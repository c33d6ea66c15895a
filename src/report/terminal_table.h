// The result table for a terminal: tasks × lengths with 95 % intervals, completion, RULER's
// average, the verdict.
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
};

// Lines end in newlines. Numbers are usability in percent; marks of cells without one are explained
// below the table.
[[nodiscard]] std::string terminal_table(const Results& results, const RunDescription& run,
                                         const TableStyle& style);

}  // namespace fathom
