// The names of the ways an answer is scored; grade/ computes them.
#pragma once

#include <string_view>

#include "base/result.h"

namespace fathom {

enum class Metric {
  kStringMatchAll,   // RULER: share of the references that occur in the answer, case ignored
  kStringMatchPart,  // RULER: 1 if any reference occurs, else 0
  kExactMatch,       // answer equals a reference after trimming
  kSetMatch,         // the answer lists exactly the references, in any order
};

[[nodiscard]] std::string_view to_text(Metric metric);  // "string_match_all" …
[[nodiscard]] Result<Metric> metric_from_text(std::string_view text);

}  // namespace fathom
