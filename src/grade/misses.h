// Why an answer falls short of the strict reading (J3; docs/grading.md says what each kind means).
#pragma once

#include <string>
#include <vector>

#include "grade/expectation.h"
#include "grade/miss.h"
#include "grade/official_score.h"
#include "grade/strict_reading.h"

namespace fathom {

// The main reason first; never empty. Requires: reading.score < 1. O(n) in the bytes of the answer.
[[nodiscard]] std::vector<MissNote> misses_of(Metric metric, const AnswerText& answer,
                                              const OfficialScore& official,
                                              const StrictReading& reading,
                                              const std::vector<std::string>& references,
                                              const Expectation& expectation);

}  // namespace fathom
