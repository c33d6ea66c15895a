// Asking a run to stop: from a signal handler or from code. The run then cancels what is in flight,
// keeps what is finished and returns.
#pragma once

#include <atomic>

#include "base/result.h"

namespace fathom {

// Thread-safe, and request() is async-signal-safe.
class StopFlag {
 public:
  void request(ErrorCode why) {
    int none = 0;
    state_.compare_exchange_strong(none, static_cast<int>(why) + 1);
  }
  [[nodiscard]] bool requested() const { return state_.load() != 0; }
  // kInterrupted (Ctrl-C) or kStopped (SIGTERM). Requires: requested().
  [[nodiscard]] ErrorCode why() const { return static_cast<ErrorCode>(state_.load() - 1); }

 private:
  std::atomic<int> state_{0};
};

// While it lives, SIGINT and SIGTERM (and SIGHUP) request a stop on `flag`; a second one ends the
// process at once with 128 + its number. One at a time in a process. Not for library code: the
// program's main line owns it.
class SignalStop {
 public:
  explicit SignalStop(StopFlag& flag);
  ~SignalStop();
  SignalStop(const SignalStop&) = delete;
  SignalStop& operator=(const SignalStop&) = delete;
};

}  // namespace fathom
