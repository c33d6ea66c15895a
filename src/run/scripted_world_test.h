// For tests: simulated time, a model that does what a script says, and samples from nowhere.
#pragma once

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "run/inbox.h"
#include "run/run.h"

namespace fathom {

// Clock and waiter in one: waiting moves the time to the next planned event.
class ScriptedTime : public Clock, public Waiter {
 public:
  int64_t monotonic_ms() const override { return now_; }
  int64_t unix_ms() const override { return 1'800'000'000'000 + now_; }
  void at(int64_t ms, std::function<void()> event) { events_.emplace(ms, std::move(event)); }
  void wait(Inbox&, int64_t until_ms) override {
    ++waits;
    if (events_.empty() || events_.begin()->first > until_ms) {
      now_ = std::max(now_, until_ms);
      return;
    }
    auto event = events_.extract(events_.begin());
    now_ = std::max(now_, event.key());
    event.mapped()();
  }
  int64_t waits = 0;

 private:
  int64_t now_ = 1'000;
  std::multimap<int64_t, std::function<void()>> events_;
};

struct ScriptedAnswer {
  Answer answer;
  int64_t after_ms = 100;
  bool never = false;  // hangs until cancelled
};

inline Reply good_reply(const Request& request) {
  Reply reply;
  reply.text = "answer to " + request.id;
  reply.usage = {.input = request.expected_prompt_tokens, .output = 10};
  reply.stop = StopReason::kEnd;
  reply.first_token_ms = 60;
  reply.total_ms = 100;
  return reply;
}

inline Failure failure(FailureKind kind, int64_t status = 0,
                       std::optional<int64_t> retry_after_ms = std::nullopt) {
  return {
      .kind = kind, .retry_after_ms = retry_after_ms, .http_status = status, .detail = "scripted"};
}

// Answers as `script` says: (request, how many requests of this id came before).
class ScriptedModel : public Model {
 public:
  using Script = std::function<ScriptedAnswer(const Request&, int64_t)>;
  struct Sent {
    std::string id;
    int64_t at_ms = 0;
    size_t shared_prefix_bytes = 0;
  };

  explicit ScriptedModel(ScriptedTime& time, Script script = nullptr)
      : time_(time), script_(std::move(script)) {}

  Result<ModelProfile> probe() override { return ModelProfile{}; }
  void start(Request request, std::function<void(Answer)> done) override {
    sent.push_back({request.id, time_.monotonic_ms(), request.shared_prefix_bytes});
    const int64_t before = seen_[request.id]++;
    ScriptedAnswer planned =
        script_ ? script_(request, before) : ScriptedAnswer{good_reply(request)};
    const int64_t ticket = next_++;
    open_.emplace(ticket, std::move(done));
    tokens_ += request.expected_prompt_tokens + request.max_output_tokens;
    most_at_once = std::max(most_at_once, static_cast<int64_t>(open_.size()));
    most_tokens = std::max(most_tokens, tokens_);
    tokens_of_[ticket] = request.expected_prompt_tokens + request.max_output_tokens;
    if (planned.never) return;
    time_.at(time_.monotonic_ms() + planned.after_ms,
             [this, ticket, answer = std::move(planned.answer)] { end(ticket, answer); });
  }
  void cancel_all() override {
    ++cancels;
    while (!open_.empty()) end(open_.begin()->first, failure(FailureKind::kCancelled));
  }
  Result<std::optional<int64_t>> count_tokens(const std::string&, bool) override {
    return std::optional<int64_t>();
  }
  int64_t processed_prompt_tokens() const override { return 0; }

  std::vector<Sent> sent;
  int64_t most_at_once = 0;
  int64_t most_tokens = 0;
  int64_t cancels = 0;

 private:
  void end(int64_t ticket, const Answer& answer) {
    const auto found = open_.find(ticket);
    if (found == open_.end()) return;
    const auto done = std::move(found->second);
    open_.erase(found);
    tokens_ -= tokens_of_[ticket];
    done(answer);
  }

  ScriptedTime& time_;
  Script script_;
  int64_t next_ = 0;
  int64_t tokens_ = 0;
  std::map<int64_t, std::function<void(Answer)>> open_;
  std::map<int64_t, int64_t> tokens_of_;
  std::map<std::string, int64_t> seen_;
};

// count samples per length, of one task, ids "t:LENGTH:INDEX".
class ScriptedSource : public SampleSource {
 public:
  ScriptedSource(const std::vector<int64_t>& lengths, int64_t count) {
    for (int64_t index = 0; index < count; ++index)
      for (const int64_t length : lengths) {
        Sample sample;
        sample.id = fmt::format("t:{}:{}", length, index);
        sample.task = sample.cell = "t";
        sample.length = length;
        sample.index = index;
        sample.prompt = fmt::format("prompt of {}", sample.id);
        sample.references = {sample.id};
        sample.tokens = {.prompt = length - 28, .reserve = 28, .total = length};
        samples.push_back(std::move(sample));
      }
  }
  size_t count() const override { return samples.size(); }
  Result<SampleInfo> info(size_t position) override {
    const Sample& sample = samples[position];
    return SampleInfo{sample.id,    sample.hash(),   sample.cell,  sample.length,
                      sample.index, sample.haystack, sample.tokens};
  }
  Result<std::shared_ptr<const Sample>> sample(size_t position) override {
    ++made;
    if (fail_at && *fail_at == position)
      return fail(ErrorCode::kIo, "samples.jsonl: cannot be read");
    return std::make_shared<const Sample>(samples[position]);
  }

  std::vector<Sample> samples;
  std::optional<size_t> fail_at;
  int64_t made = 0;
};

// A fresh folder, removed at the end.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "fathom_run_XXXXXX").string();
    path_ = ::mkdtemp(pattern.data());
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  std::string path(const std::string& name = "") const {
    return name.empty() ? path_ : path_ + "/" + name;
  }

 private:
  std::string path_;
};

inline RunOptions scripted_options(const std::string& folder) {
  RunOptions out;
  out.folder = folder;
  out.settings.model.model = "openai/scripted";
  out.settings.profile.provider = "openai";
  out.settings.profile.name = "scripted";
  out.settings.profile.version = "1";
  out.settings.profile.raw_prompts = true;
  out.settings.dataset_hash = "d1";
  out.settings.tokenizer_hash = "t1";
  out.limits.requests_in_flight = 4;
  out.fathom_version = "test";
  return out;
}

// Opens a run and executes it in simulated time.
struct ScriptedRun {
  explicit ScriptedRun(ScriptedModel::Script script = nullptr) : model(time, std::move(script)) {}

  Result<RunSummary> execute(const RunOptions& options, SampleSource& source) {
    auto run = Run::open(options, source, time);
    if (!run) return fail(run.error());
    run->set_waiter(time);
    auto result = run->execute(model, stop, [this](const Progress& progress) {
      last = progress;
      if (on_progress) on_progress(progress);
    });
    summary = run->summary();
    return result;
  }

  ScriptedTime time;
  ScriptedModel model;
  StopFlag stop;
  Progress last;
  RunSummary summary;
  std::function<void(const Progress&)> on_progress;
};

}  // namespace fathom
