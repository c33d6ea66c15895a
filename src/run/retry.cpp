#include "run/retry.h"

#include <algorithm>

#include "base/random.h"

namespace fathom {

bool is_retryable(FailureKind kind) {
  return kind == FailureKind::kRateLimited || kind == FailureKind::kTransient;
}

bool is_overload(const Failure& failure) {
  return failure.kind == FailureKind::kRateLimited ||
         (failure.kind == FailureKind::kTransient &&
          (failure.http_status == 503 || failure.http_status == 529));
}

std::optional<int64_t> retry_delay_ms(const Failure& failure, const TriesSoFar& tries,
                                      const RunLimits& limits, const std::string& sample_id) {
  if (!is_retryable(failure.kind)) return std::nullopt;
  const bool limited = failure.kind == FailureKind::kRateLimited;
  const int64_t made = limited ? tries.rate_limited : tries.transient;
  if (made >= (limited ? limits.rate_limited_tries : limits.tries)) return std::nullopt;
  const int64_t asked = std::max<int64_t>(failure.retry_after_ms.value_or(0), 0);
  if (asked > kLongestRetryAfterMs) return std::nullopt;

  const double doublings = static_cast<double>(1ULL << std::clamp<int64_t>(made - 1, 0, 40));
  const double base = std::min(static_cast<double>(limits.first_backoff_ms) * doublings,
                               static_cast<double>(limits.longest_backoff_ms));
  const RandomKey key = RandomKey(0).with(sample_id).with(
      static_cast<uint64_t>(tries.transient + tries.rate_limited));
  const double spread = Random(key, "retry jitter").uniform();
  const auto backoff = static_cast<int64_t>(base * (0.5 + spread));
  // A little after the asked time, so that not all come back in the same instant.
  const auto after_asked = asked + static_cast<int64_t>(static_cast<double>(asked) * 0.1 * spread);
  return std::max({backoff, asked > 0 ? after_asked : 0, int64_t{1}});
}

}  // namespace fathom
