#include "model/sparse_engine.h"

#include <llama.h>

#include <algorithm>
#include <utility>

#include "attention/recorder.h"
#include "attention/replay.h"
#include "model/llama_log.h"

namespace fathom {
namespace {

constexpr int kShared = 0;  // the sequence of the context
constexpr int kFork = 1;

class Batch {
 public:
  explicit Batch(int32_t tokens) : batch_(llama_batch_init(tokens, 0, 1)) {}
  ~Batch() { llama_batch_free(batch_); }
  Batch(const Batch&) = delete;
  Batch& operator=(const Batch&) = delete;
  [[nodiscard]] llama_batch& value() { return batch_; }

 private:
  llama_batch batch_;
};

DecodeStatus status_of(int32_t code) {
  switch (code) {
    case 0:
      return DecodeStatus::kDone;
    case 1:
    case -2:
      return DecodeStatus::kOutOfMemory;
    case 2:
      return DecodeStatus::kCancelled;
    default:
      return DecodeStatus::kFailed;
  }
}

}  // namespace

Result<std::unique_ptr<SparseEngine>> SparseEngine::create(llama_model* model,
                                                           const SparseEngineOptions& options,
                                                           std::function<bool()> cancelled) {
  if (llama_model_is_recurrent(model) || llama_model_is_hybrid(model))
    return fail(ErrorCode::kSetup,
                "this model has layers without attention: sparse arms need attention in all");
  std::unique_ptr<SparseEngine> engine(new SparseEngine);
  engine->cancelled_ = std::move(cancelled);
  engine->layers_ = llama_model_n_layer(model);
  llama_context_params params = llama_context_default_params();
  const int64_t steps = (options.window_tokens + kStepTokens - 1) / kStepTokens + 1;
  params.n_ctx = static_cast<uint32_t>(steps * kStepTokens * 2);
  params.n_batch = params.n_ubatch = kStepTokens;
  params.n_seq_max = 2;
  params.n_threads = params.n_threads_batch = std::max(1, options.threads);
  params.kv_unified = true;
  params.swa_full = true;
  params.no_perf = true;
  params.flash_attn_type = LLAMA_FLASH_ATTN_TYPE_DISABLED;
  if (options.exact_cache) params.type_k = params.type_v = GGML_TYPE_F32;
  engine->window_ = options.window_tokens;
  engine->hook_ = std::make_unique<AttentionHook>(engine->layers_, steps * kStepTokens);
  params.cb_eval = AttentionHook::on_node;
  params.cb_eval_user_data = engine->hook_.get();
  params.abort_callback = [](void* self) { return static_cast<SparseEngine*>(self)->cancelled_(); };
  params.abort_callback_data = engine.get();
  clear_llama_log();
  engine->context_ = llama_init_from_model(model, params);
  if (engine->context_ == nullptr)
    return fail(ErrorCode::kSetup, "no memory for arms over {} tokens: {}", options.window_tokens,
                last_llama_complaints());
  engine->threads_ = std::make_unique<ThreadPool>(std::max(1, options.threads));
  engine->threads_->attach(engine->context_);
  // One token tells the shapes.
  const llama_token any = 0;
  if (engine->decode(std::span(&any, 1), 0, kShared) != DecodeStatus::kDone)
    return fail(ErrorCode::kSetup, "the model cannot be run: {}", last_llama_complaints());
  llama_memory_clear(llama_get_memory(engine->context_), false);
  const AttentionHook& hook = *engine->hook_;
  if (!hook.shape() || !hook.trouble().empty())
    return fail(ErrorCode::kSetup, "attention of this model cannot be masked: {}",
                hook.trouble().empty() ? "its soft-max is not found" : hook.trouble());
  const int64_t element = options.exact_cache ? 4 : 2;
  engine->pair_bytes_ = element * 2 * hook.shape()->head_size;
  return engine;
}

SparseEngine::~SparseEngine() {
  if (context_ != nullptr) llama_free(context_);
}

DecodeStatus SparseEngine::decode(std::span<const int32_t> tokens, int64_t position, int sequence) {
  if (cancelled_()) return DecodeStatus::kCancelled;
  const auto count = static_cast<int32_t>(tokens.size());
  Batch holder(count);
  llama_batch& batch = holder.value();
  batch.n_tokens = count;
  for (int32_t i = 0; i < count; ++i) {
    batch.token[i] = tokens[static_cast<size_t>(i)];
    batch.pos[i] = static_cast<llama_pos>(position + i);
    batch.n_seq_id[i] = 1;
    batch.seq_id[i][0] = sequence;
    batch.logits[i] = i + 1 == count ? 1 : 0;
  }
  hook_->next_batch(position, count);
  return status_of(llama_decode(context_, batch));
}

Prefill SparseEngine::decode_steps(std::span<const int32_t> tokens, int64_t begin, int64_t end,
                                   int sequence, const std::function<void(int64_t)>& progress) {
  Prefill result;
  for (int64_t at = begin; at < end; at += kStepTokens) {
    const int64_t count = std::min<int64_t>(kStepTokens, end - at);
    result.status =
        decode(tokens.subspan(static_cast<size_t>(at), static_cast<size_t>(count)), at, sequence);
    if (result.status != DecodeStatus::kDone) {
      result.detail = last_llama_complaints();
      return result;
    }
    progress(at + count);
  }
  return result;
}

Prefill SparseEngine::prepare_context(const Prompt& prompt,
                                      const std::function<void(int64_t)>& progress) {
  hook_->stop();
  llama_memory_t memory = llama_get_memory(context_);
  llama_memory_seq_rm(memory, kFork, -1, -1);
  const std::span<const int32_t> wanted = prompt.tokens.first(static_cast<size_t>(prompt.context));
  if (std::ranges::equal(wanted, shared_)) return {.reused_tokens = prompt.context};
  llama_memory_clear(memory, false);
  hook_->fork(0);
  shared_.clear();
  Prefill result = decode_steps(prompt.tokens, 0, prompt.context, kShared, progress);
  if (result.status != DecodeStatus::kDone) return result;
  shared_.assign(wanted.begin(), wanted.end());
  hook_->keep_shared();
  return result;
}

void SparseEngine::fork(int64_t upto) {
  llama_memory_t memory = llama_get_memory(context_);
  llama_memory_seq_rm(memory, kFork, -1, -1);
  llama_memory_seq_cp(memory, kShared, kFork, 0, static_cast<llama_pos>(upto));
  hook_->fork(upto);
}

Result<void> SparseEngine::choose_selector(const SelectorOptions& arm, const Prompt& prompt) {
  arm_options_ = arm;
  if (prompt.recording == nullptr) {
    TRY(selector_, make_selector(arm_options_, shape(), layers_));
    return {};
  }
  if (arm.kind != SelectorKind::kFull)
    return fail(ErrorCode::kUsage, "keys and queries are recorded of full attention, not of {}",
                to_text(arm.kind));
  if (!hook_->logit_rule())
    return fail(ErrorCode::kSetup,
                "this model adds more to its attention than a scale and a soft-cap, which a "
                "recording cannot hold");
  arm_options_.dense_layers.clear();
  arm_options_.dense_every = 0;
  arm_options_.sliding_layers = true;
  selector_ = make_recorder(shape(), layers_, arm.observed, *prompt.recording);
  return {};
}

Result<Prefill> SparseEngine::start(const SelectorOptions& arm, const Prompt& prompt,
                                    SelectionLog& log,
                                    const std::function<void(int64_t)>& progress) {
  clear_llama_log();
  const auto end = static_cast<int64_t>(prompt.tokens.size());
  TRY_VOID(choose_selector(arm, prompt));
  const int64_t first_masked = first_masked_of(arm.scope, prompt.context, end);
  // What it weighs is told of the steps that write the answer.
  const SelectorContext told{
      .sample_id = log.sample_id,
      .tokens = prompt.tokens,
      .question = {static_cast<uint64_t>(prompt.context), static_cast<uint64_t>(end)},
      .evidence = prompt.evidence,
      .first_masked = first_masked,
      .weigh_from = end - 1};
  selector_->begin(told);
  if (prompt.recording != nullptr) prompt.recording->logit = *hook_->logit_rule();
  const Prefill shared = prepare_context(prompt, progress);
  if (shared.status != DecodeStatus::kDone) return shared;

  // Where the selector looks at the context itself, the steps from there on are computed again.
  const int64_t seen = std::min({prompt.context, first_masked, selector_->observes_from()});
  const int64_t from = seen == prompt.context ? seen : seen / kStepTokens * kStepTokens;
  fork(from);
  hook_->start(*selector_, arm_options_, told, [this, arm, &log](const MaskedQuery& query) {
    // A recording looks at layers that the arm itself leaves alone.
    const bool dense = is_dense(arm, query.layer) || (query.first > 0 && !arm.sliding_layers);
    LoggedSelection& entry = log.selections.emplace_back(
        logged(query.layer, query.position, query.first, dense ? nullptr : query.selection, shape(),
               arm_options_.block));
    if (!entry.everything)
      entry.pairs_to_select = selector_->pairs_read_to_select(query.position - query.first + 1);
  });
  log.shape = shape();
  log.layers = layers_;
  log.block = arm.block;
  log.context_tokens = prompt.context;
  log.prompt_tokens = end;
  Prefill result = decode_steps(prompt.tokens, from, prompt.context, kFork, progress);
  // What was only looked at goes: the arm goes on from the context that all share, cell by cell.
  if (from < prompt.context && first_masked >= prompt.context) fork(prompt.context);
  if (result.status == DecodeStatus::kDone)
    result = decode_steps(prompt.tokens, prompt.context, end, kFork, progress);
  result.reused_tokens = std::min(shared.reused_tokens, from);
  next_ = end;
  return result;
}

Prefill SparseEngine::start_without(const Prompt& prompt, std::span<const TokenSpan> dropped) {
  const auto quiet = [](int64_t) {};
  Prefill shared = prepare_context(prompt, quiet);
  if (shared.status != DecodeStatus::kDone) return shared;
  fork(prompt.context);
  for (const TokenSpan& span : dropped)
    llama_memory_seq_rm(llama_get_memory(context_), kFork, static_cast<llama_pos>(span.begin),
                        static_cast<llama_pos>(span.end));
  next_ = static_cast<int64_t>(prompt.tokens.size());
  return decode_steps(prompt.tokens, prompt.context, next_, kFork, quiet);
}

DecodeStatus SparseEngine::append(int32_t token) {
  return decode(std::span(&token, 1), next_++, kFork);
}

std::span<const float> SparseEngine::logits() const {
  const float* values = llama_get_logits_ith(context_, -1);
  if (values == nullptr) return {};
  const llama_vocab* vocab = llama_model_get_vocab(llama_get_model(context_));
  return {values, static_cast<size_t>(llama_vocab_n_tokens(vocab))};
}

Result<void> SparseEngine::finish() {
  hook_->stop();
  if (!hook_->trouble().empty())
    return fail(ErrorCode::kInternal, "attention could not be masked: {}", hook_->trouble());
  if (hook_->masked_mass() > 0)
    return fail(ErrorCode::kInternal,
                "a masked position still got weight {:g}: the mask did not act",
                hook_->masked_mass());
  return {};
}

}  // namespace fathom
