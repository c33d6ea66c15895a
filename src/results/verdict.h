// The first line of every result, in words: up to which length, on what, under which conditions,
// with what left open.
#pragma once

#include <string>

#include "results/results.h"
#include "results/run_description.h"

namespace fathom {

// "SmolLM2-135M (greedy, no thinking): holds 85.6 % on 13 tasks up to 2K; by the intervals between
// 1K and 4K. 98 % of requests completed." Says "simulated" first where the model is.
[[nodiscard]] std::string verdict(const Results& results, const RunDescription& run);

}  // namespace fathom
