// First, middle and last fifths of the context, and what lies between them.
#pragma once

#include <cstdint>
#include <vector>

#include "results/positions.h"

namespace fathom {

// `clusters` by row (sample_clusters.h), `boundaries` by length (block_boundaries()).
[[nodiscard]] std::vector<PositionGap> position_gaps(const Results& results,
                                                     const std::vector<int64_t>& clusters,
                                                     const std::vector<size_t>& boundaries);

}  // namespace fathom
