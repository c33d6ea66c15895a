// The means over tasks of a ScoreGrid at each of its lengths, with how they go together: since the
// same units stand behind several lengths, the means are correlated.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "stats/estimate.h"
#include "stats/score_grid.h"

namespace fathom {

struct GridMeans {
  std::vector<size_t> places;        // into grid.lengths: those with a score, ascending
  std::vector<double> log2;          // log2 of each of those lengths
  std::vector<Estimate> means;       // over tasks, each with the same weight; n counts scores
  std::vector<double> correlations;  // of the means, row-major; 0 where a mean does not vary

  [[nodiscard]] size_t size() const { return places.size(); }
};

// Each task's mean has the interval of mean_score() (clustered_mean_score() where the grid has
// clusters); over tasks the stratified mean, with their correlations where clusters span tasks.
// O(scores).
[[nodiscard]] GridMeans grid_means(const ScoreGrid& grid, double confidence = kConfidence);

// A weighted mean over the lengths, with the lengths' correlations: RULER's averages with an
// interval much narrower than the sum of limits. `weights` has one positive weight for each of
// means.means; empty: all equal.
[[nodiscard]] Estimate mean_over_lengths(const GridMeans& means, std::span<const double> weights,
                                         double confidence = kConfidence);

}  // namespace fathom
