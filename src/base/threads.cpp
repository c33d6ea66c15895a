#include "base/threads.h"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

namespace fathom {

int available_cores() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) return std::max(1, CPU_COUNT(&set));
  return std::max(1U, std::thread::hardware_concurrency());
}

void parallel_for(size_t count, int threads, const std::function<void(size_t)>& body) {
  const size_t wanted = static_cast<size_t>(threads > 0 ? threads : available_cores());
  const size_t workers = std::min(wanted, count);
  std::atomic<size_t> next{0};
  const auto work = [&] {
    for (size_t i = next++; i < count; i = next++) body(i);
  };
  if (workers <= 1) return work();
  std::vector<std::jthread> pool;
  pool.reserve(workers);
  for (size_t i = 0; i < workers; ++i) pool.emplace_back(work);
}

}  // namespace fathom
