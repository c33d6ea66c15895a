// How far a grader agrees with labels (spec J2).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "stats/estimate.h"

namespace fathom {

// Counts by label and grade: counts[label * classes + grade].
struct ConfusionMatrix {
  size_t classes = 0;
  std::vector<int64_t> counts;
  [[nodiscard]] int64_t at(size_t label, size_t grade) const {
    return counts[label * classes + grade];
  }
  bool operator==(const ConfusionMatrix&) const = default;
};
// Requires: equal sizes, values below `classes`.
[[nodiscard]] ConfusionMatrix confusion_matrix(std::span<const size_t> labels,
                                               std::span<const size_t> grades, size_t classes);

// Share on the diagonal, Wilson.
[[nodiscard]] Estimate accuracy(const ConfusionMatrix& matrix, double confidence = kConfidence);

// Cohen's kappa with the large-sample error of Fleiss, Cohen & Everitt (Psychological Bulletin 72,
// 1969), cut to [-1, 1]. Where label and grade are the same single class: 1 without an interval.
[[nodiscard]] Estimate cohens_kappa(const ConfusionMatrix& matrix, double confidence = kConfidence);

}  // namespace fathom
