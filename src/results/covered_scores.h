// Whether samples of which more evidence was read are answered more often: scores by coverage (spec
// A4, V2).
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "results/arm_folder.h"

namespace fathom {

enum class CoverageMeasure { kJoint, kRecall, kPath };
[[nodiscard]] std::string_view to_text(CoverageMeasure measure);  // "joint", "recall", "path"
[[nodiscard]] double coverage_by(CoverageMeasure measure, const SampleCoverage& coverage);

// Samples of the selectors whose coverage is in [from, below), the last up to 1 included.
struct CoveredScore {
  CoverageMeasure measure = CoverageMeasure::kJoint;
  double from = 0;
  double below = 0;
  Estimate score = {};  // share answered of those that full attention answers; a sample's arms are
                        // one cluster
};

inline constexpr int kCoverageBuckets = 5;

// Of all selectors of their own together (is_real()), only samples that full attention answers
// wholly, so that what is too hard anyway does not blur the picture. Buckets without samples are
// left out. Empty without full attention.
[[nodiscard]] std::vector<CoveredScore> covered_scores(std::span<const FinishedArm> arms);

}  // namespace fathom
