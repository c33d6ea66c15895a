#include "model/llama_engine.h"

#include <ggml-backend.h>
#include <llama.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <optional>
#include <system_error>

#include "model/llama_log.h"
#include "tokenizer/gguf.h"

namespace fathom {
namespace {

Result<void> load_backends() {
  static std::once_flag once;
  static const char* chosen = std::getenv("FATHOM_LLAMA_LIB");
  static const std::string folder = chosen != nullptr ? chosen : FATHOM_LLAMA_LIB_DIR;
  std::call_once(once, [] {
    capture_llama_log();
    ggml_backend_load_all_from_path(folder.c_str());
    llama_backend_init();
  });
  if (ggml_backend_dev_by_type(GGML_BACKEND_DEVICE_TYPE_CPU) == nullptr)
    return fail(ErrorCode::kSetup,
                "{}: no llama.cpp backend library for this processor; run ./dev setup, or set "
                "FATHOM_LLAMA_LIB to the folder "
                "that holds libggml-cpu-*.so",
                folder);
  return {};
}

std::string metadata(const llama_model* model, const std::string& key) {
  const int32_t size = llama_model_meta_val_str(model, key.c_str(), nullptr, 0);
  if (size <= 0) return {};
  std::string value(static_cast<size_t>(size) + 1, '\0');
  llama_model_meta_val_str(model, key.c_str(), value.data(), value.size());
  value.resize(static_cast<size_t>(size));
  return value;
}

std::string token_spelling(const llama_vocab* vocab, llama_token token) {
  if (token == LLAMA_TOKEN_NULL) return {};
  const char* text = llama_vocab_get_text(vocab, token);
  return text == nullptr ? "" : text;
}

int64_t kv_bytes_per_token(const llama_model* model, const std::string& architecture) {
  if (llama_model_is_recurrent(model) || llama_model_is_hybrid(model)) return 0;
  const auto length = [&](const char* name) -> int64_t {
    const std::string value = metadata(model, architecture + ".attention." + name);
    if (!value.empty()) return std::atoll(value.c_str());
    const int32_t heads = llama_model_n_head(model);
    return heads > 0 ? llama_model_n_embd(model) / heads : 0;
  };
  constexpr int64_t kF16Bytes = 2;
  return int64_t{llama_model_n_layer(model)} * llama_model_n_head_kv(model) *
         (length("key_length") + length("value_length")) * kF16Bytes;
}

EngineFacts facts_of(const llama_model* model, const std::string& path) {
  const llama_vocab* vocab = llama_model_get_vocab(model);
  EngineFacts facts;
  facts.name = metadata(model, "general.name");
  if (facts.name.empty()) facts.name = std::filesystem::path(path).stem().string();
  facts.architecture = metadata(model, "general.architecture");
  if (const char* text = llama_model_chat_template(model, nullptr); text != nullptr)
    facts.chat_template = text;
  facts.bos_text = token_spelling(vocab, llama_vocab_bos(vocab));
  facts.eos_text = token_spelling(vocab, llama_vocab_eos(vocab));
  facts.trained_window_tokens = llama_model_n_ctx_train(model);
  facts.weight_bytes = static_cast<int64_t>(llama_model_size(model));
  facts.parameters = static_cast<int64_t>(llama_model_n_params(model));
  facts.kv_bytes_per_token = kv_bytes_per_token(model, facts.architecture);
  facts.sliding_window = llama_model_n_swa(model) > 0;
  return facts;
}

}  // namespace

Result<std::unique_ptr<LlamaEngine>> LlamaEngine::load(const std::string& path, int threads,
                                                       std::function<bool()> cancelled) {
  TRY_VOID(GgufFile::open(path));  // llama.cpp trusts lengths that a damaged header states
  TRY_VOID(load_backends());
  clear_llama_log();
  std::unique_ptr<LlamaEngine> engine(new LlamaEngine);
  engine->cancelled_ = std::move(cancelled);
  engine->threads_ = std::max(1, threads);
  llama_model_params params = llama_model_default_params();
  params.progress_callback = [](float, void* user) {
    return !static_cast<LlamaEngine*>(user)->cancelled_();
  };
  params.progress_callback_user_data = engine.get();
  engine->model_ = llama_model_load_from_file(path.c_str(), params);
  if (engine->model_ == nullptr && engine->cancelled_())
    return fail(ErrorCode::kInterrupted, "stopped");
  if (engine->model_ == nullptr)
    return fail(ErrorCode::kInput,
                "{}: llama.cpp cannot load this model: {}; is the download complete?", path,
                last_llama_complaints());
  if (!llama_model_has_decoder(engine->model_) || llama_model_has_encoder(engine->model_))
    return fail(ErrorCode::kInput,
                "{}: not a decoder-only language model; choose one that generates text", path);
  engine->vocab_ = llama_model_get_vocab(engine->model_);
  engine->facts_ = facts_of(engine->model_, path);
  return engine;
}

LlamaEngine::~LlamaEngine() {
  if (context_ != nullptr) llama_free(context_);
  if (model_ != nullptr) llama_model_free(model_);
}

std::vector<int32_t> LlamaEngine::tokenize(std::string_view text, bool add_special) const {
  const auto size = static_cast<int32_t>(text.size());
  std::vector<int32_t> tokens(text.size() / 3 + 16);
  const auto fill = [&] {
    return llama_tokenize(vocab_, text.data(), size, tokens.data(),
                          static_cast<int32_t>(tokens.size()), add_special, true);
  };
  int32_t count = fill();
  if (count < 0) {
    tokens.resize(static_cast<size_t>(-static_cast<int64_t>(count)));
    count = fill();
  }
  tokens.resize(static_cast<size_t>(std::max(0, count)));
  return tokens;
}

std::string LlamaEngine::piece(int32_t token) const {
  std::string text(64, '\0');
  int32_t size =
      llama_token_to_piece(vocab_, token, text.data(), static_cast<int32_t>(text.size()), 0, false);
  if (size < 0) {
    text.resize(static_cast<size_t>(-size));
    size = llama_token_to_piece(vocab_, token, text.data(), static_cast<int32_t>(text.size()), 0,
                                false);
  }
  text.resize(static_cast<size_t>(std::max(0, size)));
  return text;
}

bool LlamaEngine::ends_generation(int32_t token) const { return llama_vocab_is_eog(vocab_, token); }

bool LlamaEngine::make_context(int64_t window_tokens) {
  if (context_ != nullptr && llama_n_ctx(context_) >= window_tokens) return true;
  if (context_ != nullptr) llama_free(context_);
  cached_.clear();
  llama_context_params params = llama_context_default_params();
  params.n_ctx =
      static_cast<uint32_t>((window_tokens + kStepTokens - 1) / kStepTokens * kStepTokens);
  params.n_batch = params.n_ubatch = kStepTokens;
  params.n_seq_max = 1;
  params.n_threads = params.n_threads_batch = threads_;
  params.kv_unified = true;
  params.swa_full = true;  // else the cache forgets what a shared prefix needs
  params.no_perf = true;
  params.abort_callback = [](void* engine) {
    return static_cast<LlamaEngine*>(engine)->cancelled_();
  };
  params.abort_callback_data = this;
  context_ = llama_init_from_model(model_, params);
  return context_ != nullptr;
}

size_t LlamaEngine::reusable(const std::vector<int32_t>& tokens) const {
  const size_t limit =
      std::min(cached_.size(), tokens.size() - 1);  // the last token is computed for its logits
  const auto common = std::mismatch(
      tokens.begin(), tokens.begin() + static_cast<std::ptrdiff_t>(limit), cached_.begin());
  const auto same = static_cast<size_t>(common.first - tokens.begin());
  return same - same % kStepTokens;
}

DecodeStatus LlamaEngine::decode(std::span<const int32_t> tokens) {
  // llama_batch_get_one() continues at the end of sequence 0 and asks for the last token's logits
  // alone.
  std::vector<llama_token> copy(tokens.begin(), tokens.end());
  const int32_t status =
      llama_decode(context_, llama_batch_get_one(copy.data(), static_cast<int32_t>(copy.size())));
  switch (status) {
    case 0:
      return DecodeStatus::kDone;
    case 1:
      return DecodeStatus::kOutOfMemory;  // no room in the cache
    case 2:
      return DecodeStatus::kCancelled;
    default:
      return status == -2 ? DecodeStatus::kOutOfMemory : DecodeStatus::kFailed;
  }
}

Prefill LlamaEngine::prefill(const std::vector<int32_t>& tokens, int64_t window_tokens,
                             const std::function<void(int64_t)>& progress) {
  clear_llama_log();
  if (!make_context(std::max<int64_t>(window_tokens, static_cast<int64_t>(tokens.size()) + 1)))
    return {.status = DecodeStatus::kOutOfMemory, .detail = last_llama_complaints()};
  llama_memory_t memory = llama_get_memory(context_);
  size_t done = reusable(tokens);
  // A recurrent cache cannot be cut in the middle: it starts again.
  if (done == 0 || !llama_memory_seq_rm(memory, 0, static_cast<llama_pos>(done), -1)) {
    llama_memory_clear(memory, false);
    done = 0;
  }
  cached_.resize(done);
  Prefill result{.reused_tokens = static_cast<int64_t>(done)};
  progress(result.reused_tokens);
  while (done < tokens.size()) {
    const size_t count = std::min<size_t>(kStepTokens, tokens.size() - done);
    const std::span<const int32_t> step(tokens.data() + done, count);
    result.status = cancelled_() ? DecodeStatus::kCancelled : decode(step);
    if (result.status != DecodeStatus::kDone) {
      result.detail = last_llama_complaints();
      cached_.clear();
      return result;
    }
    cached_.insert(cached_.end(), step.begin(), step.end());
    done += count;
    progress(static_cast<int64_t>(done));
  }
  return result;
}

DecodeStatus LlamaEngine::append(int32_t token) {
  if (cancelled_()) return DecodeStatus::kCancelled;
  return decode(std::span(&token, 1));
}

std::span<const float> LlamaEngine::logits() const {
  const float* values = context_ == nullptr ? nullptr : llama_get_logits_ith(context_, -1);
  if (values == nullptr) return {};
  return {values, static_cast<size_t>(llama_vocab_n_tokens(vocab_))};
}

}  // namespace fathom
