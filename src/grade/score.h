// What one answer is worth.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "task/metric.h"

namespace fathom {

struct Score {
  double official = 0;      // the benchmark's own metric, 0..1
  bool empty = false;       // nothing left after the benchmark's post-processing (RULER's "null")
  std::vector<bool> found;  // per reference, by the official reading
  std::string graded_text;  // the answer after post-processing, as it was graded
  bool operator==(const Score&) const = default;
};

// `answer` is the model's text as it came, without the given prefix; `references` must not be
// empty.
[[nodiscard]] Score grade(Metric metric, std::string_view answer,
                          const std::vector<std::string>& references);

}  // namespace fathom
