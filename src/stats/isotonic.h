// The falling curve nearest to a list of values: weighted least squares under the rule that no
// value is above one before it.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace fathom {

// Pool adjacent violators (Ayer et al. 1955). Requires: weights empty (all equal) or one positive
// weight a value. O(n).
[[nodiscard]] std::vector<double> isotonic_decreasing(std::span<const double> values,
                                                      std::span<const double> weights = {});

// The same over a table (row-major, `columns` wide): falling along every row and every column, by
// Dykstra's alternating projections (Dykstra & Robertson, Annals of Statistics 10, 1982) to 1e-12.
[[nodiscard]] std::vector<double> isotonic_decreasing_2d(std::span<const double> values,
                                                         std::span<const double> weights,
                                                         size_t columns);

// Where a falling curve through (x, y) falls below `threshold`, linear between its points. Returns
// -infinity where it starts below, +infinity where it never does. Requires: x ascending, y falling.
[[nodiscard]] double falling_crossing(std::span<const double> x, std::span<const double> y,
                                      double threshold);

}  // namespace fathom
