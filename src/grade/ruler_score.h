// RULER's way from answers to the score of a task, to the last digit (reference: ruler.md §4).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace fathom {

// strip, every control character 0x00..0x1f becomes a newline, strip again.
[[nodiscard]] std::string ruler_post_process(std::string_view answer);

struct RulerTaskScore {
  double score = 0;   // 0..100, two decimals
  int64_t nulls = 0;  // answers that are empty after post-processing
  int64_t total = 0;
  bool operator==(const RulerTaskScore&) const = default;
};

// Mean of Score::official of a task's answers, in file order (the order decides the last bit of the
// sum), times 100, rounded as Python does. No answers: score 0.
[[nodiscard]] RulerTaskScore ruler_task_score(std::span<const double> official, int64_t nulls);

}  // namespace fathom
