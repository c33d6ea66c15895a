// What an arm read of one sample: the blocks that each masked query of each layer kept.
// File form: selection_log_file.h, docs/formats/selection-log.md.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "attention/attention_view.h"
#include "attention/selection.h"

namespace fathom {

// One masked query of one layer.
struct LoggedSelection {
  int layer = 0;
  int64_t position = 0;  // of the query
  int64_t first = 0;     // first visible position
  bool dense = false;    // a layer that the arm leaves alone
  bool everything = false;
  BlockSet blocks = {};   // read by at least one head; empty where everything is
  double pairs = 0;       // key-value pairs read, summed over kv heads
  double pairs_full = 0;  // those that full attention reads
  double pairs_to_select = 0;
  std::vector<BlockCandidate> candidates = {};  // ascending; empty: not recorded
  bool operator==(const LoggedSelection&) const = default;
};

struct SelectionLog {
  std::string sample_id;
  std::string arm;
  AttentionShape shape = {};
  int layers = 0;
  int64_t block = 1;
  int64_t context_tokens = 0;
  int64_t prompt_tokens = 0;
  std::vector<LoggedSelection> selections = {};  // by position, then layer
  bool operator==(const SelectionLog&) const = default;
};

// Of one query: the union over heads, and for each kv head the union over its group, in pairs.
// `first`: of the query's visible range. `selection` null: a dense layer.
[[nodiscard]] LoggedSelection logged(int layer, int64_t position, int64_t first,
                                     const Selection* selection, const AttentionShape& shape,
                                     int64_t block);

}  // namespace fathom
