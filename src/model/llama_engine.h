// One GGUF model with one context of llama.cpp: text to ids, prompts into the KV cache, logits out.
// gguf_model.h puts requests and sampling on top.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

struct llama_context;
struct llama_model;
struct llama_vocab;

namespace fathom {

struct EngineFacts {
  std::string name;  // general.name, else the file's stem
  std::string architecture;
  std::string chat_template;
  std::string bos_text;
  std::string eos_text;
  int64_t trained_window_tokens = 0;
  int64_t weight_bytes = 0;
  int64_t parameters = 0;
  int64_t kv_bytes_per_token =
      0;  // f16 keys and values of all attention layers; 0: not known for this architecture
  bool sliding_window = false;
};

enum class DecodeStatus { kDone, kCancelled, kOutOfMemory, kFailed };

struct Prefill {
  DecodeStatus status = DecodeStatus::kDone;
  int64_t reused_tokens = 0;  // taken from the cache instead of being computed
  std::string detail = {};    // why it failed
};

// Thread-compatible; tokenize() and piece() are thread-safe.
class LlamaEngine {
 public:
  // Loads weights; contexts are made when a prompt needs one. `cancelled` is asked between the
  // operations of every computation. Errors: kIo, kInput (not a GGUF model, truncated, of an
  // unknown architecture), kSetup (no llama.cpp backend).
  [[nodiscard]] static Result<std::unique_ptr<LlamaEngine>> load(const std::string& path,
                                                                 int threads,
                                                                 std::function<bool()> cancelled);
  ~LlamaEngine();
  LlamaEngine(const LlamaEngine&) = delete;
  LlamaEngine& operator=(const LlamaEngine&) = delete;

  [[nodiscard]] const EngineFacts& facts() const { return facts_; }
  // For further contexts of the same weights (sparse_engine.h). Owned by the engine.
  [[nodiscard]] llama_model* model() const { return model_; }
  [[nodiscard]] int threads() const { return threads_; }

  // Ids as llama.cpp makes them; special tokens written in the text become their ids.
  [[nodiscard]] std::vector<int32_t> tokenize(std::string_view text, bool add_special) const;
  [[nodiscard]] std::string piece(
      int32_t token) const;  // text of a token; empty for control tokens
  [[nodiscard]] bool ends_generation(int32_t token) const;

  // Makes the cache hold exactly `tokens`, computing what the previous prompt does not share with
  // them, with room for `window_tokens` in all. Only whole steps of kStepTokens are reused, so that
  // every token is computed in the same step as without reuse: logits are the same bits either way.
  // `progress` gets the number of prompt tokens done, after each step.
  [[nodiscard]] Prefill prefill(const std::vector<int32_t>& tokens, int64_t window_tokens,
                                const std::function<void(int64_t)>& progress);
  // Adds one generated token behind the prompt.
  [[nodiscard]] DecodeStatus append(int32_t token);
  // Of the last token computed; valid until the next prefill() or append(). Empty when there are
  // none.
  [[nodiscard]] std::span<const float> logits() const;

  static constexpr int kStepTokens = 256;

 private:
  LlamaEngine() = default;
  [[nodiscard]] bool make_context(int64_t window_tokens);
  [[nodiscard]] DecodeStatus decode(std::span<const int32_t> tokens);
  [[nodiscard]] size_t reusable(const std::vector<int32_t>& tokens) const;

  llama_model* model_ = nullptr;
  const llama_vocab* vocab_ = nullptr;
  llama_context* context_ = nullptr;
  EngineFacts facts_;
  std::function<bool()> cancelled_;
  int threads_ = 1;
  std::vector<int32_t>
      cached_;  // prompt tokens the cache holds, computed in whole steps from the start
};

}  // namespace fathom
