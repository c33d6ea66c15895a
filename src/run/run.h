// A run in a folder: open it (new, or resumed with the same settings), look at its plan, execute
// it.
//
//   TRY(Run run, Run::open({.folder = "runs/a", .settings = settings, .limits = limits}, source,
//   system_clock())); print(to_text(run.plan())); TRY(const RunSummary summary, run.execute(*model,
//   stop, on_progress));
//
// The folder: run.json (run/record.h), attempts*.jsonl (run/journal.h) and a lock. Grading and
// reports read those, never this class.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "run/attempt.h"
#include "run/plan.h"
#include "run/progress.h"
#include "run/record.h"
#include "run/settings.h"
#include "run/source.h"
#include "run/stop.h"

namespace fathom {

class Waiter;

struct RunOptions {
  std::string folder;
  RunSettings settings;
  RunLimits limits;
  RunShard shard;
  int threads = 0;  // for the record
  std::string fathom_version;
  std::set<std::string> allowed_changes;  // names of settings that may differ from run.json this
                                          // time (SettingChange::name)
};

struct RunSummary {
  int64_t total = 0;                    // attempts the run consists of (of this shard)
  int64_t before = 0;                   // of them, finished by earlier sessions
  int64_t made = 0;                     // finished by this one
  int64_t requests = 0;                 // sent by this session, retries included
  std::map<Outcome, int64_t> outcomes;  // of all attempts, earlier sessions included
  std::vector<std::string> warnings;  // for people, each once: "server counts 12 prompt tokens more
                                      // than expected (100 attempts)"
  double seconds = 0;
  Progress last;
};

// Single-threaded.
class Run {
 public:
  // Creates the folder or reopens it; takes its lock; writes run.json. `source` and `clock` must
  // outlive the run. Errors: kUsage for changed settings (named, with both values), for a folder
  // that holds something else and for one that another process is running in; kInput for a damaged
  // record or journal, and for a sample that is no longer the one that was answered; kIo.
  [[nodiscard]] static Result<Run> open(RunOptions options, SampleSource& source,
                                        const Clock& clock);
  Run(Run&&) noexcept;
  Run& operator=(Run&&) noexcept;
  ~Run();

  [[nodiscard]] const Plan& plan() const;
  [[nodiscard]] bool resumed() const;   // the folder held a run already
  [[nodiscard]] bool finished() const;  // nothing is left to ask

  // Asks everything that is left; sends nothing where nothing is. `on_progress` is called from the
  // loop, several times a second. Errors (everything finished so far is in the journal; the same
  // command resumes): kInterrupted and kStopped after a stop request, kFailedAttempts when too many
  // attempts failed, kSetup when token counts show another tokenizer or a cut prompt, kIo (full
  // disk), and the source's own. summary() tells how far it came in every case. Called at most
  // once.
  [[nodiscard]] Result<RunSummary> execute(Model& model, const StopFlag& stop,
                                           const std::function<void(const Progress&)>& on_progress);
  [[nodiscard]] const RunSummary& summary() const;

  // Tests: where the loop waits (run/inbox.h). Must outlive the run.
  void set_waiter(Waiter& waiter);

 private:
  struct State;
  explicit Run(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace fathom
