#include "stats/grid_means.h"

#include <cmath>

#include "stats/clustered.h"
#include "stats/influence.h"
#include "stats/interval.h"
#include "stats/macro_mean.h"
#include "stats/weighted_mean.h"

namespace fathom {
namespace {

// The tasks that have scores at a length.
std::vector<TaskCell> cells_at(const ScoreGrid& grid, size_t length) {
  std::vector<TaskCell> cells;
  for (size_t task = 0; task < grid.tasks; ++task) {
    TaskCell cell;
    for (size_t index = 0; index < grid.indices; ++index) {
      if (!grid.has(task, length, index)) continue;
      cell.scores.push_back(grid.at(task, length, index));
      cell.clusters.push_back(grid.cluster_of(task, index));
    }
    if (!cell.scores.empty()) cells.push_back(std::move(cell));
  }
  return cells;
}

Estimate mean_over(const std::vector<TaskCell>& cells, const std::vector<Estimate>& parts,
                   bool clustered, double confidence) {
  if (clustered) return mean_over_cells(cells, parts, confidence);
  if (parts.size() == 1) return parts[0];
  const std::vector<double> weights(parts.size(), 1 / static_cast<double>(parts.size()));
  return stratified_mean(parts, weights, {}, confidence);
}

}  // namespace

GridMeans grid_means(const ScoreGrid& grid, double confidence) {
  GridMeans found;
  Influence influence(grid.lengths.size());
  for (size_t length = 0; length < grid.lengths.size(); ++length) {
    const std::vector<TaskCell> cells = cells_at(grid, length);
    if (cells.empty()) continue;
    std::vector<Estimate> parts;
    for (const TaskCell& cell : cells) {
      parts.push_back(grid.clusters.empty()
                          ? mean_score(cell.scores, confidence)
                          : clustered_mean_score(cell.scores, cell.clusters, confidence));
      const double weight =
          1 / (static_cast<double>(cells.size()) * static_cast<double>(cell.scores.size()));
      for (size_t i = 0; i < cell.scores.size(); ++i)
        influence.add(cell.clusters[i], found.size(),
                      weight * (cell.scores[i] - parts.back().value));
    }
    found.means.push_back(mean_over(cells, parts, !grid.clusters.empty(), confidence));
    found.places.push_back(length);
    found.log2.push_back(std::log2(static_cast<double>(grid.lengths[length])));
  }
  // Columns beyond those used stay empty.
  const std::vector<double> all = influence.correlations();
  for (size_t i = 0; i < found.size(); ++i)
    for (size_t j = 0; j < found.size(); ++j)
      found.correlations.push_back(all[i * grid.lengths.size() + j]);
  return found;
}

Estimate mean_over_lengths(const GridMeans& means, std::span<const double> weights,
                           double confidence) {
  if (means.size() == 0) return {};
  double total = 0;
  std::vector<double> shares;
  for (size_t i = 0; i < means.size(); ++i) {
    shares.push_back(weights.empty() ? 1 : weights[i]);
    total += shares.back();
  }
  for (double& share : shares) share /= total;
  return stratified_mean(means.means, shares, means.correlations, confidence);
}

}  // namespace fathom
