// How means go together that have clusters in common: what each cluster adds to each mean, and the
// correlations that follow (the products of the residuals' sums by cluster, as in Liang & Zeger,
// Biometrika 73, 1986).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "stats/cluster_numbers.h"

namespace fathom {

// Rows are clusters (or units), columns are means. Memory: clusters × columns. Single-threaded.
class Influence {
 public:
  explicit Influence(size_t columns) : columns_(columns) {}

  // `amount`: a score's residual from the mean of its column, times any weight of the column's.
  void add(int64_t cluster, size_t column, double amount);

  // Row-major, 1 on the diagonal; 0 where a mean does not vary. O(clusters · columns²).
  [[nodiscard]] std::vector<double> correlations() const;

 private:
  size_t columns_;
  ClusterNumbers rows_;
  std::vector<double> cells_;
};

}  // namespace fathom
