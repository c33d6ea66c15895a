// A selector says, for each query of each layer, which blocks of the context it may read (spec A2).
// The same object works inside an engine's hook, on a recording, and in tests.
//
//   TRY(auto selector, make_selector(options, shape, layers));
//   selector->begin(context);
//   selector->observe(keys, query);                    // every query that is not masked, in order
//   const Selection kept = selector->select(keys, query);  // a masked one
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "attention/attention_view.h"
#include "attention/selection.h"
#include "attention/selector_options.h"
#include "base/result.h"
#include "base/span.h"

namespace fathom {

// What a selector may know of the sample at hand. Views: owned by the caller, valid until the next
// begin().
struct SelectorContext {
  std::string sample_id = {};                // seeds random choices, with the seed and the layer
  std::span<const int32_t> tokens = {};      // of the prompt
  TokenSpan question = {};                   // in `tokens`: what BM25 searches with; cut to them
  std::span<const TokenSpan> evidence = {};  // for the evidence oracles; distractors are not among
                                             // them
  int64_t first_masked = 0;  // position of the first query that select() is asked for
  // From this query on select() names its candidates.
  int64_t weigh_from = std::numeric_limits<int64_t>::max();
};

// Thread-compatible: one sample at a time; queries of one layer in the order of their positions.
// Keys may grow between calls and never change.
class Selector {
 public:
  virtual ~Selector() = default;
  // Forgets the sample before.
  virtual void begin(const SelectorContext& context) = 0;
  // From this position on observe() wants the queries before `first_masked`; what lies before can
  // be computed without anyone looking. `first_masked`: it wants none.
  [[nodiscard]] virtual int64_t observes_from() const = 0;
  // A query that reads everything (prefill): what it looked at may count later.
  virtual void observe(const KeyView& keys, const QueryView& query) = 0;
  [[nodiscard]] virtual Selection select(const KeyView& keys, const QueryView& query) = 0;
  // Logits of the views are read; where they are empty they are computed from the keys, with
  // 1/sqrt(head_size) as the scale.
  [[nodiscard]] virtual bool needs_logits() const = 0;
  // What one select() of a layer reads of the cache to decide, in key-value pairs of one kv head,
  // summed over kv heads: a bound by least and greatest key counts 1 a block, a mean 1/2, a key
  // 1/2. 0 for H2O and TOVA: they go by weights that reading the kept keys yields anyway, and what
  // they dropped is not there to be read; TOVA's first choice, over all keys, is not counted.
  [[nodiscard]] virtual double pairs_read_to_select(int64_t visible) const = 0;
};

// Errors (kUsage): options that no selector could serve; the message names the option.
[[nodiscard]] Result<std::unique_ptr<Selector>> make_selector(const SelectorOptions& options,
                                                              const AttentionShape& shape,
                                                              int layers);

}  // namespace fathom
