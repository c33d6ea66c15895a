// An estimate with its limits, as the files of comparisons and of arms hold it.
#pragma once

#include "io/json.h"
#include "stats/estimate.h"

namespace fathom {

// {"value", "low", "high", "n", "method"}; null where nothing is known.
[[nodiscard]] inline Json limits_json(const Estimate& estimate) {
  if (!estimate.known()) return nullptr;
  return {{"value", estimate.value},
          {"low", estimate.low},
          {"high", estimate.high},
          {"n", estimate.n},
          {"method", to_text(estimate.method)}};
}

}  // namespace fathom
