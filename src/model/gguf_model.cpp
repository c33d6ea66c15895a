#include "model/gguf_model.h"

#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "model/file_version.h"
#include "model/free_cores.h"
#include "model/llama_engine.h"
#include "model/peak_memory.h"
#include "model/sampling.h"
#include "model/sparse_engine.h"

namespace fathom {
namespace {

using SteadyClock = std::chrono::steady_clock;
using Done = std::function<void(Answer)>;

double ms_since(SteadyClock::time_point start) {
  return std::chrono::duration<double, std::milli>(SteadyClock::now() - start).count();
}

Failure cancelled() { return {.kind = FailureKind::kCancelled, .detail = "stopped"}; }

// Two engines at once would spin on each other's cores.
std::mutex& engine_turn() {
  static std::mutex turn;
  return turn;
}

class GgufModel : public Model {
 public:
  explicit GgufModel(const ModelOptions& options) : options_(options) {}

  ~GgufModel() override {
    {
      const std::lock_guard lock(mutex_);
      ending_ = true;
    }
    cancel_all();
    wake_.notify_all();
    if (worker_.joinable()) worker_.join();
  }

  Result<ModelProfile> probe() override;
  void start(Request request, Done done) override;
  void cancel_all() override;
  Result<std::optional<int64_t>> count_tokens(const std::string& text, bool add_special) override;
  int64_t processed_prompt_tokens() const override { return processed_; }

 private:
  struct Job {
    Request request;
    Done done;
    int64_t epoch = 0;
  };

  void work();
  Answer answer(const Request& request);
  [[nodiscard]] Failure failure_of(DecodeStatus status, const std::string& detail,
                                   int64_t tokens) const;
  Answer attended(const Request& request, const std::vector<int32_t>& tokens,
                  SteadyClock::time_point start);
  [[nodiscard]] Result<void> make_sparse(int64_t window_tokens);
  // `Engine`: LlamaEngine or SparseEngine.
  template <typename Engine>
  Answer generate(Engine& engine, const Request& request, SteadyClock::time_point start,
                  Reply reply);
  [[nodiscard]] bool is_cancelled() const { return running_epoch_ < cancel_epoch_; }
  [[nodiscard]] bool must_stop() const { return is_cancelled() || SteadyClock::now() > deadline_; }
  [[nodiscard]] int64_t window() const;

  ModelOptions options_;
  std::unique_ptr<LlamaEngine> engine_;   // set by probe(), before any job
  std::unique_ptr<SparseEngine> sparse_;  // made for the first arm
  std::string version_;
  std::thread worker_;
  std::mutex mutex_;  // guards queue_ and ending_
  std::condition_variable wake_;
  std::deque<Job> queue_;
  bool ending_ = false;
  std::atomic<int64_t> cancel_epoch_{0};   // jobs of an earlier epoch are cancelled
  std::atomic<int64_t> running_epoch_{0};  // of the job in work
  std::atomic<int64_t> processed_{0};
  SteadyClock::time_point deadline_ = SteadyClock::time_point::max();  // of the job in work
};

int64_t GgufModel::window() const {
  return options_.context_tokens > 0 ? options_.context_tokens
                                     : engine_->facts().trained_window_tokens;
}

Result<ModelProfile> GgufModel::probe() {
  const int threads = options_.threads > 0 ? options_.threads : measure_free_cores();
  if (engine_ == nullptr) {
    running_epoch_ = cancel_epoch_.load();
    TRY(engine_, LlamaEngine::load(options_.model, threads, [this] { return must_stop(); }));
    TRY(version_, model_file_version(options_.model));
    worker_ = std::thread([this] { work(); });
  }
  const EngineFacts& facts = engine_->facts();
  ModelProfile profile;
  profile.provider = "gguf";
  profile.name = facts.name;
  profile.version = "sha256:" + version_;
  profile.window_tokens = window();
  profile.slots = 1;
  profile.raw_prompts = true;
  profile.prefix_policy = options_.prefix_policy.value_or(PrefixPolicy::kInPrompt);
  profile.chat_template = facts.chat_template;
  profile.bos_text = facts.bos_text;
  profile.eos_text = facts.eos_text;
  constexpr double kMiB = 1 << 20;
  profile.notes.push_back(
      fmt::format("{} with {:.0f} M parameters, {:.0f} MiB of weights, {} threads",
                  facts.architecture, static_cast<double>(facts.parameters) / 1e6,
                  static_cast<double>(facts.weight_bytes) / kMiB, threads));
  if (facts.kv_bytes_per_token > 0)
    profile.notes.push_back(
        fmt::format("KV cache: {} bytes per token, {:.0f} MiB at the window of {} tokens",
                    facts.kv_bytes_per_token,
                    static_cast<double>(facts.kv_bytes_per_token * window()) / kMiB, window()));
  if (facts.sliding_window)
    profile.notes.emplace_back(
        "sliding-window layers keep a full cache, so that prefixes can be shared");
  if (window() > facts.trained_window_tokens)
    profile.notes.push_back(
        fmt::format("the window of {} tokens is larger than the {} the model was trained with",
                    window(), facts.trained_window_tokens));
  return profile;
}

void GgufModel::start(Request request, Done done) {
  Failure refused = cancelled();
  {
    std::unique_lock lock(mutex_);
    if (!ending_ && engine_ != nullptr) {
      queue_.push_back({std::move(request), std::move(done), cancel_epoch_});
      lock.unlock();
      wake_.notify_one();
      return;
    }
    if (!ending_)
      refused = Failure{.kind = FailureKind::kPermanent, .detail = "the model has not been probed"};
  }
  done(refused);
}

void GgufModel::cancel_all() {
  std::deque<Job> dropped;
  {
    const std::lock_guard lock(mutex_);
    ++cancel_epoch_;
    dropped.swap(queue_);
  }
  for (Job& job : dropped) job.done(cancelled());
}

void GgufModel::work() {
  while (true) {
    Job job;
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [this] { return ending_ || !queue_.empty(); });
      if (queue_.empty()) return;
      job = std::move(queue_.front());
      queue_.pop_front();
      running_epoch_ = job.epoch;
    }
    Answer result = [&] {
      const std::lock_guard turn(engine_turn());
      return answer(job.request);
    }();
    job.done(std::move(result));
  }
}

Answer GgufModel::answer(const Request& request) {
  const SteadyClock::time_point start = SteadyClock::now();
  reset_peak_memory();
  deadline_ = request.deadline_ms > 0 ? start + std::chrono::milliseconds(request.deadline_ms)
                                      : SteadyClock::time_point::max();
  if (!request.raw || request.prompt == nullptr)
    return Failure{
        .kind = FailureKind::kPermanent,
        .detail = "the in-process engine takes the exact prompt text, not chat messages"};
  const bool dropped = options_.prefix_policy == PrefixPolicy::kDropped;
  const std::string text = dropped ? *request.prompt : *request.prompt + request.answer_prefix;
  const std::vector<int32_t> tokens = engine_->tokenize(text, request.add_special);
  const auto count = static_cast<int64_t>(tokens.size());
  if (count == 0)
    return Failure{.kind = FailureKind::kPermanent, .detail = "the prompt has no tokens"};
  if (count + request.max_output_tokens > window())
    return Failure{
        .kind = FailureKind::kOverWindow,
        .detail = fmt::format("{} prompt tokens and {} for the answer do not fit the window of {}",
                              count, request.max_output_tokens, window())};

  if (request.arm != nullptr) return attended(request, tokens, start);
  const int64_t before = processed_;
  const Prefill prefill = engine_->prefill(tokens, count + request.max_output_tokens,
                                           [&](int64_t done) { processed_ = before + done; });
  if (prefill.status != DecodeStatus::kDone)
    return failure_of(prefill.status, prefill.detail, count + request.max_output_tokens);
  Reply reply;
  reply.usage = {.input = count, .cached = prefill.reused_tokens, .output = 0};
  reply.model = engine_->facts().name;
  return generate(*engine_, request, start, std::move(reply));
}

Result<void> GgufModel::make_sparse(int64_t window_tokens) {
  if (sparse_ != nullptr && sparse_->window_tokens() >= window_tokens) return {};
  sparse_.reset();
  TRY(sparse_, SparseEngine::create(engine_->model(),
                                    {.window_tokens = std::max(window_tokens, window()),
                                     .threads = engine_->threads()},
                                    [this] { return must_stop(); }));
  return {};
}

// The tokens of the context: those that its text alone has in common with the whole prompt.
int64_t tokens_in_common(const std::vector<int32_t>& whole, const std::vector<int32_t>& part) {
  const auto end = std::mismatch(whole.begin(), whole.end(), part.begin(), part.end()).first;
  return end - whole.begin();
}

Answer GgufModel::attended(const Request& request, const std::vector<int32_t>& tokens,
                           SteadyClock::time_point start) {
  const auto count = static_cast<int64_t>(tokens.size());
  const auto broken = [](const Error& error) {
    return Failure{.kind = FailureKind::kPermanent, .detail = error.message};
  };
  if (const auto made = make_sparse(count + request.max_output_tokens); !made)
    return broken(made.error());
  const std::string before_question = request.prompt->substr(0, request.places.context_end);
  const int64_t context = std::clamp<int64_t>(
      tokens_in_common(tokens, engine_->tokenize(before_question, request.add_special)), 1,
      count - 1);
  auto log = std::make_shared<SelectionLog>();
  log->sample_id = request.id;
  log->arm = request.arm->name;
  const auto recording = request.record ? std::make_shared<AttentionRecording>() : nullptr;
  const int64_t processed = processed_;
  const auto prefill = sparse_->start(request.arm->options,
                                      {.tokens = tokens,
                                       .context = context,
                                       .evidence = request.places.evidence,
                                       .recording = recording.get()},
                                      *log, [&](int64_t done) { processed_ = processed + done; });
  if (!prefill) return broken(prefill.error());
  if (prefill->status != DecodeStatus::kDone) {
    (void)sparse_->finish();  // why it ended early is what counts
    return failure_of(prefill->status, prefill->detail, count + request.max_output_tokens);
  }
  Reply reply;
  reply.usage = {.input = count, .cached = prefill->reused_tokens, .output = 0};
  reply.model = engine_->facts().name;
  Answer answer = generate(*sparse_, request, start, std::move(reply));
  if (const auto acted = sparse_->finish(); !acted) return broken(acted.error());
  if (Reply* made = std::get_if<Reply>(&answer)) {
    made->selection = std::move(log);
    made->recording = recording;
  }
  return answer;
}

Failure GgufModel::failure_of(DecodeStatus status, const std::string& detail,
                              int64_t tokens) const {
  const std::string why = detail.empty() ? "" : ": " + detail;
  switch (status) {
    case DecodeStatus::kCancelled:
      if (is_cancelled()) return cancelled();
      return {.kind = FailureKind::kTimedOut,
              .detail = "the deadline passed before the answer was complete"};
    case DecodeStatus::kOutOfMemory:
      return {.kind = FailureKind::kOutOfMemory,
              .detail = fmt::format("no memory for a context of {} tokens{}", tokens, why)};
    case DecodeStatus::kDone:
    case DecodeStatus::kFailed:
      break;
  }
  return {.kind = FailureKind::kPermanent, .detail = "llama.cpp failed" + why};
}

template <typename Engine>
Answer GgufModel::generate(Engine& engine, const Request& request, SteadyClock::time_point start,
                           Reply reply) {
  const int64_t room = request.max_output_tokens;
  const Decoding& decoding = request.decoding;
  Random random(RandomKey(static_cast<uint64_t>(decoding.seed)).with(request.id), "sampling");
  StopText text(decoding.stop);
  reply.stop = StopReason::kLength;
  while (reply.usage.output < room) {
    const std::span<const float> logits = engine.logits();
    const std::optional<int32_t> token =
        decoding.temperature > 0
            ? sampled_token(logits, decoding.temperature, decoding.top_p, random)
            : greedy_token(logits);
    if (!token)
      return Failure{.kind = FailureKind::kPermanent,
                     .detail = "the model computed no finite logits"};
    if (reply.usage.output == 0) reply.first_token_ms = ms_since(start);
    ++reply.usage.output;
    if (engine_->ends_generation(*token) || text.append(engine_->piece(*token))) {
      reply.stop = StopReason::kEnd;
      break;
    }
    if (reply.usage.output == room) break;
    const DecodeStatus status = engine.append(*token);
    if (status != DecodeStatus::kDone)
      return failure_of(status, "", reply.usage.input + reply.usage.output);
  }
  reply.text = text.text();
  reply.total_ms = ms_since(start);
  const int64_t per_token = engine_->facts().kv_bytes_per_token;
  if (per_token > 0) reply.memory.kv = per_token * (reply.usage.input + reply.usage.output);
  reply.memory.peak = peak_memory_bytes();
  return reply;
}

Result<std::optional<int64_t>> GgufModel::count_tokens(const std::string& text, bool add_special) {
  if (engine_ == nullptr)
    return fail(ErrorCode::kInternal, "{}: probe() comes first", options_.model);
  return static_cast<int64_t>(engine_->tokenize(text, add_special).size());
}

}  // namespace

Result<std::unique_ptr<Model>> open_gguf_model(const ModelOptions& options) {
  const std::optional<PrefixPolicy>& policy = options.prefix_policy;
  if (policy && *policy != PrefixPolicy::kInPrompt && *policy != PrefixPolicy::kDropped)
    return fail(ErrorCode::kUsage,
                "prefix policy '{}' is for chats; a GGUF file takes in-prompt and dropped",
                to_text(*policy));
  return std::make_unique<GgufModel>(options);
}

}  // namespace fathom
