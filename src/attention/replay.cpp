#include "attention/replay.h"

#include <algorithm>
#include <utility>

#include "attention/attention_weights.h"
#include "attention/selector.h"
#include "base/half.h"

namespace fathom {
namespace {

// One layer's keys as selectors want them: [kv head][position][head_size], f32.
std::vector<float> keys_of(const AttentionRecording& recording, size_t layer) {
  const std::vector<uint16_t>& from = recording.layers[layer].keys;
  const int64_t positions = recording.positions();
  const int64_t size = recording.shape.head_size;
  std::vector<float> keys(from.size());
  size_t next = 0;
  for (int64_t j = 0; j < positions; ++j)
    for (int64_t g = 0; g < recording.shape.kv_heads; ++g)
      for (int64_t i = 0; i < size; ++i)
        keys[static_cast<size_t>((g * positions + j) * size + i)] = float_of_half(from[next++]);
  return keys;
}

std::vector<float> logits_of(const AttentionRecording& recording, const KeyView& keys,
                             const QueryView& query) {
  std::vector<float> logits = products_of(recording.shape, keys, query, 1);
  for (float& each : logits) each = recording.logit.of(each);
  return logits;
}

class Replay {
 public:
  Replay(const AttentionRecording& recording, const AttentionArm& arm, Selector& selector,
         const SelectorContext& told, SelectionLog& log)
      : recording_(recording), arm_(arm), selector_(selector), told_(told), log_(log) {}

  void layer(int number) {
    const std::vector<float> keys = keys_of(recording_, static_cast<size_t>(number));
    const int64_t from =
        std::max(recording_.first_query, std::min(told_.first_masked, selector_.observes_from()));
    for (int64_t position = from; position < recording_.positions(); ++position)
      query(number, position, {keys.data(), position + 1, recording_.positions()});
  }

 private:
  void query(int layer, int64_t position, const KeyView& keys) {
    const LayerRecording& own = recording_.layers[static_cast<size_t>(layer)];
    const auto number = static_cast<size_t>(position - recording_.first_query);
    const auto width = static_cast<size_t>(recording_.shape.query_heads) *
                       static_cast<size_t>(recording_.shape.head_size);
    QueryView view{.layer = layer,
                   .position = position,
                   .first = own.first[number],
                   .query = std::span(own.queries).subspan(number * width, width)};
    const bool masked = position >= told_.first_masked;
    const bool dense =
        is_dense(arm_.options, layer) || (view.first > 0 && !arm_.options.sliding_layers);
    if (masked && dense) return add(view, nullptr);
    std::vector<float> logits;
    if (selector_.needs_logits() || position >= told_.weigh_from) {
      logits = logits_of(recording_, keys, view);
      view.logits = logits;
    }
    if (!masked) return selector_.observe(keys, view);
    Selection selection = selector_.select(keys, view);
    if (!selection.candidates.empty())
      weigh(selection.candidates, attention_weights(recording_.shape, keys, view),
            recording_.shape.query_heads, grid_of(view, arm_.options.block));
    add(view, &selection);
  }

  void add(const QueryView& view, const Selection* selection) {
    LoggedSelection& entry = log_.selections.emplace_back(logged(
        view.layer, view.position, view.first, selection, recording_.shape, arm_.options.block));
    if (selection != nullptr && !entry.everything)
      entry.pairs_to_select = selector_.pairs_read_to_select(view.position - view.first + 1);
  }

  const AttentionRecording& recording_;
  const AttentionArm& arm_;
  Selector& selector_;
  const SelectorContext& told_;
  SelectionLog& log_;
};

Result<void> check_queries(const AttentionRecording& recording, const AttentionArm& arm,
                           const Selector& selector, int64_t first_masked) {
  const int64_t needed = std::min(first_masked, selector.observes_from());
  if (needed >= recording.first_query) return {};
  return fail(ErrorCode::kUsage,
              "{} needs the queries from position {} on, and {} has those from {} on; run it as an "
              "arm of the model, or record with a larger --observed",
              arm.name, needed, recording.sample_id, recording.first_query);
}

}  // namespace

int64_t first_masked_of(SelectorScope scope, int64_t context_tokens, int64_t prompt_tokens) {
  if (scope == SelectorScope::kDecode) return prompt_tokens;
  return scope == SelectorScope::kQuestionDecode ? context_tokens : 0;
}

Result<SelectionLog> replay(const AttentionRecording& recording, const AttentionArm& arm) {
  const auto layers = static_cast<int>(recording.layers.size());
  const auto prompt = static_cast<int64_t>(recording.tokens.size());
  TRY_CONTEXT(const auto selector, make_selector(arm.options, recording.shape, layers),
              "arm " + arm.name);
  const SelectorContext told{
      .sample_id = recording.sample_id,
      .tokens = recording.tokens,
      .question = {static_cast<uint64_t>(recording.context_tokens), static_cast<uint64_t>(prompt)},
      .evidence = recording.evidence,
      .first_masked = first_masked_of(arm.options.scope, recording.context_tokens, prompt),
      .weigh_from = prompt - 1};
  selector->begin(told);
  TRY_VOID(check_queries(recording, arm, *selector, told.first_masked));
  SelectionLog log{.sample_id = recording.sample_id,
                   .arm = arm.name,
                   .shape = recording.shape,
                   .layers = layers,
                   .block = arm.options.block,
                   .context_tokens = recording.context_tokens,
                   .prompt_tokens = prompt};
  Replay run(recording, arm, *selector, told, log);
  for (int layer = 0; layer < layers; ++layer) run.layer(layer);
  std::ranges::stable_sort(log.selections, [](const LoggedSelection& a, const LoggedSelection& b) {
    return std::pair(a.position, a.layer) < std::pair(b.position, b.layer);
  });
  return log;
}

}  // namespace fathom
