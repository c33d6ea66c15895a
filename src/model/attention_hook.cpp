#include "model/attention_hook.h"

#include <ggml-backend.h>
#include <ggml.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <string_view>
#include <utility>

#include "attention/attention_weights.h"

namespace fathom {
namespace {

constexpr std::string_view kKeyCache = "cache_k_l";

// "kq_soft_max-12": 12; -1 where there is no number.
int layer_in(std::string_view name, size_t from) {
  int layer = -1;
  std::from_chars(name.data() + from, name.data() + name.size(), layer);
  return layer;
}

// The products of queries and keys on their way into soft-max (kq-0, kq_scaled_2-0 …): a boundary
// at each, so that at soft-max they are all computed and soft-max itself is not.
bool is_products(std::string_view name) {
  return name.starts_with("kq") && !name.starts_with("kqv") && !name.starts_with("kq_soft_max") &&
         !name.starts_with("kq_mask");
}

float* row_of(const ggml_tensor* tensor, int64_t row, int64_t head) {
  return reinterpret_cast<float*>(static_cast<char*>(tensor->data) + row * tensor->nb[1] +
                                  head * tensor->nb[2]);
}

// The product of keys and queries behind what soft-max reads (a soft-cap, a scale, a bias may lie
// between).
const ggml_tensor* product_behind(const ggml_tensor* tensor) {
  while (tensor != nullptr && tensor->op != GGML_OP_MUL_MAT) tensor = tensor->src[0];
  return tensor;
}

// One factor of a scaling node; none where it adds something, too.
std::optional<float> factor_of(const ggml_tensor* scaling) {
  float parts[2] = {1, 0};
  std::memcpy(parts, scaling->op_params, sizeof parts);
  if (parts[1] != 0) return std::nullopt;
  return parts[0];
}

// Read backwards from soft-max to the product: its own scale, scales, at most one tanh.
std::optional<LogitRule> rule_behind(const ggml_tensor* soft_max) {
  LogitRule rule;
  const std::optional<float> own = factor_of(soft_max);  // its second parameter: a bias by position
  if (!own || soft_max->src[2] != nullptr) return std::nullopt;
  rule.after = *own;
  for (const ggml_tensor* node = soft_max->src[0]; node->op != GGML_OP_MUL_MAT;
       node = node->src[0]) {
    if (node->src[0] == nullptr) return std::nullopt;
    if (node->op == GGML_OP_SCALE) {
      const std::optional<float> factor = factor_of(node);
      if (!factor) return std::nullopt;
      (rule.capped ? rule.before : rule.after) *= *factor;
    } else if (node->op == GGML_OP_UNARY && ggml_get_unary_op(node) == GGML_UNARY_OP_TANH &&
               !rule.capped) {
      rule.capped = true;
    } else {
      return std::nullopt;
    }
  }
  return rule;
}

float key_value(const ggml_tensor* keys, const char* at) {
  if (keys->type == GGML_TYPE_F32) {
    float value = 0;
    std::memcpy(&value, at, sizeof value);
    return value;
  }
  ggml_fp16_t half = 0;
  std::memcpy(&half, at, sizeof half);
  return ggml_fp16_to_fp32(half);
}

}  // namespace

AttentionHook::AttentionHook(int layers, int64_t window)
    : window_(window), layers_(static_cast<size_t>(layers)) {
  for (Layer& layer : layers_) layer.cell.assign(static_cast<size_t>(window), -1);
}

bool AttentionHook::on_node(ggml_tensor* node, bool ask, void* hook) {
  auto* self = static_cast<AttentionHook*>(hook);
  if (ask) return self->asked(node);
  if (node->op == GGML_OP_SOFT_MAX) self->check_mass(node);
  return true;
}

bool AttentionHook::asked(ggml_tensor* node) {
  const std::string_view name = node->name;
  if (node->op == GGML_OP_SET_ROWS && name.starts_with(kKeyCache)) note_cells(node);
  if (node->op != GGML_OP_SOFT_MAX) return concerned() && is_products(name);
  if (!name.starts_with("kq_soft_max-")) return false;
  if (!shape_) learn(node);
  if (!concerned() || !trouble_.empty()) return false;
  attend(node);
  return !dropped_.empty();
}

// Where llama.cpp puts the keys of this computation's tokens: a cell need not be its position.
void AttentionHook::note_cells(const ggml_tensor* rows) {
  const int layer = layer_in(rows->name, kKeyCache.size());
  const ggml_tensor* cells = rows->src[1];
  if (layer < 0 || layer >= static_cast<int>(layers_.size()) || cells == nullptr ||
      cells->type != GGML_TYPE_I64 || cells->ne[0] != batch_count_)
    return complain(std::string("the cells of ") + rows->name + " cannot be read");
  const auto* numbers = static_cast<const int64_t*>(cells->data);
  for (int64_t i = 0; i < batch_count_; ++i)
    layers_[static_cast<size_t>(layer)].cell[static_cast<size_t>(batch_first_ + i)] =
        static_cast<int32_t>(numbers[i]);
}

void AttentionHook::learn(const ggml_tensor* soft_max) {
  const ggml_tensor* product = product_behind(soft_max->src[0]);
  if (product == nullptr || product->src[0] == nullptr || product->src[1] == nullptr)
    return complain(std::string(soft_max->name) + " does not read products of keys and queries");
  const ggml_tensor* keys = product->src[0];
  const bool readable = keys->type == GGML_TYPE_F32 || keys->type == GGML_TYPE_F16;
  if (!readable || product->src[1]->type != GGML_TYPE_F32 || soft_max->ne[3] != 1)
    return complain(std::string(soft_max->name) + " has keys of a kind that cannot be read");
  shape_ = AttentionShape{.query_heads = static_cast<int>(product->ne[2]),
                          .kv_heads = static_cast<int>(keys->ne[2]),
                          .head_size = static_cast<int>(keys->ne[0])};
  logit_rule_ = rule_behind(soft_max);
}

void AttentionHook::next_batch(int64_t first_position, int64_t count) {
  batch_first_ = first_position;
  batch_count_ = count;
  changed_from_ = std::min(changed_from_, first_position);
  if (checked_rows_ > 0) checking_ = false;  // one computation is enough
}

void AttentionHook::start(Selector& selector, const SelectorOptions& options,
                          const SelectorContext& context, Sink sink) {
  selector_ = &selector;
  options_ = &options;
  first_masked_ = context.first_masked;
  weigh_from_ = context.weigh_from;
  sink_ = std::move(sink);
  checking_ = true;
  dropped_.clear();
  masked_mass_ = 0;
  checked_rows_ = 0;
}

void AttentionHook::stop() {
  selector_ = nullptr;
  options_ = nullptr;
  sink_ = nullptr;
}

void AttentionHook::keep_shared() {
  for (Layer& layer : layers_) layer.shared_cell = layer.cell;
}

void AttentionHook::fork(int64_t position) {
  for (Layer& layer : layers_) {
    // A fork that computed part of the context again had it in other cells.
    std::copy_n(layer.shared_cell.begin(), std::min<size_t>(layer.shared_cell.size(), position),
                layer.cell.begin());
    layer.mirrored = std::min({layer.mirrored, position, changed_from_});
  }
  changed_from_ = position;
}

bool AttentionHook::concerned() const {
  return selector_ != nullptr &&
         batch_first_ + batch_count_ > std::min(first_masked_, selector_->observes_from());
}

void AttentionHook::complain(std::string what) {
  if (trouble_.empty()) trouble_ = std::move(what);
}

void AttentionHook::mirror_keys(Layer& layer, const ggml_tensor* keys, int64_t upto) const {
  const int64_t size = shape_->head_size;
  layer.keys.resize(static_cast<size_t>(shape_->kv_heads * window_ * size));
  for (int64_t j = layer.mirrored; j < upto; ++j) {
    for (int64_t g = 0; g < shape_->kv_heads; ++g) {
      const char* from = static_cast<const char*>(keys->data) +
                         layer.cell[static_cast<size_t>(j)] * keys->nb[1] + g * keys->nb[2];
      float* to = layer.keys.data() + (g * window_ + j) * size;
      for (int64_t i = 0; i < size; ++i) to[i] = key_value(keys, from + i * keys->nb[0]);
    }
  }
  layer.mirrored = std::max(layer.mirrored, upto);
}

// At the question about soft-max: what it reads is computed, it is not.
void AttentionHook::attend(ggml_tensor* soft_max) {
  const int layer = layer_in(soft_max->name, std::string_view(soft_max->name).rfind('-') + 1);
  ggml_tensor* products = soft_max->src[0];
  const ggml_tensor* mask = soft_max->src[1];
  const ggml_tensor* product = product_behind(products);
  dropped_.clear();
  const bool host = products->buffer == nullptr || ggml_backend_buffer_is_host(products->buffer);
  const bool same = product != nullptr && shape_->query_heads == product->ne[2] &&
                    shape_->kv_heads == product->src[0]->ne[2] &&
                    shape_->head_size == product->src[0]->ne[0];
  if (!host || !same || mask == nullptr || mask->type != GGML_TYPE_F32 || layer < 0 ||
      layer >= static_cast<int>(layers_.size()) || products->ne[1] != batch_count_)
    return complain(std::string(soft_max->name) +
                    (host ? " has another shape than the layers before it"
                          : " is not in this machine's memory; sparse arms run on the processor"));
  float scale = 1;
  std::memcpy(&scale, soft_max->op_params, sizeof scale);
  // Keys of this step are about to be seen: the mirror holds those of an earlier use of the place.
  Layer& own = layers_[static_cast<size_t>(layer)];
  own.mirrored = std::min(own.mirrored, batch_first_);
  mirror_keys(own, product->src[0], batch_first_ + batch_count_);
  for (int64_t row = 0; row < batch_count_; ++row)
    attend_query(products, mask, product->src[1], scale, layer, row);
}

void AttentionHook::attend_query(ggml_tensor* products, const ggml_tensor* mask,
                                 const ggml_tensor* queries, float scale, int layer, int64_t row) {
  const int64_t position = batch_first_ + row;
  const bool masked = position >= first_masked_;
  if (!masked && position < selector_->observes_from()) return;
  const Layer& own = layers_[static_cast<size_t>(layer)];
  // The visible positions are a range that ends with the query's own.
  const float* seen = row_of(mask, row, 0);
  const auto hidden = [&](int64_t j) {
    return seen[own.cell[static_cast<size_t>(j)]] == -std::numeric_limits<float>::infinity();
  };
  int64_t first = 0;
  for (int64_t end = position; first < end;) {
    const int64_t middle = (first + end) / 2;
    if (hidden(middle)) {
      first = middle + 1;
    } else {
      end = middle;
    }
  }
  const bool dense =
      masked && (is_dense(*options_, layer) || (first > 0 && !options_->sliding_layers));
  if (dense) return sink_({.layer = layer, .position = position, .first = first, .dense = true});

  std::vector<float> query(static_cast<size_t>(shape_->query_heads * shape_->head_size));
  for (int64_t head = 0; head < shape_->query_heads; ++head)
    std::copy_n(row_of(queries, row, head), shape_->head_size,
                query.begin() + head * shape_->head_size);
  std::vector<float> logits;
  if (selector_->needs_logits() || position >= weigh_from_) {
    logits.resize(static_cast<size_t>(shape_->query_heads * (position + 1)));
    for (int64_t head = 0; head < shape_->query_heads; ++head) {
      const float* from = row_of(products, row, head);
      float* to = logits.data() + head * (position + 1);
      for (int64_t j = first; j <= position; ++j)
        to[j] = from[own.cell[static_cast<size_t>(j)]] * scale;
    }
  }
  const KeyView keys{own.keys.data(), position + 1, window_};
  const QueryView view{
      .layer = layer, .position = position, .first = first, .query = query, .logits = logits};
  if (!masked) return selector_->observe(keys, view);
  Selection selection = selector_->select(keys, view);
  if (!selection.candidates.empty())
    weigh(selection.candidates, attention_weights(*shape_, keys, view), shape_->query_heads,
          grid_of(view, options_->block));
  if (!selection.everything) mask_rows(products, selection, view, row);
  sink_({.layer = layer, .position = position, .first = first, .selection = &selection});
}

void AttentionHook::mask_rows(ggml_tensor* products, const Selection& selection,
                              const QueryView& view, int64_t row) {
  const Layer& own = layers_[static_cast<size_t>(view.layer)];
  const auto sets = static_cast<int64_t>(selection.sets.size());
  for (int64_t head = 0; head < shape_->query_heads; ++head) {
    const BlockSet& kept = selection.sets[static_cast<size_t>(head * sets / shape_->query_heads)];
    float* values = row_of(products, row, head);
    Dropped dropped{view.layer, row, static_cast<int>(head), {}};
    for (int64_t j = view.first; j < view.position; ++j) {
      if (kept.contains(j / options_->block)) continue;
      const int32_t cell = own.cell[static_cast<size_t>(j)];
      values[cell] = -std::numeric_limits<float>::infinity();
      if (checking_) dropped.cells.push_back(cell);
    }
    if (!dropped.cells.empty()) dropped_.push_back(std::move(dropped));
  }
}

void AttentionHook::check_mass(const ggml_tensor* soft_max) {
  for (const Dropped& each : dropped_) {
    const float* weights = row_of(soft_max, each.row, each.head);
    for (const int32_t cell : each.cells)
      masked_mass_ = std::max(masked_mass_, std::abs(static_cast<double>(weights[cell])));
    ++checked_rows_;
  }
  dropped_.clear();
}

}  // namespace fathom
