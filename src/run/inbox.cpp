#include "run/inbox.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace fathom {

void Inbox::push(Completion completion) {
  {
    const std::lock_guard lock(mutex_);
    completions_.push_back(std::move(completion));
  }
  arrived_.notify_one();
}

std::vector<Completion> Inbox::take() {
  const std::lock_guard lock(mutex_);
  return std::exchange(completions_, {});
}

void Inbox::wait_for(int64_t ms) {
  std::unique_lock lock(mutex_);
  arrived_.wait_for(lock, std::chrono::milliseconds(ms), [&] { return !completions_.empty(); });
}

void ClockWaiter::wait(Inbox& inbox, int64_t until_ms) {
  constexpr int64_t kLongestMs = 100;
  inbox.wait_for(std::clamp<int64_t>(until_ms - clock_.monotonic_ms(), 0, kLongestMs));
}

}  // namespace fathom
