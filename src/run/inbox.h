// Where answers of models arrive, from any thread, for the run's one loop to take; and how that
// loop waits.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <vector>

#include "base/clock.h"
#include "model/model.h"

namespace fathom {

struct Completion {
  uint64_t ticket = 0;  // the loop's number of the request
  Answer answer;
};

// Thread-safe.
class Inbox {
 public:
  void push(Completion completion);
  [[nodiscard]] std::vector<Completion> take();  // all that arrived, in order; does not wait
  // Returns as soon as something is there, or after `ms`.
  void wait_for(int64_t ms);

 private:
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::vector<Completion> completions_;
};

// The seam between the loop and time: tests move a simulated clock here instead of sleeping.
class Waiter {
 public:
  virtual ~Waiter() = default;
  // Returns when `inbox` holds something or the clock says `until_ms` (monotonic), or earlier.
  virtual void wait(Inbox& inbox, int64_t until_ms) = 0;
};

// Waits for real, at most 100 ms at a time so that signals and displays are looked after.
class ClockWaiter : public Waiter {
 public:
  explicit ClockWaiter(const Clock& clock) : clock_(clock) {}
  void wait(Inbox& inbox, int64_t until_ms) override;

 private:
  const Clock& clock_;
};

}  // namespace fathom
