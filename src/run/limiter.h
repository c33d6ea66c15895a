// How much may be sent: per minute (token bucket) and at once (fixed or adaptive). Pure arithmetic
// over given times.
#pragma once

#include <cstdint>

namespace fathom {

// At most `per_minute` units in the long run. Up to five seconds' worth may go at once; a single
// larger amount goes when the bucket is full and is paid back before the next, so that it can go at
// all. Single-threaded.
class RateLimit {
 public:
  explicit RateLimit(int64_t per_minute);  // 0: no limit
  // The earliest time at which `amount` may go; now_ms or before: now.
  [[nodiscard]] int64_t ready_ms(int64_t amount, int64_t now_ms) const;
  void take(int64_t amount, int64_t now_ms);

 private:
  [[nodiscard]] double level(int64_t now_ms) const;

  double per_ms_;
  double capacity_;
  double level_;
  int64_t at_ms_ = 0;
  bool started_ = false;
};

// Requests at once. Adaptive: doubles per round of successes until the first overload, then grows
// by one per round; an overload halves it, once per round trip (requests sent before the last cut
// do not cut again). Single-threaded.
class AtOnceLimit {
 public:
  AtOnceLimit(int64_t most, bool adaptive);
  [[nodiscard]] int64_t allowed() const { return static_cast<int64_t>(allowed_); }
  void succeeded();
  void overloaded(int64_t sent_ms, int64_t now_ms);

 private:
  double most_;
  bool adaptive_;
  double allowed_;
  bool slow_start_ = true;
  int64_t cut_ms_ = -1;
};

}  // namespace fathom
