#include "run/scheduler.h"

#include <algorithm>
#include <utility>

#include "run/outcome.h"
#include "run/request.h"

namespace fathom {
namespace {

constexpr int64_t kNever = INT64_MAX;
constexpr int64_t kReportEveryMs = 100;
constexpr int64_t kLongestStartRoundMs = 50;  // then answers are looked after

int64_t deadline_for(const std::map<int64_t, int64_t>& deadlines, int64_t length) {
  const auto found = deadlines.lower_bound(length);
  return found == deadlines.end() || found->second <= 0 ? kNever : found->second;
}

int64_t retry_budget(const RunLimits& limits, size_t asks) {
  return limits.retries_in_all >= 0 ? limits.retries_in_all : 100 + 2 * static_cast<int64_t>(asks);
}

}  // namespace

Scheduler::Scheduler(SchedulerInput input, std::vector<Ask> asks)
    : in_(std::move(input)),
      asks_(std::move(asks)),
      meter_(in_.plan, in_.clock.monotonic_ms()),
      at_once_(requests_at_once(in_.settings.profile, in_.limits), in_.limits.adaptive),
      request_rate_(in_.limits.requests_per_minute),
      token_rate_(in_.limits.tokens_per_minute),
      transient_retries_left_(retry_budget(in_.limits, asks_.size())),
      count_check_(in_.settings.profile.raw_prompts),
      on_probation_(in_.limits.count_check_samples > 0) {}

Result<void> Scheduler::run() {
  for (;;) {
    receive();
    on_deadlines();
    if (const auto written = write_finished(); !written) return shut_down(written.error(), false);
    if (const auto reason = reason_to_stop()) return shut_down(*reason, true);
    if (const auto started = start_some(); !started) return shut_down(started.error(), true);
    cancel_if_only_abandoned();
    report(false);
    if (idle()) break;
    in_.waiter.wait(*inbox_, next_event_ms());
  }
  report(true);
  if (const auto reason = too_many_failures(true)) return fail(*reason);
  return {};
}

bool Scheduler::idle() const {
  return next_ask_ == asks_.size() && running_.empty() && waiting_.empty() && finished_.empty() &&
         held_.empty();
}

SchedulerCounts Scheduler::counts() {
  SchedulerCounts out = counts_;
  if (short_counts_ > 0)
    out.warnings.push_back(fmt::format(
        "{} prompts were cut by the server: it read {} tokens where {} were sent (first "
        "case); they count as input-truncated, not as answers",
        short_counts_, short_example_.reported, short_example_.expected));
  if (long_counts_ > 0)
    out.warnings.push_back(fmt::format(
        "the server counts more prompt tokens than fathom in {} replies: {} instead of {} (first "
        "case)",
        long_counts_, long_example_.reported, long_example_.expected));
  if (missing_counts_ > 0)
    out.warnings.push_back(fmt::format(
        "{} replies came without a count of prompt tokens: whether the server cut their prompts "
        "cannot be seen",
        missing_counts_));
  if (count_check_.ratio() != 1)
    out.warnings.push_back(fmt::format(
        "the server counts {:.3f} times the tokens that fathom counts; this was allowed, "
        "and lengths are fathom's",
        count_check_.ratio()));
  return out;
}

// ---- answers in

void Scheduler::receive() {
  for (Completion& completion : inbox_->take()) {
    const auto found = running_.find(completion.ticket);
    if (found == running_.end()) continue;  // a second answer to one request
    Pending pending = std::move(found->second);
    running_.erase(found);
    tokens_running_ -= pending.tokens;
    if (pending.abandoned) {
      --abandoned_running_;
      continue;
    }
    meter_.ended(info(pending.ask).length);
    on_answer(std::move(pending), std::move(completion.answer));
  }
}

void Scheduler::on_answer(Pending pending, Answer answer) {
  if (auto* reply = std::get_if<Reply>(&answer)) return on_reply(pending, std::move(*reply));
  on_failure(std::move(pending), std::get<Failure>(answer));
}

Attempt Scheduler::new_attempt(const Pending& pending) const {
  Attempt out;
  out.sample_id = pending.sample->id;
  out.sample_hash = pending.sample->hash();
  out.number = pending.ask.number;
  out.tries = pending.requests;
  out.prefix_policy = in_.settings.profile.prefix_policy;
  out.expected_prompt_tokens = expected_prompt_tokens(pending.sample->tokens, out.prefix_policy);
  out.started_unix_ms = pending.started_unix_ms;
  return out;
}

void Scheduler::on_reply(const Pending& pending, Reply reply) {
  at_once_.succeeded();
  Attempt attempt = new_attempt(pending);
  const TokenCounts counts{attempt.expected_prompt_tokens, reply.usage.input};
  attempt.reply = std::move(reply);
  const CountResult result = count_check_.check(counts);
  if (on_probation_ && (result == CountResult::kShort || result == CountResult::kLong)) {
    held_.push_back({pending, std::move(attempt), counts});
    return;
  }
  on_probation_ = false;
  release_held();
  judge_counts(attempt, counts);
  finish(pending.ask, std::move(attempt));
}

void Scheduler::judge_counts(Attempt& attempt, const TokenCounts& counts) {
  attempt.outcome = outcome_of(attempt.reply);
  switch (count_check_.check(counts)) {
    case CountResult::kUnchecked:
      if (counts.reported < 0) ++missing_counts_;
      return;
    case CountResult::kMatches:
      return;
    case CountResult::kShort:
      attempt.outcome = Outcome::kInputTruncated;
      attempt.detail =
          fmt::format("the server read {} prompt tokens of {}", counts.reported, counts.expected);
      if (short_counts_++ == 0) short_example_ = counts;
      return;
    case CountResult::kLong:
      attempt.detail = fmt::format("the server counts {} prompt tokens, expected {}",
                                   counts.reported, counts.expected);
      if (long_counts_++ == 0) long_example_ = counts;
      return;
  }
}

void Scheduler::release_held() {
  for (Held& held : std::exchange(held_, {})) {
    judge_counts(held.attempt, held.counts);
    finish(held.pending.ask, std::move(held.attempt));
  }
}

void Scheduler::on_failure(Pending pending, const Failure& failure) {
  if (stopping_ && (failure.kind == FailureKind::kCancelled || is_retryable(failure.kind))) return;
  if (is_overload(failure)) at_once_.overloaded(pending.sent_ms, now());
  const bool limited = failure.kind == FailureKind::kRateLimited;
  if (is_retryable(failure.kind))
    ++(limited ? pending.tries.rate_limited : pending.tries.transient);
  auto delay = retry_delay_ms(failure, pending.tries, in_.limits, pending.sample->id);
  if (delay && !limited && transient_retries_left_-- <= 0) delay.reset();
  if (!delay) {
    Attempt attempt = new_attempt(pending);
    attempt.outcome = outcome_of(failure);
    attempt.detail = failure.detail;
    finish(pending.ask, std::move(attempt));
    return;
  }
  if (limited && failure.retry_after_ms) {
    pause_until_ms_ = std::max(pause_until_ms_, now() + *failure.retry_after_ms);
  }
  meter_.retried();
  waiting_.emplace(now() + *delay, std::move(pending));
}

void Scheduler::on_deadlines() {
  while (!deadlines_.empty() && deadlines_.begin()->first <= now()) {
    const uint64_t ticket = deadlines_.begin()->second;
    deadlines_.erase(deadlines_.begin());
    const auto found = running_.find(ticket);
    if (found == running_.end()) continue;
    Pending& pending = found->second;
    pending.abandoned = true;
    ++abandoned_running_;
    const int64_t length = info(pending.ask).length;
    meter_.ended(length);
    Attempt attempt = new_attempt(pending);
    attempt.outcome = Outcome::kTimedOut;
    attempt.detail = fmt::format("no whole answer within the deadline of {} ms",
                                 deadline_for(in_.limits.deadline_ms, length));
    finish(pending.ask, std::move(attempt));
    pending.sample.reset();
  }
}

void Scheduler::finish(const Ask& ask, Attempt attempt) {
  note_failure(attempt);
  finished_.push_back({ask, std::move(attempt)});
}

void Scheduler::note_failure(const Attempt& attempt) {
  if (attempt.tries == 0) return;  // nothing was sent
  ++asked_;
  // A published deadline makes lateness a result; without one, silence says nothing about the model
  // and counts as an error does.
  const bool silent = attempt.outcome == Outcome::kTimedOut && in_.limits.deadline_ms.empty();
  if (is_final(attempt.outcome) && !silent) {
    failures_in_a_row_ = 0;
    return;
  }
  ++failures_in_a_row_;
  ++failed_;
  last_failure_ = fmt::format("{}: {}", attempt.sample_id, attempt.detail);
}

// ---- requests out

bool Scheduler::finish_over_window(const Ask& ask) {
  const int64_t window = in_.settings.profile.window_tokens;
  const PrefixPolicy policy = in_.settings.profile.prefix_policy;
  const int64_t prompt = expected_prompt_tokens(info(ask).tokens, policy);
  if (window <= 0 || prompt < window) return false;
  Attempt attempt;
  attempt.sample_id = info(ask).id;
  attempt.sample_hash = info(ask).hash;
  attempt.number = ask.number;
  attempt.outcome = Outcome::kOverWindow;
  attempt.detail = fmt::format(
      "not sent: {} prompt tokens leave no room in the model's window of {}", prompt, window);
  attempt.tries = 0;
  attempt.expected_prompt_tokens = prompt;
  attempt.prefix_policy = policy;
  attempt.started_unix_ms = in_.clock.unix_ms();
  finish(ask, std::move(attempt));
  return true;
}

bool Scheduler::may_start(int64_t tokens, bool is_new) {
  const auto running = static_cast<int64_t>(running_.size());
  if (running >= at_once_.allowed()) return false;
  if (is_new) {
    const int64_t under_way = running + static_cast<int64_t>(waiting_.size());
    if (under_way >= at_once_.allowed()) return false;
    if (on_probation_ &&
        under_way + static_cast<int64_t>(held_.size()) >= in_.limits.count_check_samples)
      return false;
  }
  const int64_t most_tokens = in_.limits.tokens_in_flight;
  if (most_tokens > 0 && running > 0 && tokens_running_ + tokens > most_tokens) return false;
  const int64_t ready =
      std::max(request_rate_.ready_ms(1, now()), token_rate_.ready_ms(tokens, now()));
  if (ready <= now()) return true;
  start_again_ms_ = ready;
  waiting_for_ = "the limit per minute";
  return false;
}

Result<Scheduler::Pending> Scheduler::prepare(const Ask& ask) {
  TRY(std::shared_ptr<const Sample> sample, in_.source.sample(ask.position));
  const SampleInfo& known = info(ask);
  if (sample == nullptr || sample->id != known.id)
    return fail(ErrorCode::kInternal, "the source gave another sample than '{}'", known.id);
  Pending out;
  out.ask = ask;
  if (last_sample_ != nullptr && !sample->haystack.empty() &&
      last_sample_->haystack == sample->haystack)
    out.shared_prefix_bytes = shared_bytes(last_sample_->prompt, sample->prompt);
  out.sample = std::move(sample);
  out.tokens = known.tokens.prompt + output_ceiling(known.tokens, in_.settings);
  out.started_unix_ms = in_.clock.unix_ms();
  return out;
}

void Scheduler::send(Pending pending) {
  Request request = make_request(pending.sample, pending.ask.number, in_.settings);
  request.shared_prefix_bytes = pending.shared_prefix_bytes;
  const int64_t length = info(pending.ask).length;
  ++pending.requests;
  ++counts_.requests;
  pending.sent_ms = now();
  request_rate_.take(1, pending.sent_ms);
  token_rate_.take(pending.tokens, pending.sent_ms);
  tokens_running_ += pending.tokens;
  const uint64_t ticket = next_ticket_++;
  const int64_t deadline = deadline_for(in_.limits.deadline_ms, length);
  if (deadline != kNever) deadlines_.emplace(pending.sent_ms + deadline, ticket);
  meter_.started(length, pending.sent_ms);
  running_.emplace(ticket, std::move(pending));
  in_.model.start(std::move(request), [inbox = inbox_, ticket](Answer answer) {
    inbox->push({ticket, std::move(answer)});
  });
}

Result<void> Scheduler::start_some() {
  const int64_t begin = now();
  start_again_ms_ = kNever;
  waiting_for_.clear();
  for (;;) {
    if (now() < pause_until_ms_) {
      start_again_ms_ = pause_until_ms_;
      waiting_for_ =
          fmt::format("the server, which asks to wait {}",
                      duration_text(static_cast<double>(pause_until_ms_ - now()) / 1000));
      return {};
    }
    if (now() - begin > kLongestStartRoundMs) {
      start_again_ms_ = now();
      return {};
    }
    // What is sent again goes first; while it cannot go, nothing new overtakes it.
    if (!waiting_.empty() && waiting_.begin()->first <= now()) {
      if (!may_start(waiting_.begin()->second.tokens, false)) return {};
      Pending pending = std::move(waiting_.begin()->second);
      waiting_.erase(waiting_.begin());
      send(std::move(pending));
      continue;
    }
    if (next_ask_ == asks_.size()) return {};
    const Ask ask = asks_[next_ask_];
    if (finish_over_window(ask)) {
      ++next_ask_;
      start_again_ms_ = now();  // to be written
      continue;
    }
    const SampleTokens& tokens = info(ask).tokens;
    if (!may_start(tokens.prompt + output_ceiling(tokens, in_.settings), true)) return {};
    TRY(Pending pending, prepare(ask));
    ++next_ask_;
    last_sample_ = pending.sample;
    send(std::move(pending));
  }
}

// ---- around both

Result<void> Scheduler::write_finished() {
  if (finished_.empty()) return {};
  std::vector<Attempt> lines;
  lines.reserve(finished_.size());
  for (Finished& item : finished_) lines.push_back(std::move(item.attempt));
  TRY_VOID(in_.journal.append(lines));
  for (size_t i = 0; i < lines.size(); ++i) {
    const SampleInfo& sample = info(finished_[i].ask);
    meter_.finished(sample.length, lines[i], sample.tokens.prompt,
                    output_ceiling(sample.tokens, in_.settings), now());
    ++counts_.made;
    ++counts_.outcomes[lines[i].outcome];
  }
  finished_.clear();
  return {};
}

std::optional<Error> Scheduler::counts_disagree() {
  if (!on_probation_ || held_.empty()) return std::nullopt;
  const bool last = running_.empty() && waiting_.empty() && next_ask_ == asks_.size();
  if (static_cast<int64_t>(held_.size()) < in_.limits.count_check_samples && !last)
    return std::nullopt;
  std::vector<TokenCounts> counts;
  for (const Held& held : held_) counts.push_back(held.counts);
  if (!in_.limits.allow_count_mismatch)
    return Error{ErrorCode::kSetup, count_mismatch_text(counts)};
  count_check_.accept_ratio(counts);
  on_probation_ = false;
  release_held();
  return std::nullopt;
}

std::optional<Error> Scheduler::too_many_failures(bool at_end) const {
  const std::string kept = fmt::format(
      "last: {}; what was answered is kept: mend the cause and give the same command again",
      last_failure_);
  if (in_.limits.failures_in_a_row > 0 && failures_in_a_row_ >= in_.limits.failures_in_a_row)
    return Error{ErrorCode::kFailedAttempts,
                 fmt::format("{} attempts in a row failed; {}", failures_in_a_row_, kept)};
  const auto most = static_cast<double>(asked_) * in_.limits.failed_share;
  const bool enough = at_end || asked_ >= in_.limits.failed_share_from;
  if (in_.limits.failed_share > 0 && enough && static_cast<double>(failed_) > most)
    return Error{ErrorCode::kFailedAttempts,
                 fmt::format("{} of {} attempts failed; {}", failed_, asked_, kept)};
  return std::nullopt;
}

std::optional<Error> Scheduler::reason_to_stop() {
  if (in_.stop.requested())
    return Error{in_.stop.why(),
                 fmt::format("stopped after {} of {} attempts; the same command goes on from here",
                             counts_.made, asks_.size())};
  if (auto error = counts_disagree()) return error;
  return too_many_failures(false);
}

// A request beyond its deadline is not waited for, but the seam ends all requests or none: so only
// when nothing else is in flight.
void Scheduler::cancel_if_only_abandoned() {
  if (abandoned_running_ > 0 && abandoned_running_ == static_cast<int64_t>(running_.size()))
    in_.model.cancel_all();
}

Result<void> Scheduler::shut_down(Error error, bool journal_works) {
  stopping_ = true;
  waiting_.clear();
  report(true);
  in_.model.cancel_all();
  const int64_t until = now() + in_.limits.stop_grace_ms;
  receive();
  while (!running_.empty() && now() < until) {
    in_.waiter.wait(*inbox_, until);
    receive();
  }
  // Answers that were complete before the stop arrived are paid for: kept.
  if (journal_works) TRY_VOID(write_finished());
  report(true);
  return fail(std::move(error));
}

void Scheduler::report(bool at_once) {
  if (!at_once && now() < next_report_ms_) return;
  next_report_ms_ = now() + kReportEveryMs;
  counts_.last = meter_.snapshot(in_.model.processed_prompt_tokens(), now());
  counts_.last.waiting_retry = static_cast<int64_t>(waiting_.size());
  counts_.last.allowed_at_once = at_once_.allowed();
  counts_.last.waiting_for = waiting_for_;
  counts_.last.stopping = stopping_;
  if (in_.on_progress) in_.on_progress(counts_.last);
}

int64_t Scheduler::next_event_ms() const {
  int64_t next = std::min(start_again_ms_, next_report_ms_);
  if (!waiting_.empty()) next = std::min(next, std::max(waiting_.begin()->first, now() + 1));
  if (!deadlines_.empty()) next = std::min(next, deadlines_.begin()->first);
  return next;
}

}  // namespace fathom
