// Executing runs with the terminal's progress and Ctrl-C.
#pragma once

#include <functional>
#include <mutex>
#include <vector>

#include "base/result.h"
#include "model/model.h"
#include "run/progress_line.h"
#include "run/run.h"

namespace fathom {

// Paints on standard error. Thread-safe: several runs may report to one.
class TerminalProgress {
 public:
  explicit TerminalProgress(size_t runs);
  void update(size_t run, const Progress& progress);
  void finish();

 private:
  std::mutex mutex_;
  std::vector<Progress> latest_;
  ProgressPainter painter_;
};

// Snapshots of several runs as those of one.
[[nodiscard]] Progress added_up(const std::vector<Progress>& runs);

// One run, with signals and progress.
[[nodiscard]] Result<RunSummary> execute_run(Run& run, Model& model);

}  // namespace fathom
