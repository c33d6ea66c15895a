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

// The share of clusters, 0..1, that hold samples of several ordinary tasks, as where tasks are
// asked in one haystack. Above 0 the means of tasks are correlated.
[[nodiscard]] double share_spanning_tasks(const Results& results,
                                          const std::vector<int64_t>& clusters);

// How to bound a mean of tasks' figures whose correlations are not at hand: kAny where more than
// kChanceMeetings of the clusters span tasks. Fewer are samples that met in one text by chance.
inline constexpr double kChanceMeetings = 0.05;
[[nodiscard]] Dependence task_dependence(const Results& results,
                                         const std::vector<int64_t>& clusters);

}  // namespace fathom
