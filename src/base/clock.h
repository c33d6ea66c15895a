// Time through a seam, so that tests can set it.
#pragma once

#include <cstdint>
#include <string>

namespace fathom {

// Thread-safe.
class Clock {
 public:
  virtual ~Clock() = default;
  [[nodiscard]] virtual int64_t monotonic_ms() const = 0;  // for durations
  [[nodiscard]] virtual int64_t unix_ms() const = 0;       // for records
};

[[nodiscard]] const Clock& system_clock();

// "2026-11-30T22:18:43Z"
[[nodiscard]] std::string utc_text(int64_t unix_ms);

}  // namespace fathom
