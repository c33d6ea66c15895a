// Sees every attention of a computation of llama.cpp and masks what a selector leaves out, exactly,
// per layer and head: -infinity is written into the products that soft-max is about to read.
//
// It hangs on a context's evaluation callback (cb_eval; flash attention must be off). While no arm
// is started it answers "no" to every question, and the graph runs as it would without it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "attention/recording.h"
#include "attention/selector.h"
#include "attention/selector_options.h"

struct ggml_tensor;

namespace fathom {

// One query of one layer while an arm is on.
struct MaskedQuery {
  int layer = 0;
  int64_t position = 0;
  int64_t first = 0;                     // first visible position
  bool dense = false;                    // a layer that the arm leaves alone
  const Selection* selection = nullptr;  // null where dense; lives during the call
};

// Thread-compatible; called on the thread that decodes.
class AttentionHook {
 public:
  using Sink = std::function<void(const MaskedQuery&)>;

  // `layers`: of the model; `window`: positions a sequence may have.
  AttentionHook(int layers, int64_t window);

  // llama_context_params::cb_eval, with the hook as its user data. True always where `ask` is false
  // (false would end the computation halfway and unnoticed).
  static bool on_node(ggml_tensor* node, bool ask, void* hook);

  // Positions of the next computation: one step, so one graph, of a single sequence.
  void next_batch(int64_t first_position, int64_t count);
  // Learnt from the first computation; none before. All layers have the same one, see trouble().
  [[nodiscard]] const std::optional<AttentionShape>& shape() const { return shape_; }

  // How products become what soft-max reads; none where more than a scale and a soft-cap lies
  // between.
  [[nodiscard]] const std::optional<LogitRule>& logit_rule() const { return logit_rule_; }

  // Queries from `first_masked` on are masked as the selector says, those before and from
  // Selector::observes_from() on are shown to it. Candidates that the selector names get the
  // attention mass that they would have unmasked. Everything is the caller's and must outlive
  // stop(). The selector has begun its sample with `context`.
  void start(Selector& selector, const SelectorOptions& options, const SelectorContext& context,
             Sink sink);
  void stop();
  // What was computed so far is the context that arms share.
  void keep_shared();
  // The next computation starts from the shared context's positions before `position`.
  void fork(int64_t position);

  // Weights of masked positions that soft-max gave in the checked computation (the first masked one
  // of every arm): A3. 0, or the mask did not act. `checked_rows`: 0 where nothing was masked.
  [[nodiscard]] double masked_mass() const { return masked_mass_; }
  [[nodiscard]] int64_t checked_rows() const { return checked_rows_; }
  // Why masks cannot be trusted with this model; empty: nothing seen.
  [[nodiscard]] const std::string& trouble() const { return trouble_; }

 private:
  struct Layer {
    std::vector<int32_t> cell;         // of each position
    std::vector<int32_t> shared_cell;  // of the shared context's
    std::vector<float> keys;           // [kv head][window][head_size]
    int64_t mirrored = 0;              // positions whose keys are there
  };
  struct Dropped {  // what was masked in the checked computation
    int layer = 0;
    int64_t row = 0;  // of the batch
    int head = 0;
    std::vector<int32_t> cells;
  };

  bool asked(ggml_tensor* node);
  void note_cells(const ggml_tensor* rows);
  void learn(const ggml_tensor* soft_max);
  void attend(ggml_tensor* soft_max);
  void attend_query(ggml_tensor* products, const ggml_tensor* mask, const ggml_tensor* queries,
                    float scale, int layer, int64_t row);
  void mask_rows(ggml_tensor* products, const Selection& selection, const QueryView& view,
                 int64_t row);
  void check_mass(const ggml_tensor* soft_max);
  void mirror_keys(Layer& layer, const ggml_tensor* keys, int64_t upto) const;
  [[nodiscard]] bool concerned() const;
  void complain(std::string what);

  int64_t window_;
  std::optional<AttentionShape> shape_;
  std::optional<LogitRule> logit_rule_;
  std::vector<Layer> layers_;
  int64_t batch_first_ = 0;
  int64_t batch_count_ = 0;
  int64_t changed_from_ = 0;  // positions computed since the last fork: from here on

  Selector* selector_ = nullptr;  // null: no arm
  const SelectorOptions* options_ = nullptr;
  int64_t first_masked_ = 0;
  int64_t weigh_from_ = 0;
  Sink sink_;
  bool checking_ = false;  // the next masked computation is checked
  std::vector<Dropped> dropped_;
  double masked_mass_ = 0;
  int64_t checked_rows_ = 0;
  std::string trouble_;
};

}  // namespace fathom
