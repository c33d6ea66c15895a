// Full attention that writes down what it saw: keys of every position, and the last queries of the
// context with all that follow (spec A8).
#pragma once

#include <cstdint>
#include <memory>

#include "attention/recording.h"
#include "attention/selector.h"

namespace fathom {

// A selector that keeps everything and fills `into`, which the caller owns, from begin() on:
// sample, shape and keys, and of queries those from `observed` before the end of the context.
// Requires: every layer is masked (no dense ones), so that it is shown all of them.
[[nodiscard]] std::unique_ptr<Selector> make_recorder(const AttentionShape& shape, int layers,
                                                      int64_t observed, AttentionRecording& into);

}  // namespace fathom
