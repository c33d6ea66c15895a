#include "stats/slope.h"

#include <numeric>

#include "stats/grid_means.h"
#include "stats/mover.h"

namespace fathom {

Estimate slope_per_doubling(const ScoreGrid& grid, double confidence) {
  const GridMeans means = grid_means(grid, confidence);
  if (means.size() < 2) return {};
  const double centre = std::accumulate(means.log2.begin(), means.log2.end(), 0.0) /
                        static_cast<double>(means.size());
  double squares = 0;
  for (const double x : means.log2) squares += (x - centre) * (x - centre);
  std::vector<double> coefficients;
  for (const double x : means.log2) coefficients.push_back((x - centre) / squares);
  Estimate slope = mover(means.means, coefficients, means.correlations);
  slope.n = 0;
  for (const Estimate& mean : means.means) slope.n += mean.n;
  return slope;
}

}  // namespace fathom
