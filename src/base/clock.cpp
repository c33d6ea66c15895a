#include "base/clock.h"

#include <chrono>
#include <ctime>

namespace fathom {
namespace {

class SystemClock final : public Clock {
 public:
  int64_t monotonic_ms() const override { return since_epoch<std::chrono::steady_clock>(); }
  int64_t unix_ms() const override { return since_epoch<std::chrono::system_clock>(); }

 private:
  template <typename Source>
  static int64_t since_epoch() {
    return std::chrono::duration_cast<std::chrono::milliseconds>(Source::now().time_since_epoch())
        .count();
  }
};

}  // namespace

const Clock& system_clock() {
  static const SystemClock clock;
  return clock;
}

std::string utc_text(int64_t unix_ms) {
  const std::time_t seconds = unix_ms / 1000;
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  char text[32];
  const size_t size = std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return std::string(text, size);
}

}  // namespace fathom
