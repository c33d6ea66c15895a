// Paints a run's progress: a few live lines on a terminal, a plain line now and then elsewhere.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "run/progress.h"

namespace fathom {

struct ProgressStyle {
  bool live = false;    // the output is a terminal that understands cursor movement
  bool colour = false;  // not with NO_COLOR
  int width = 80;       // columns
  int height = 24;      // rows
  int64_t live_every_ms = 200;
  int64_t plain_every_ms = 10'000;
};

// Looks at a file descriptor and the environment (TERM, NO_COLOR).
[[nodiscard]] ProgressStyle progress_style(int descriptor);

// The lines for one snapshot, without cursor movement; none is wider than style.width columns.
[[nodiscard]] std::string live_text(const Progress& progress, const ProgressStyle& style);
[[nodiscard]] std::string plain_text(const Progress& progress);

// Single-threaded. `write` gets whole pieces of output for the terminal (standard error, say); the
// painter never writes by itself.
class ProgressPainter {
 public:
  ProgressPainter(ProgressStyle style, std::function<void(const std::string&)> write);
  // Called as often as one likes; paints when it is time or when a length has finished.
  void update(const Progress& progress, int64_t now_ms);
  // Paints the last state and leaves the cursor below it.
  void finish(const Progress& progress);
  // Removes the live lines so that something else can be printed; the next update paints them
  // again.
  void clear();

 private:
  ProgressStyle style_;
  std::function<void(const std::string&)> write_;
  int64_t next_ms_ = 0;
  std::string last_line_;  // plain: finish() does not write it again
  int painted_lines_ = 0;
  int64_t finished_lengths_ = -1;
};

}  // namespace fathom
