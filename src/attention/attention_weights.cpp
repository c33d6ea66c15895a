#include "attention/attention_weights.h"

#include <algorithm>
#include <cmath>

namespace fathom {

std::vector<float> products_of(const AttentionShape& shape, const KeyView& keys,
                               const QueryView& query, double factor) {
  const int64_t positions = query.position + 1;
  const int64_t size = shape.head_size;
  std::vector<float> logits(static_cast<size_t>(shape.query_heads * positions));
  for (int64_t head = 0; head < shape.query_heads; ++head) {
    const float* q = query.query.data() + head * size;
    const float* rows = keys.data + (head / shape.group()) * keys.stride * size;
    for (int64_t j = query.first; j < positions; ++j) {
      double product = 0;
      for (int64_t i = 0; i < size; ++i) product += static_cast<double>(q[i]) * rows[j * size + i];
      logits[static_cast<size_t>(head * positions + j)] = static_cast<float>(product * factor);
    }
  }
  return logits;
}

std::vector<float> scaled_products(const AttentionShape& shape, const KeyView& keys,
                                   const QueryView& query) {
  return products_of(shape, keys, query, 1 / std::sqrt(static_cast<double>(shape.head_size)));
}

AttentionWeights attention_weights(const AttentionShape& shape, const KeyView& keys,
                                   const QueryView& query) {
  const int64_t positions = query.position + 1;
  AttentionWeights weights{.positions = positions};
  if (query.logits.empty()) {
    weights.values = scaled_products(shape, keys, query);
  } else {
    weights.values.assign(query.logits.begin(), query.logits.end());
  }
  for (int64_t head = 0; head < shape.query_heads; ++head) {
    float* row = weights.values.data() + head * positions;
    std::fill(row, row + query.first, 0.0F);
    const float most = *std::max_element(row + query.first, row + positions);
    double sum = 0;
    for (int64_t j = query.first; j < positions; ++j) {
      row[j] = std::exp(row[j] - most);
      sum += row[j];
    }
    const auto share = static_cast<float>(1 / sum);
    for (int64_t j = query.first; j < positions; ++j) row[j] *= share;
  }
  return weights;
}

void weigh(std::span<BlockCandidate> candidates, const AttentionWeights& weights, int heads,
           const BlockGrid& grid) {
  for (BlockCandidate& each : candidates) {
    double mass = 0;
    for (int head = 0; head < heads; ++head) {
      const std::span<const float> row = weights.head(head);
      for (int64_t j = grid.begin(each.block); j < grid.end(each.block); ++j)
        mass += row[static_cast<size_t>(j)];
    }
    each.mass = mass / heads;
  }
}

}  // namespace fathom
