#include "stats/grid_means.h"

#include <cmath>
#include <unordered_map>

#include "stats/clustered.h"
#include "stats/interval.h"
#include "stats/weighted_mean.h"

namespace fathom {
namespace {

// What the clusters (or units) of a grid add to a list of means: rows are clusters, columns means.
// The means' covariances are the products of the columns.
class Influence {
 public:
  explicit Influence(size_t columns) : columns_(columns) {}

  void add(int64_t cluster, size_t column, double amount) {
    const auto [place, added] = places_.try_emplace(cluster, places_.size());
    if (added) cells_.resize(cells_.size() + columns_);
    cells_[place->second * columns_ + column] += amount;
  }

  [[nodiscard]] std::vector<double> correlations() const {
    std::vector<double> products(columns_ * columns_);
    for (size_t row = 0; row < places_.size(); ++row) {
      const double* cells = &cells_[row * columns_];
      for (size_t i = 0; i < columns_; ++i)
        for (size_t j = 0; j <= i; ++j) products[i * columns_ + j] += cells[i] * cells[j];
    }
    std::vector<double> found(columns_ * columns_);
    for (size_t i = 0; i < columns_; ++i) {
      found[i * columns_ + i] = 1;
      for (size_t j = 0; j < i; ++j) {
        const double norm = std::sqrt(products[i * columns_ + i] * products[j * columns_ + j]);
        const double value = norm > 0 ? products[i * columns_ + j] / norm : 0;
        found[i * columns_ + j] = value;
        found[j * columns_ + i] = value;
      }
    }
    return found;
  }

 private:
  size_t columns_;
  std::unordered_map<int64_t, size_t> places_;
  std::vector<double> cells_;
};

// The scores of one task at one length, with their clusters.
struct GridCell {
  size_t task = 0;
  std::vector<double> scores;
  std::vector<int64_t> clusters;
};

std::vector<GridCell> cells_at(const ScoreGrid& grid, size_t length) {
  std::vector<GridCell> cells;
  for (size_t task = 0; task < grid.tasks; ++task) {
    GridCell cell{.task = task};
    for (size_t index = 0; index < grid.indices; ++index) {
      if (!grid.has(task, length, index)) continue;
      cell.scores.push_back(grid.at(task, length, index));
      cell.clusters.push_back(grid.cluster_of(task, index));
    }
    if (!cell.scores.empty()) cells.push_back(std::move(cell));
  }
  return cells;
}

Estimate mean_over(const std::vector<GridCell>& cells, const std::vector<Estimate>& parts,
                   bool clustered, double confidence) {
  if (parts.size() == 1) return parts[0];
  const std::vector<double> weights(parts.size(), 1 / static_cast<double>(parts.size()));
  if (!clustered) return stratified_mean(parts, weights, {}, confidence);
  Influence influence(parts.size());
  for (size_t task = 0; task < cells.size(); ++task)
    for (size_t i = 0; i < cells[task].scores.size(); ++i)
      influence.add(cells[task].clusters[i], task, cells[task].scores[i] - parts[task].value);
  return stratified_mean(parts, weights, influence.correlations(), confidence);
}

}  // namespace

GridMeans grid_means(const ScoreGrid& grid, double confidence) {
  GridMeans found;
  Influence influence(grid.lengths.size());
  for (size_t length = 0; length < grid.lengths.size(); ++length) {
    const std::vector<GridCell> cells = cells_at(grid, length);
    if (cells.empty()) continue;
    std::vector<Estimate> parts;
    for (const GridCell& cell : cells) {
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
