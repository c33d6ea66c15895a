#include "model/simulated_model.h"

#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

#include "base/hash.h"
#include "base/random.h"
#include "model/simulated_reader.h"

namespace fathom {
namespace {

using SteadyClock = std::chrono::steady_clock;
using Done = std::function<void(Answer)>;

constexpr int64_t kBytesPerToken = 4;  // of English; only where the request does not say better

class SimulatedModel : public Model {
 public:
  SimulatedModel(ReaderProfile profile, uint64_t seed)
      : profile_(std::move(profile)), seed_(seed), worker_([this] { work(); }) {}

  ~SimulatedModel() override {
    {
      const std::lock_guard lock(mutex_);
      ending_ = true;
    }
    cancel_all();
    wake_.notify_all();
    worker_.join();
  }

  Result<ModelProfile> probe() override;
  void start(Request request, Done done) override;
  void cancel_all() override;
  Result<std::optional<int64_t>> count_tokens(const std::string&, bool) override {
    return std::optional<int64_t>();
  }
  int64_t processed_prompt_tokens() const override { return processed_; }

 private:
  struct Job {
    Answer answer;
    Done done;
    int64_t prompt_tokens = 0;
  };

  void work();
  [[nodiscard]] Answer answer(const Request& request);
  [[nodiscard]] std::optional<Failure> drawn_failure(const std::string& id);

  const ReaderProfile profile_;
  const uint64_t seed_;
  std::mutex mutex_;  // guards everything below
  std::condition_variable wake_;
  std::multimap<SteadyClock::time_point, Job> due_;
  std::map<std::string, uint64_t> tries_;  // by sample id, only while failures are drawn
  bool ending_ = false;
  std::atomic<int64_t> processed_{0};
  std::thread worker_;  // last: it uses all of the above
};

Result<ModelProfile> SimulatedModel::probe() {
  ModelProfile profile;
  profile.provider = "simulated";
  profile.name = profile_.name;
  profile.window_tokens = profile_.window_tokens;
  profile.raw_prompts = true;
  profile.prefix_policy = PrefixPolicy::kInPrompt;
  profile.notes.emplace_back(
      "simulated: no model was asked, the answers are made up from the references");
  if (!profile_.about.empty()) profile.notes.push_back(profile_.about);
  return profile;
}

std::optional<Failure> SimulatedModel::drawn_failure(const std::string& id) {
  if (profile_.rate_limited_share <= 0 && profile_.transient_share <= 0) return std::nullopt;
  uint64_t number = 0;
  {
    const std::lock_guard lock(mutex_);
    number = tries_[id]++;
  }
  const double draw = Random(RandomKey(seed_).with(id).with(number), "failure").uniform();
  if (draw < profile_.rate_limited_share)
    return Failure{.kind = FailureKind::kRateLimited,
                   .retry_after_ms = 20,
                   .http_status = 429,
                   .detail = "simulated rate limit"};
  if (draw < profile_.rate_limited_share + profile_.transient_share)
    return Failure{
        .kind = FailureKind::kTransient, .http_status = 503, .detail = "simulated overload"};
  return std::nullopt;
}

Answer SimulatedModel::answer(const Request& request) {
  if (request.answer_key == nullptr || request.prompt == nullptr)
    return Failure{
        .kind = FailureKind::kPermanent,
        .detail = "a simulated reader needs the references and the prompt of the sample"};
  if (std::optional<Failure> failure = drawn_failure(request.id)) return *failure;
  const int64_t prompt_tokens =
      request.expected_prompt_tokens > 0
          ? request.expected_prompt_tokens
          : static_cast<int64_t>(request.prompt->size()) / kBytesPerToken + 1;
  if (profile_.window_tokens > 0 &&
      prompt_tokens + request.max_output_tokens > profile_.window_tokens)
    return Failure{.kind = FailureKind::kOverWindow,
                   .http_status = 400,
                   .detail = fmt::format(
                       "{} prompt tokens and {} for the answer exceed the simulated window of {}",
                       prompt_tokens, request.max_output_tokens, profile_.window_tokens)};
  SimulatedAnswer made = simulated_answer(profile_, seed_, request);
  Reply reply;
  reply.usage = {.input = prompt_tokens,
                 .cached = 0,
                 .output = static_cast<int64_t>(made.text.size()) / kBytesPerToken + 1};
  reply.stop = made.stop;
  reply.text = std::move(made.text);
  reply.model = "simulated/" + profile_.name;
  reply.first_token_ms = profile_.first_token_ms +
                         profile_.ms_per_1000_tokens * static_cast<double>(prompt_tokens) / 1000;
  reply.total_ms = reply.first_token_ms;
  return reply;
}

void SimulatedModel::start(Request request, Done done) {
  Job job{.answer = answer(request), .done = std::move(done)};
  double delay_ms = 0;
  if (const Reply* reply = std::get_if<Reply>(&job.answer)) {
    delay_ms = reply->total_ms;
    job.prompt_tokens = reply->usage.input;
  }
  const auto due = SteadyClock::now() + std::chrono::duration_cast<SteadyClock::duration>(
                                            std::chrono::duration<double, std::milli>(delay_ms));
  {
    std::unique_lock lock(mutex_);
    if (!ending_) {
      due_.emplace(due, std::move(job));
      lock.unlock();
      wake_.notify_one();
      return;
    }
  }
  job.done(Failure{.kind = FailureKind::kCancelled, .detail = "stopped"});
}

void SimulatedModel::cancel_all() {
  std::multimap<SteadyClock::time_point, Job> dropped;
  {
    const std::lock_guard lock(mutex_);
    dropped.swap(due_);
  }
  for (auto& [due, job] : dropped)
    job.done(Failure{.kind = FailureKind::kCancelled, .detail = "stopped"});
}

void SimulatedModel::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    if (due_.empty()) {
      if (ending_) return;
      wake_.wait(lock);
      continue;
    }
    const auto first = due_.begin();
    if (first->first > SteadyClock::now()) {
      const SteadyClock::time_point until = first->first;  // the entry may go while we wait
      wake_.wait_until(lock, until);
      continue;
    }
    Job job = std::move(first->second);
    due_.erase(first);
    lock.unlock();
    processed_ += job.prompt_tokens;
    job.done(std::move(job.answer));
    lock.lock();
  }
}

}  // namespace

Result<std::unique_ptr<Model>> open_simulated_model(const ModelOptions& options,
                                                    const std::string& profile) {
  TRY(ReaderProfile reader, load_reader_profile(profile));
  return std::make_unique<SimulatedModel>(std::move(reader), options.seed);
}

}  // namespace fathom
