// A selector tried on a recording, without the model (spec A8).
#pragma once

#include "attention/arm.h"
#include "attention/recording.h"
#include "attention/selection_log.h"

namespace fathom {

// What the arm would have read, query by query, had every earlier step been read in full: keys and
// queries are those of full attention, so that a choice changes no later one but through the
// selector's own memory. Candidates have their attention from the prompt's last query on. Ordered
// as SelectionLog says. Products are summed in double over f16 keys, where an engine may round
// queries, too: scores that are all but equal may change places.
// Errors (kUsage): make_selector()'s; a selector or scope that needs queries before the recorded
// ones, by name. O(layers · queries · what the selector takes).
[[nodiscard]] Result<SelectionLog> replay(const AttentionRecording& recording,
                                          const AttentionArm& arm);

// Position of the first query that an arm of this scope masks.
[[nodiscard]] int64_t first_masked_of(SelectorScope scope, int64_t context_tokens,
                                      int64_t prompt_tokens);

}  // namespace fathom
