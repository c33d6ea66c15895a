#include "attention/recorder.h"

#include <algorithm>

#include "base/half.h"

namespace fathom {
namespace {

class Recorder final : public Selector {
 public:
  Recorder(const AttentionShape& shape, int layers, int64_t observed, AttentionRecording& into)
      : shape_(shape), layers_(layers), observed_(observed), into_(into) {}

  void begin(const SelectorContext& context) override {
    into_ = {.sample_id = context.sample_id, .shape = shape_};
    into_.tokens.assign(context.tokens.begin(), context.tokens.end());
    into_.context_tokens = static_cast<int64_t>(context.question.begin);
    into_.evidence.assign(context.evidence.begin(), context.evidence.end());
    into_.first_query = std::max<int64_t>(0, into_.context_tokens - observed_);
    into_.layers.resize(static_cast<size_t>(layers_));
  }
  [[nodiscard]] int64_t observes_from() const override { return into_.first_query; }
  void observe(const KeyView& keys, const QueryView& query) override {
    if (query.position < into_.first_query) return;
    LayerRecording& layer = into_.layers[static_cast<size_t>(query.layer)];
    add_keys(keys, layer);
    layer.first.push_back(static_cast<int32_t>(query.first));
    layer.queries.insert(layer.queries.end(), query.query.begin(), query.query.end());
  }
  [[nodiscard]] Selection select(const KeyView& keys, const QueryView& query) override {
    observe(keys, query);
    return {.sets = {}, .everything = true};
  }
  [[nodiscard]] bool needs_logits() const override { return false; }
  [[nodiscard]] double pairs_read_to_select(int64_t) const override { return 0; }

 private:
  void add_keys(const KeyView& keys, LayerRecording& layer) const {
    const int64_t size = shape_.head_size;
    const int64_t known = static_cast<int64_t>(layer.keys.size()) / (shape_.kv_heads * size);
    for (int64_t j = known; j < keys.positions; ++j)
      for (int64_t g = 0; g < shape_.kv_heads; ++g) {
        const float* key = keys.data + (g * keys.stride + j) * size;
        for (int64_t i = 0; i < size; ++i) layer.keys.push_back(half_of(key[i]));
      }
  }

  AttentionShape shape_;
  int layers_;
  int64_t observed_;
  AttentionRecording& into_;
};

}  // namespace

std::unique_ptr<Selector> make_recorder(const AttentionShape& shape, int layers, int64_t observed,
                                        AttentionRecording& into) {
  return std::make_unique<Recorder>(shape, layers, observed, into);
}

}  // namespace fathom
