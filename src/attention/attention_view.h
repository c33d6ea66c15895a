// What attention looks like to a selector: one layer's keys and one query, by token position.
// Whoever owns a model (a hook inside an engine, a recording, a test) fills these views; nothing
// here knows cache cells, strides of tensors or number formats.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace fathom {

// Grouped-query attention: query head h reads key-value head h / (query_heads / kv_heads).
struct AttentionShape {
  int query_heads = 0;
  int kv_heads = 0;  // divides query_heads
  int head_size = 0;
  [[nodiscard]] int group() const { return query_heads / kv_heads; }
  bool operator==(const AttentionShape&) const = default;
};

// Keys as the cache holds them (after RoPE), f32: key of (kv head g, position j) at
// data[(g * stride + j) * head_size]. Owned by whoever made the view.
struct KeyView {
  const float* data = nullptr;
  int64_t positions = 0;  // keys per head
  int64_t stride = 0;     // positions that a head's storage has room for; >= positions
};

// One query of one layer with what it may look at: positions first..position, its own included.
struct QueryView {
  int layer = 0;
  int64_t position = 0;
  int64_t first = 0;  // > 0 in a sliding-window layer
  // [query_heads][head_size], after RoPE.
  std::span<const float> query = {};
  // What soft-max reads (scaled, soft-capped): logit of (query head h, position j) at
  // logits[h * (position + 1) + j]; those before `first` are not defined. Empty: not computed.
  std::span<const float> logits = {};
};

}  // namespace fathom
