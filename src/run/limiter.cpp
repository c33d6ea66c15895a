#include "run/limiter.h"

#include <algorithm>
#include <cmath>

namespace fathom {
namespace {

constexpr double kMsPerMinute = 60'000;
constexpr double kBurstMs = 5'000;

}  // namespace

RateLimit::RateLimit(int64_t per_minute)
    : per_ms_(static_cast<double>(std::max<int64_t>(per_minute, 0)) / kMsPerMinute),
      capacity_(std::max(1.0, per_ms_ * kBurstMs)),
      level_(capacity_) {}

double RateLimit::level(int64_t now_ms) const {
  if (!started_) return capacity_;
  return std::min(capacity_, level_ + static_cast<double>(now_ms - at_ms_) * per_ms_);
}

int64_t RateLimit::ready_ms(int64_t amount, int64_t now_ms) const {
  if (per_ms_ <= 0) return now_ms;
  const double wanted = std::min(static_cast<double>(amount), capacity_);
  const double missing = wanted - level(now_ms);
  // The tolerance keeps rounding from asking for one more millisecond for ever.
  if (missing <= 1e-6) return now_ms;
  return now_ms + static_cast<int64_t>(std::ceil(missing / per_ms_));
}

void RateLimit::take(int64_t amount, int64_t now_ms) {
  if (per_ms_ <= 0) return;
  level_ = level(now_ms) - static_cast<double>(amount);
  at_ms_ = now_ms;
  started_ = true;
}

AtOnceLimit::AtOnceLimit(int64_t most, bool adaptive)
    : most_(static_cast<double>(std::max<int64_t>(most, 1))),
      adaptive_(adaptive),
      allowed_(adaptive ? 1 : most_) {}

void AtOnceLimit::succeeded() {
  if (!adaptive_) return;
  allowed_ = std::min(most_, allowed_ + (slow_start_ ? 1.0 : 1.0 / std::floor(allowed_)));
}

void AtOnceLimit::overloaded(int64_t sent_ms, int64_t now_ms) {
  if (!adaptive_ || sent_ms < cut_ms_) return;
  slow_start_ = false;
  cut_ms_ = now_ms;
  allowed_ = std::max(1.0, std::floor(allowed_ / 2));
}

}  // namespace fathom
