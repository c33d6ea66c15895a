// The first line of every result, in words: up to which length, on what, under which conditions,
// with what left open.
#pragma once

#include <string>

#include "results/results.h"
#include "results/run_description.h"

namespace fathom {

struct Verdict {
  // One line: who, under which conditions, and the effective length by category.
  // "SmolLM2-135M (greedy, no thinking): 2K on retrieval (1K–4K), below 1K on tracking."
  std::string headline;
  // One or more sentences: all tasks together, which category breaks first, what is unresolved and
  // how many samples would settle it, failures, and what else a reader must know.
  std::string details;
  bool operator==(const Verdict&) const = default;
};
[[nodiscard]] Verdict verdict_of(const Results& results, const RunDescription& run);

// Headline and details as one text. Says "simulated" first where the model is.
[[nodiscard]] std::string verdict(const Results& results, const RunDescription& run);

}  // namespace fathom
