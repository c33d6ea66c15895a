// The loop that drives a model through a list of attempts: limits, retries, deadlines, count check,
// stopping, journal. One thread; answers arrive in an Inbox from any thread. Reasons and rules:
// docs/design/running.md.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "model/model.h"
#include "run/attempt.h"
#include "run/count_check.h"
#include "run/inbox.h"
#include "run/journal.h"
#include "run/limiter.h"
#include "run/progress_meter.h"
#include "run/retry.h"
#include "run/settings.h"
#include "run/source.h"
#include "run/stop.h"

namespace fathom {

// One attempt to make.
struct Ask {
  size_t position = 0;  // in the source
  int64_t number = 0;   // of the sample's attempts
  bool operator==(const Ask&) const = default;
};

// What the loop works on; all of it outlives the Scheduler.
struct SchedulerInput {
  const RunSettings& settings;
  const RunLimits& limits;
  const std::vector<SampleInfo>& infos;  // by position
  const Plan& plan;
  SampleSource& source;
  Model& model;
  Journal& journal;
  const Clock& clock;
  Waiter& waiter;
  const StopFlag& stop;
  std::function<void(const Progress&)> on_progress;  // may be empty
};

// What came of it, so far.
struct SchedulerCounts {
  int64_t made = 0;
  int64_t requests = 0;
  std::map<Outcome, int64_t> outcomes;
  std::vector<std::string> warnings;
  Progress last;
};

// Single-threaded; used once.
class Scheduler {
 public:
  Scheduler(SchedulerInput input, std::vector<Ask> asks);
  // Makes all attempts. Errors as Run::execute() describes them.
  [[nodiscard]] Result<void> run();
  [[nodiscard]] SchedulerCounts counts();

 private:
  // An attempt under way: in flight, or waiting to be sent again.
  struct Pending {
    Ask ask;
    std::shared_ptr<const Sample> sample;
    size_t shared_prefix_bytes = 0;
    TriesSoFar tries;
    int64_t requests = 0;
    int64_t tokens = 0;  // prompt + output ceiling
    int64_t started_unix_ms = 0;
    int64_t sent_ms = 0;
    bool abandoned =
        false;  // its deadline passed and its outcome is written; only its end is awaited
  };
  struct Finished {
    Ask ask;
    Attempt attempt;
  };
  // A reply whose token count is in doubt, kept back until the first replies are judged together.
  struct Held {
    Pending pending;
    Attempt attempt;
    TokenCounts counts;
  };

  [[nodiscard]] const SampleInfo& info(const Ask& ask) const { return in_.infos[ask.position]; }
  [[nodiscard]] int64_t now() const { return in_.clock.monotonic_ms(); }
  [[nodiscard]] bool idle() const;
  [[nodiscard]] Attempt new_attempt(const Pending& pending) const;

  // Answers in.
  void receive();
  void on_answer(Pending pending, Answer answer);
  void on_reply(const Pending& pending, Reply reply);
  void on_failure(Pending pending, const Failure& failure);
  void on_deadlines();
  void judge_counts(Attempt& attempt, const TokenCounts& counts);
  void release_held();
  void finish(const Ask& ask, Attempt attempt);
  void note_failure(const Attempt& attempt);

  // Requests out.
  [[nodiscard]] Result<void> start_some();
  [[nodiscard]] bool finish_over_window(const Ask& ask);
  [[nodiscard]] bool may_start(int64_t tokens, bool is_new);
  [[nodiscard]] Result<Pending> prepare(const Ask& ask);
  void send(Pending pending);

  // Around both.
  [[nodiscard]] Result<void> write_finished();
  [[nodiscard]] std::optional<Error> reason_to_stop();
  [[nodiscard]] std::optional<Error> counts_disagree();
  [[nodiscard]] std::optional<Error> too_many_failures(bool at_end) const;
  [[nodiscard]] Result<void> shut_down(Error error, bool journal_works);
  void cancel_if_only_abandoned();
  void report(bool at_once);
  [[nodiscard]] int64_t next_event_ms() const;

  SchedulerInput in_;
  std::vector<Ask> asks_;
  size_t next_ask_ = 0;
  std::shared_ptr<Inbox> inbox_ = std::make_shared<Inbox>();
  ProgressMeter meter_;
  SchedulerCounts counts_;

  std::unordered_map<uint64_t, Pending> running_;  // by ticket
  std::multimap<int64_t, Pending> waiting_;        // by the time it is due
  std::multimap<int64_t, uint64_t> deadlines_;     // tickets; some may have ended
  std::vector<Finished> finished_;                 // to be written before anything is started
  uint64_t next_ticket_ = 1;
  int64_t tokens_running_ = 0;
  int64_t abandoned_running_ = 0;
  std::shared_ptr<const Sample> last_sample_;  // the last new one sent, for shared prefixes

  AtOnceLimit at_once_;
  RateLimit request_rate_;
  RateLimit token_rate_;
  int64_t pause_until_ms_ = 0;  // the server asked all to wait
  int64_t start_again_ms_ = 0;  // when a limit in time lets the next request go
  std::string waiting_for_;
  int64_t transient_retries_left_;

  CountCheck count_check_;
  bool on_probation_;
  std::vector<Held> held_;
  int64_t short_counts_ = 0, long_counts_ = 0, missing_counts_ = 0;
  TokenCounts short_example_, long_example_;

  int64_t failures_in_a_row_ = 0;
  int64_t asked_ = 0, failed_ = 0;  // of this session, without those that were not sent
  std::string last_failure_;
  bool stopping_ = false;
  int64_t next_report_ms_ = 0;
};

}  // namespace fathom
