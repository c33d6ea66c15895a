// What became of a request, from the model's last word (R3).
#pragma once

#include "model/model.h"
#include "run/attempt.h"

namespace fathom {

// Of a reply whose prompt was read whole (run/count_check.h decides that first).
[[nodiscard]] Outcome outcome_of(const Reply& reply);
// Of a failure that is not sent again. Requires: not kCancelled (that is no outcome: the attempt is
// made again).
[[nodiscard]] Outcome outcome_of(const Failure& failure);

}  // namespace fathom
