#include "run/speed_sample.h"

#include <algorithm>

namespace fathom {

void SpeedSample::add(const Attempt& attempt) {
  const Reply& reply = attempt.reply;
  const int64_t input = reply.usage.input >= 0 ? reply.usage.input : attempt.expected_prompt_tokens;
  if (reply.first_token_ms <= 0 || reply.usage.output < 0 || input <= 0) return;
  ++replies_;
  prompt_tokens_ += std::max<int64_t>(input - std::max<int64_t>(reply.usage.cached, 0), 0);
  later_output_tokens_ += std::max<int64_t>(reply.usage.output - 1, 0);
  first_token_ms_ += reply.first_token_ms;
  rest_ms_ += std::max(0.0, reply.total_ms - reply.first_token_ms);
}

Speeds SpeedSample::speeds(Speeds assumed) const {
  constexpr int64_t kRepliesWanted = 3;
  if (replies_ < kRepliesWanted) return assumed;
  if (prompt_tokens_ > 0) {
    assumed.prompt_tokens_per_s = static_cast<double>(prompt_tokens_) * 1000 / first_token_ms_;
    assumed.measured = true;
  }
  if (later_output_tokens_ > 0 && rest_ms_ > 0) {
    assumed.output_tokens_per_s = static_cast<double>(later_output_tokens_) * 1000 / rest_ms_;
    assumed.measured = true;
  }
  return assumed;
}

}  // namespace fathom
