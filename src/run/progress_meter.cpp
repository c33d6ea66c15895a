#include "run/progress_meter.h"

#include <algorithm>
#include <utility>

namespace fathom {
namespace {

constexpr int64_t kRecentMs = 30'000;
constexpr int64_t kRecentStepMs = 500;

}  // namespace

ProgressMeter::ProgressMeter(const Plan& plan, int64_t now_ms)
    : speeds_(plan.speeds), begin_ms_(now_ms) {
  for (const PlanRow& row : plan.rows) {
    Length& length = lengths_[row.length];
    length.total += row.attempts;
    length.before += row.finished;
    length.done += row.finished;
    length.failed += row.failed;
    length.prompt_left += row.prompt_tokens;
    length.output_left += row.output_tokens;
    failed_ += row.failed;
  }
}

void ProgressMeter::started(int64_t length, int64_t now_ms) {
  Length& counts = lengths_[length];
  ++counts.running;
  if (counts.first_start_ms < 0) counts.first_start_ms = now_ms;
}

void ProgressMeter::ended(int64_t length) { --lengths_[length].running; }

void ProgressMeter::finished(int64_t length, const Attempt& attempt, int64_t prompt_tokens,
                             int64_t output_ceiling, int64_t now_ms) {
  Length& counts = lengths_[length];
  ++counts.done;
  ++counts.made;
  counts.prompt_left -= prompt_tokens;
  counts.output_left -= output_ceiling;
  counts.last_end_ms = last_end_ms_ = now_ms;
  const bool complete = is_complete(attempt.outcome);
  if (!complete) {
    ++counts.failed;
    ++failed_;
  }
  const Usage& usage = attempt.reply.usage;
  timings_.add(attempt);
  if (attempt.reply.total_ms <= 0) return;
  prompt_done_ += usage.input >= 0 ? usage.input : prompt_tokens;
  output_done_ += std::max<int64_t>(usage.output, 0);
  ceiling_done_ += output_ceiling;
}

double ProgressMeter::seconds_of(int64_t prompt_tokens, double output_tokens) const {
  return static_cast<double>(prompt_tokens) / speeds_.prompt_tokens_per_s +
         output_tokens / speeds_.output_tokens_per_s;
}

// Work is counted in seconds of one request at the speeds known so far; what this session did per
// second of real time tells how fast the rest goes, waiting and parallel requests included.
void ProgressMeter::fill_times(Progress& out, int64_t now_ms) {
  speeds_ = timings_.speeds(speeds_);
  const double output_share =
      ceiling_done_ > 0 ? static_cast<double>(output_done_) / static_cast<double>(ceiling_done_)
                        : 1.0;
  const int64_t partly = std::max<int64_t>(out.prompt_tokens - prompt_done_, 0);
  const double done_s = seconds_of(prompt_done_ + partly, static_cast<double>(output_done_));
  double pace = speeds_.at_once;
  double since_s =
      0;  // the last one finished; between two nothing is seen of the work, unless the model tells
  if (out.done > out.before && out.elapsed_s > 0 && done_s > 0) {
    if (partly == 0) since_s = static_cast<double>(now_ms - last_end_ms_) / 1000;
    // A model that stands still is slow, not nearly done.
    if (since_s > out.elapsed_s / 4) since_s = 0;
    pace = done_s / (out.elapsed_s - since_s);
  }
  const auto eta = [&](double work_s) { return std::max(0.0, work_s / pace - since_s); };
  double left_s = -seconds_of(partly, 0);
  size_t i = 0;
  for (const auto& [length, counts] : lengths_) {
    LengthProgress& row = out.lengths[i++];
    left_s +=
        seconds_of(counts.prompt_left, static_cast<double>(counts.output_left) * output_share);
    row.eta_s = counts.done == counts.total ? 0 : eta(left_s);
    const int64_t end = counts.done == counts.total ? counts.last_end_ms : now_ms;
    if (counts.made > 0 && end > counts.first_start_ms && counts.first_start_ms >= 0)
      row.per_minute = static_cast<double>(counts.made) * 60'000 /
                       static_cast<double>(end - counts.first_start_ms);
  }
  out.eta_s = out.done == out.total ? 0 : eta(left_s);
}

Progress ProgressMeter::snapshot(int64_t processed_tokens, int64_t now_ms) {
  Progress out;
  for (const auto& [length, counts] : lengths_) {
    out.lengths.push_back({.length = length,
                           .total = counts.total,
                           .before = counts.before,
                           .done = counts.done,
                           .failed = counts.failed,
                           .running = counts.running});
    out.total += counts.total;
    out.before += counts.before;
    out.done += counts.done;
    out.running += counts.running;
  }
  out.failed = failed_;
  out.retries = retries_;
  out.prompt_tokens = std::max(prompt_done_, processed_tokens);
  out.output_tokens = output_done_;
  out.elapsed_s = static_cast<double>(now_ms - begin_ms_) / 1000;
  if (recent_.empty() || now_ms - recent_.back().first >= kRecentStepMs)
    recent_.emplace_back(now_ms, out.prompt_tokens);
  while (recent_.size() > 2 && now_ms - recent_.front().first > kRecentMs) recent_.pop_front();
  if (now_ms > recent_.front().first)
    out.prompt_tokens_per_s = static_cast<double>(out.prompt_tokens - recent_.front().second) *
                              1000 / static_cast<double>(now_ms - recent_.front().first);
  fill_times(out, now_ms);
  return out;
}

}  // namespace fathom
