#include "cli/progress_note.h"

#include <fmt/format.h>

#include <cstdio>
#include <memory>

#include "base/clock.h"
#include "cli/terminal.h"

namespace fathom {

std::function<void(int64_t, int64_t)> progress_note(const std::string& what) {
  constexpr int64_t kLiveEveryMs = 100;
  constexpr int64_t kPlainEveryMs = 5'000;
  const bool live = stderr_terminal().is_terminal;
  const auto next_ms = std::make_shared<int64_t>(system_clock().monotonic_ms() +
                                                 (live ? kLiveEveryMs : kPlainEveryMs));
  const auto shown = std::make_shared<bool>(false);
  return [=](int64_t done, int64_t of) {
    const int64_t now = system_clock().monotonic_ms();
    const bool last = done == of;
    if (!(now >= *next_ms || (last && *shown))) return;
    *next_ms = now + (live ? kLiveEveryMs : kPlainEveryMs);
    *shown = true;
    const std::string text = fmt::format("{} {}/{}", what, done, of);
    if (live) {
      std::fputs(("\r" + text + (last ? "\n" : "")).c_str(), stderr);
    } else {
      print_note(text);
    }
  };
}

}  // namespace fathom
