// What a query looks at: soft-max over its logits.
#pragma once

#include <vector>

#include "attention/attention_view.h"
#include "attention/block_grid.h"
#include "attention/selection.h"

namespace fathom {

// [query_heads][position + 1]; 0 before `first`. Summed in double.
struct AttentionWeights {
  int64_t positions = 0;
  std::vector<float> values = {};

  [[nodiscard]] std::span<const float> head(int h) const {
    return std::span(values).subspan(static_cast<size_t>(h * positions),
                                     static_cast<size_t>(positions));
  }
};

// Of the view's logits, or where it has none of q·k / sqrt(head_size). O(heads · positions), with
// head_size times that where logits are missing.
[[nodiscard]] AttentionWeights attention_weights(const AttentionShape& shape, const KeyView& keys,
                                                 const QueryView& query);

// Puts the attention on each candidate's block, mean over heads, into it.
void weigh(std::span<BlockCandidate> candidates, const AttentionWeights& weights, int heads,
           const BlockGrid& grid);

// factor · q·k of every visible position, as QueryView::logits holds them; summed in double.
[[nodiscard]] std::vector<float> products_of(const AttentionShape& shape, const KeyView& keys,
                                             const QueryView& query, double factor);
// q·k / sqrt(head_size) of every visible position, as QueryView::logits holds them.
[[nodiscard]] std::vector<float> scaled_products(const AttentionShape& shape, const KeyView& keys,
                                                 const QueryView& query);

}  // namespace fathom
