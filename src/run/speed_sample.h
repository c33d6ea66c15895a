// How fast a model was, from the timings of its replies.
#pragma once

#include <cstdint>

#include "run/attempt.h"
#include "run/plan.h"

namespace fathom {

// Single-threaded. Sums only; replies without counts or timings are passed over.
class SpeedSample {
 public:
  void add(const Attempt& attempt);
  // `assumed` with those speeds replaced that at least three replies show. Cached prompt tokens do
  // not count as read.
  [[nodiscard]] Speeds speeds(Speeds assumed) const;

 private:
  int64_t replies_ = 0;
  int64_t prompt_tokens_ = 0;
  int64_t later_output_tokens_ = 0;  // those after the first of each reply
  double first_token_ms_ = 0;
  double rest_ms_ = 0;
};

}  // namespace fathom
