// One way to attend, as a request carries it: the arm of a paired comparison (spec A1).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "attention/selector_options.h"
#include "base/span.h"

namespace fathom {

struct AttentionArm {
  std::string name;  // "full", "oracle", "quest-256"
  SelectorOptions options = {};
  // The context is what all arms of a sample share: bytes of the prompt up to its end.
  size_t context_end = 0;
  std::vector<TokenSpan> evidence = {};  // of the prompt; without distractors
};

}  // namespace fathom
