// Which samples are not independent of each other.
#pragma once

#include <cstdint>
#include <vector>

#include "results/results.h"
#include "stats/weighted_mean.h"

namespace fathom {

// One id a row: equal for rows that share a haystack, or that are the same index of the same cell
// at several lengths (the same question in more text), directly or through others. Ids are 0, 1 …
// in order of first appearance. Needs samples and rows. O(n).
[[nodiscard]] std::vector<int64_t> sample_clusters(const Results& results);

// How the means of ordinary tasks depend on each other: in any way where samples of several tasks
// share a haystack.
[[nodiscard]] Dependence task_dependence(const Results& results,
                                         const std::vector<int64_t>& clusters);

}  // namespace fathom
