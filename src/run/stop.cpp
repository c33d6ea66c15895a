#include "run/stop.h"

#include <signal.h>
#include <unistd.h>

namespace fathom {
namespace {

constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP};

std::atomic<StopFlag*> active_flag{nullptr};
struct sigaction previous[std::size(kSignals)];

void on_signal(int number) {
  StopFlag* flag = active_flag.load();
  if (flag == nullptr || flag->requested()) ::_exit(128 + number);
  flag->request(number == SIGINT ? ErrorCode::kInterrupted : ErrorCode::kStopped);
}

}  // namespace

SignalStop::SignalStop(StopFlag& flag) {
  active_flag = &flag;
  struct sigaction action {};
  action.sa_handler = on_signal;
  ::sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < std::size(kSignals); ++i) ::sigaction(kSignals[i], &action, &previous[i]);
}

SignalStop::~SignalStop() {
  for (size_t i = 0; i < std::size(kSignals); ++i) ::sigaction(kSignals[i], &previous[i], nullptr);
  active_flag = nullptr;
}

}  // namespace fathom
