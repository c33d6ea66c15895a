// The benchmarks' own readings of an answer, as lenient as they are (J1).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "task/metric.h"

namespace fathom {

struct OfficialScore {
  double score = 0;  // 0..1
  std::vector<bool> found;
  std::string graded_text;  // the answer after the metric's post-processing
  bool operator==(const OfficialScore&) const = default;
};

// `references` must not be empty. O(n) in bytes.
[[nodiscard]] OfficialScore official_score(Metric metric, std::string_view answer,
                                           const std::vector<std::string>& references);

}  // namespace fathom
