#include "cli/run_execution.h"

#include <unistd.h>

#include <algorithm>
#include <map>

#include "base/clock.h"
#include "run/stop.h"

namespace fathom {
namespace {

void write_error(const std::string& text) {
  const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
  static_cast<void>(written);  // a progress line that cannot be shown is no reason to stop a run
}

// The later of two times to come; unknown with one that is.
double later(double a, double b) { return a < 0 || b < 0 ? -1 : std::max(a, b); }

}  // namespace

Progress added_up(const std::vector<Progress>& runs) {
  if (runs.empty()) return {};
  Progress sum = runs.front();
  std::map<int64_t, LengthProgress> lengths;
  for (const LengthProgress& length : sum.lengths) lengths[length.length] = length;
  for (size_t i = 1; i < runs.size(); ++i) {
    const Progress& run = runs[i];
    for (int64_t Progress::*value :
         {&Progress::total, &Progress::before, &Progress::done, &Progress::failed,
          &Progress::running, &Progress::waiting_retry, &Progress::retries,
          &Progress::output_tokens})
      sum.*value += run.*value;
    // The model behind them is one, and tells each of them all that it reads.
    sum.prompt_tokens = std::max(sum.prompt_tokens, run.prompt_tokens);
    sum.prompt_tokens_per_s = std::max(sum.prompt_tokens_per_s, run.prompt_tokens_per_s);
    sum.elapsed_s = std::max(sum.elapsed_s, run.elapsed_s);
    sum.eta_s = later(sum.eta_s, run.eta_s);
    sum.stopping = sum.stopping || run.stopping;
    for (const LengthProgress& one : run.lengths) {
      LengthProgress& length = lengths[one.length];
      length.length = one.length;
      length.total += one.total;
      length.before += one.before;
      length.done += one.done;
      length.failed += one.failed;
      length.running += one.running;
      length.per_minute += one.per_minute;
      length.eta_s = later(length.eta_s, one.eta_s);
    }
  }
  sum.lengths.clear();
  for (auto& [length, progress] : lengths) sum.lengths.push_back(progress);
  return sum;
}

TerminalProgress::TerminalProgress(size_t runs)
    : latest_(runs), painter_(progress_style(STDERR_FILENO), write_error) {}

void TerminalProgress::update(size_t run, const Progress& progress) {
  const std::lock_guard lock(mutex_);
  latest_[run] = progress;
  painter_.update(added_up(latest_), system_clock().monotonic_ms());
}

void TerminalProgress::finish() {
  const std::lock_guard lock(mutex_);
  painter_.finish(added_up(latest_));
}

Result<RunSummary> execute_run(Run& run, Model& model) {
  StopFlag stop;
  const SignalStop signals(stop);
  TerminalProgress display(1);
  auto result =
      run.execute(model, stop, [&](const Progress& progress) { display.update(0, progress); });
  display.update(0, run.summary().last);
  display.finish();
  return result;
}

}  // namespace fathom
