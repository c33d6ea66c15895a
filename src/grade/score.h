// What one answer is worth, by the benchmark's own reading and by a strict one beside it (J1, J2).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "grade/expectation.h"
#include "grade/miss.h"
#include "task/metric.h"

namespace fathom {

struct Score {
  double official = 0;      // the benchmark's own metric, 0..1: lenient, "the right string occurs"
  double strict = 0;        // 0..1, never above `official` (docs/formats/scores.md)
  bool empty = false;       // nothing left after the benchmark's post-processing (RULER's "null")
  std::vector<bool> found;  // per reference, by the official reading
  std::vector<MissNote>
      misses;               // why strict is below 1, the main reason first; empty where it is 1
  std::string graded_text;  // the answer after post-processing, as it was graded
  bool operator==(const Score&) const = default;
};

// `answer` is the model's text as it came, without the given prefix; `references` must not be
// empty. Any bytes do. O(n) in the bytes of the answer for given references and expectation.
// Thread-safe.
[[nodiscard]] Score grade(Metric metric, std::string_view answer,
                          const std::vector<std::string>& references,
                          const Expectation& expectation = {});

// What the prompt adds to a note that grading without it left open: kOtherValue becomes
// kWrongBinding or kInvented, kNotFound in documents becomes kHaystackName or kParametric. Other
// notes are returned as they are. `answer` as in grade(). O(n) in bytes.
[[nodiscard]] MissNote confirm_with_prompt(const MissNote& note, std::string_view answer,
                                           const Sample& sample);

}  // namespace fathom
