// Exact length: finds how much context makes a prompt of exactly so many tokens (G1).
//
// Method: probe the cost of a unit → build about the right size and count it once → add or drop
// units by their own counts → close the rest with closers whose counts sum to it → encode the whole
// prompt (needed for token spans) → where the sum was off, repeat with the difference. Usually one
// count and one encoding of the whole prompt (docs/design/length-fitting.md).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "suite/prompt.h"
#include "suite/suite.h"
#include "task/context.h"
#include "tokenizer/tokenizer.h"

namespace fathom {

struct FitRequest {
  const Tokenizer& tokenizer;
  const PromptFrame& frame;
  const GrowingContext& context;
  EncodeOptions encode;
  LengthCounts counts = LengthCounts::kPromptAndReserve;
  int64_t length = 0;
  int64_t reserve = 0;
};

struct Fit {
  ContextSize size;
  BuiltContext context;
  std::string text;              // head + context + tail + answer prefix
  std::vector<ByteSpan> tokens;  // byte span in `text` of each token, special ones included
  int64_t prompt_tokens = 0;     // == tokens.size()
  int64_t context_tokens = 0;    // that start inside the context
  int64_t total = 0;             // what the length counts
  int encodes = 0;               // times that the whole prompt was counted or encoded
};

// total == length, or misses it by one where no combination of closers gives the length. Errors:
// kInput where the length cannot hold the task (the message names the smallest that can, found by
// counting), where there is not enough text, or where no text within one token of the length was
// found. Ends after a fixed number of encodings.
[[nodiscard]] Result<Fit> fit_length(const FitRequest& request);

// The prompt around a context that is what it is, counted and encoded: of a control, which has no
// length to be fitted to. `request.length` is not read.
[[nodiscard]] Fit count_context(const FitRequest& request, BuiltContext context);

// The places of `costs` whose sum is `total`, fewest first, each used once; empty where there are
// none and total != 0. O(costs × total).
[[nodiscard]] std::vector<size_t> closers_that_sum(const std::vector<int64_t>& costs,
                                                   int64_t total);

}  // namespace fathom
