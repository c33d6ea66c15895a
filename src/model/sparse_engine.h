// A second context of a GGUF model, for arms: full attention in plain steps, so that what a
// selector leaves out can be masked exactly, and a context that is computed once and forked for
// each arm.
//
// All arms of a sample compute the same tokens in the same steps; only masks differ.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "attention/selection_log.h"
#include "base/result.h"
#include "model/attention_hook.h"
#include "model/llama_engine.h"
#include "model/thread_pool.h"

namespace fathom {

struct SparseEngineOptions {
  int64_t window_tokens = 0;
  int threads = 1;
  bool exact_cache = false;  // keys and values in f32 instead of f16, for proofs
};

// Thread-compatible; one at a time beside its LlamaEngine, which must outlive it.
class SparseEngine {
 public:
  static constexpr int kStepTokens = 128;  // products take heads · step · window · 4 bytes
  // Errors (kSetup): no memory for the window; a model whose attention cannot be masked here, with
  // the reason.
  [[nodiscard]] static Result<std::unique_ptr<SparseEngine>> create(
      llama_model* model, const SparseEngineOptions& options, std::function<bool()> cancelled);
  ~SparseEngine();
  SparseEngine(const SparseEngine&) = delete;
  SparseEngine& operator=(const SparseEngine&) = delete;

  struct Prompt {
    std::span<const int32_t> tokens;
    int64_t context = 0;  // tokens that all arms share; 0 < context < tokens.size()
    std::span<const TokenSpan> evidence = {};
    // Of full attention: filled until finish(), from the arm's `observed` queries of the context
    // on.
    AttentionRecording* recording = nullptr;
  };
  // Computes the prompt under the arm: its context in a sequence that is kept for the next arm, the
  // rest in a fork. `log`, with its sample's id, receives every masked selection until finish().
  // `progress` as in LlamaEngine::prefill(). Everything referred to outlives finish(). Errors
  // (kUsage): make_selector()'s; (kSetup): a recording of a model whose attention it cannot hold.
  [[nodiscard]] Result<Prefill> start(const SelectorOptions& arm, const Prompt& prompt,
                                      SelectionLog& log,
                                      const std::function<void(int64_t)>& progress);
  [[nodiscard]] DecodeStatus append(int32_t token);
  [[nodiscard]] std::span<const float> logits() const;
  // Ends the arm. Error (kInternal): the mask did not act, in words (A3); a result made with it
  // must not be used.
  [[nodiscard]] Result<void> finish();

  [[nodiscard]] int64_t window_tokens() const { return window_; }
  [[nodiscard]] const AttentionShape& shape() const { return *hook_->shape(); }
  [[nodiscard]] int layers() const { return layers_; }
  // Keys and values of one position in one layer, bytes.
  [[nodiscard]] int64_t pair_bytes() const { return pair_bytes_; }

  // For proofs: full attention, with positions of the context forgotten instead of masked.
  [[nodiscard]] Prefill start_without(const Prompt& prompt, std::span<const TokenSpan> dropped);

 private:
  SparseEngine() = default;
  [[nodiscard]] Result<void> choose_selector(const SelectorOptions& arm, const Prompt& prompt);
  [[nodiscard]] DecodeStatus decode(std::span<const int32_t> tokens, int64_t position,
                                    int sequence);
  [[nodiscard]] Prefill decode_steps(std::span<const int32_t> tokens, int64_t begin, int64_t end,
                                     int sequence, const std::function<void(int64_t)>& progress);
  [[nodiscard]] Prefill prepare_context(const Prompt& prompt,
                                        const std::function<void(int64_t)>& progress);
  void fork(int64_t upto);

  std::unique_ptr<ThreadPool> threads_;
  llama_context* context_ = nullptr;
  std::unique_ptr<AttentionHook> hook_;
  std::unique_ptr<Selector> selector_;
  SelectorOptions arm_options_;
  std::function<bool()> cancelled_;
  std::vector<int32_t> shared_;  // tokens of the context that sequence 0 holds
  int64_t next_ = 0;             // position of the next token of the fork
  int64_t window_ = 0;
  int64_t pair_bytes_ = 0;
  int layers_ = 0;
};

}  // namespace fathom
