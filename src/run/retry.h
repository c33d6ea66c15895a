// Whether and when a failed request is sent again.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "model/model.h"
#include "run/settings.h"

namespace fathom {

// A server that asks to wait longer than this is taken as a lasting failure of the attempt.
inline constexpr int64_t kLongestRetryAfterMs = 3'600'000;

struct TriesSoFar {
  int64_t transient =
      0;  // requests of this attempt that failed transiently, the last one included where it did
  int64_t rate_limited = 0;  // those answered with 429
};

// 429 and transient failures only.
[[nodiscard]] bool is_retryable(FailureKind kind);
// 429, 503, 529: the server has too much to do.
[[nodiscard]] bool is_overload(const Failure& failure);

// Milliseconds to wait before the next request; nullopt: give up. The jitter is a pure function of
// `sample_id` and the tries, so that a run can be simulated; different samples spread out.
[[nodiscard]] std::optional<int64_t> retry_delay_ms(const Failure& failure, const TriesSoFar& tries,
                                                    const RunLimits& limits,
                                                    const std::string& sample_id);

}  // namespace fathom
