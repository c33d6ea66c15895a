// What a gate said, for a terminal: the verdict, then rule by rule.
#pragma once

#include <string>

#include "gate/gate.h"
#include "report/terminal_table.h"

namespace fathom {

// Lines end in newlines and fit `style.width` columns (at least 40).
[[nodiscard]] std::string gate_table(const GateResult& result, const TableStyle& style);

}  // namespace fathom
