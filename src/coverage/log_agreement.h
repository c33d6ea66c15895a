// Whether two logs of one context read the same of it: two wordings of a question, two seeds, two
// engines, two arms (spec A4, "Jaccard across prompt variants").
#pragma once

#include <vector>

#include "attention/selection_log.h"
#include "base/span.h"

namespace fathom {

// Where the shared text stands in a log's prompt; texts around it may differ in length.
struct LoggedContext {
  const SelectionLog* log = nullptr;  // owned by the caller
  TokenSpan context;
};

struct LayerAgreement {
  int layer = 0;
  int64_t steps = 0;  // that both logs have of it
  double jaccard = 0;
  bool operator==(const LayerAgreement&) const = default;
};

// Of layers that both mask, in the steps that write the answer (from the one that writes its first
// token on; questions of other wordings have no steps in common): the positions of the context that
// both read over those that either reads, counted from the context's start, mean over steps. 1
// where neither reads any. Where the spans differ in length, the shorter one. O(steps · layers ·
// blocks).
[[nodiscard]] std::vector<LayerAgreement> log_agreement(const LoggedContext& a,
                                                        const LoggedContext& b);

}  // namespace fathom
