// Keeps count of a run while it goes and works out rates and the time left.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <utility>

#include "run/attempt.h"
#include "run/plan.h"
#include "run/progress.h"
#include "run/speed_sample.h"

namespace fathom {

// Single-threaded. Times are monotonic milliseconds.
class ProgressMeter {
 public:
  ProgressMeter(const Plan& plan, int64_t now_ms);

  void started(int64_t length, int64_t now_ms);
  // The request is no longer in flight (finished or waiting to be sent again).
  void ended(int64_t length);
  void retried() { ++retries_; }
  // `output_ceiling` is what the plan counted for this attempt.
  void finished(int64_t length, const Attempt& attempt, int64_t prompt_tokens,
                int64_t output_ceiling, int64_t now_ms);

  // `processed_tokens`: Model::processed_prompt_tokens(). Fills everything that the meter knows.
  [[nodiscard]] Progress snapshot(int64_t processed_tokens, int64_t now_ms);

 private:
  struct Length {
    int64_t total = 0, before = 0, done = 0, failed = 0, running = 0, made = 0;
    int64_t prompt_left = 0, output_left = 0;  // tokens of the attempts that are left
    int64_t first_start_ms = -1, last_end_ms = -1;
  };
  [[nodiscard]] double seconds_of(int64_t prompt_tokens, double output_tokens) const;
  void fill_times(Progress& out, int64_t now_ms);

  Speeds speeds_;
  int64_t begin_ms_;
  int64_t last_end_ms_ = 0;
  std::map<int64_t, Length> lengths_;
  int64_t failed_ = 0, retries_ = 0;
  int64_t prompt_done_ = 0, output_done_ = 0, ceiling_done_ = 0;
  SpeedSample timings_;
  std::deque<std::pair<int64_t, int64_t>> recent_;  // time, prompt tokens read so far
};

}  // namespace fathom
