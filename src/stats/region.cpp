#include "stats/region.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "stats/isotonic.h"

namespace fathom {
namespace {

struct SurfaceGrid {
  const ScoreSurface& surface;
  size_t rows;     // complexities
  size_t columns;  // lengths
  [[nodiscard]] size_t cell(size_t row, size_t column) const { return row * columns + column; }
};

// The mean of the nearest known cells, in steps of the grid.
double from_neighbours(const SurfaceGrid& grid, size_t row, size_t column) {
  const auto distance = [](size_t a, size_t b) { return a > b ? a - b : b - a; };
  size_t nearest = grid.rows + grid.columns;
  double sum = 0;
  double count = 0;
  for (size_t r = 0; r < grid.rows; ++r) {
    for (size_t c = 0; c < grid.columns; ++c) {
      const Estimate& estimate = grid.surface.cells[grid.cell(r, c)];
      const size_t steps = distance(r, row) + distance(c, column);
      if (!estimate.known() || steps > nearest) continue;
      if (steps < nearest) {
        nearest = steps;
        sum = 0;
        count = 0;
      }
      sum += estimate.value;
      count += 1;
    }
  }
  return count > 0 ? sum / count : 0;
}

std::vector<double> fitted_surface(const SurfaceGrid& grid) {
  constexpr double kGuessWeight = 1e-6;  // of a cell that nothing was measured in
  std::vector<double> values;
  std::vector<double> weights;
  for (size_t row = 0; row < grid.rows; ++row) {
    for (size_t column = 0; column < grid.columns; ++column) {
      const Estimate& estimate = grid.surface.cells[grid.cell(row, column)];
      values.push_back(estimate.known() ? estimate.value : from_neighbours(grid, row, column));
      weights.push_back(estimate.known() ? static_cast<double>(estimate.n) : kGuessWeight);
    }
  }
  return isotonic_decreasing_2d(values, weights, grid.columns);
}

// An edge of the grid: from (row, column) to the next column or the next row.
struct GridEdge {
  size_t row = 0;
  size_t column = 0;
  bool along_row = false;
  auto operator<=>(const GridEdge&) const = default;
};

// Marching squares. The surface falls in both directions, so a square is cut at most once and its
// saddle cases cannot occur.
class ContourTracer {
 public:
  ContourTracer(const SurfaceGrid& grid, const std::vector<double>& fitted, double threshold)
      : grid_(grid), fitted_(fitted), threshold_(threshold) {}

  [[nodiscard]] std::vector<std::vector<RegionPoint>> trace() {
    if (grid_.rows < 2 || grid_.columns < 2) return single_line();
    for (size_t row = 0; row + 1 < grid_.rows; ++row)
      for (size_t column = 0; column + 1 < grid_.columns; ++column) cut_square(row, column);
    std::vector<std::vector<RegionPoint>> contours;
    // Open lines first, each from one of its two ends; a falling surface has no closed ones.
    for (const auto& [edge, next] : neighbours_)
      if (next.size() == 1 && !seen_.contains(edge)) contours.push_back(follow(edge));
    return contours;
  }

 private:
  [[nodiscard]] bool passes(size_t row, size_t column) const {
    return fitted_[grid_.cell(row, column)] >= threshold_;
  }
  [[nodiscard]] bool crossed(const GridEdge& edge) const {
    return passes(edge.row, edge.column) != passes(edge.along_row ? edge.row : edge.row + 1,
                                                   edge.along_row ? edge.column + 1 : edge.column);
  }
  [[nodiscard]] RegionPoint point_on(const GridEdge& edge) const {
    const size_t row = edge.along_row ? edge.row : edge.row + 1;
    const size_t column = edge.along_row ? edge.column + 1 : edge.column;
    const double from = fitted_[grid_.cell(edge.row, edge.column)];
    const double to = fitted_[grid_.cell(row, column)];
    const double part = (from - threshold_) / (from - to);
    const auto log2_length = [&](size_t c) {
      return std::log2(static_cast<double>(grid_.surface.lengths[c]));
    };
    const double length =
        log2_length(edge.column) + part * (log2_length(column) - log2_length(edge.column));
    const std::vector<double>& complexities = grid_.surface.complexities;
    return {std::exp2(length),
            complexities[edge.row] + part * (complexities[row] - complexities[edge.row])};
  }
  void cut_square(size_t row, size_t column) {
    std::vector<GridEdge> cut;
    for (const GridEdge& edge : {GridEdge{row, column, true}, GridEdge{row, column, false},
                                 GridEdge{row + 1, column, true}, GridEdge{row, column + 1, false}})
      if (crossed(edge)) cut.push_back(edge);
    if (cut.size() != 2) return;
    neighbours_[cut[0]].push_back(cut[1]);
    neighbours_[cut[1]].push_back(cut[0]);
  }
  std::vector<RegionPoint> follow(GridEdge edge) {
    std::vector<RegionPoint> line;
    for (bool more = true; more;) {
      seen_.insert(edge);
      line.push_back(point_on(edge));
      more = false;
      for (const GridEdge& next : neighbours_[edge]) {
        if (seen_.contains(next)) continue;
        edge = next;
        more = true;
        break;
      }
    }
    return line;
  }
  // One row or one column: the contour is a point.
  [[nodiscard]] std::vector<std::vector<RegionPoint>> single_line() const {
    std::vector<std::vector<RegionPoint>> contours;
    for (size_t column = 0; grid_.rows == 1 && column + 1 < grid_.columns; ++column)
      if (crossed({0, column, true})) contours.push_back({point_on({0, column, true})});
    for (size_t row = 0; grid_.columns == 1 && row + 1 < grid_.rows; ++row)
      if (crossed({row, 0, false})) contours.push_back({point_on({row, 0, false})});
    return contours;
  }

  const SurfaceGrid& grid_;
  const std::vector<double>& fitted_;
  double threshold_;
  std::map<GridEdge, std::vector<GridEdge>> neighbours_;
  std::set<GridEdge> seen_;
};

}  // namespace

UsableRegion usable_region(const ScoreSurface& surface, double threshold) {
  UsableRegion region{.threshold = threshold};
  const SurfaceGrid grid{surface, surface.complexities.size(), surface.lengths.size()};
  double known = 0;
  double passing = 0;
  for (const Estimate& cell : surface.cells) {
    region.passing.push_back(cell.known() && cell.value >= threshold);
    region.surely.push_back(cell.known() && cell.low >= threshold);
    region.possibly.push_back(cell.known() && cell.high >= threshold);
    known += cell.known() ? 1 : 0;
    passing += region.passing.back() ? 1 : 0;
  }
  if (known == 0) return region;
  region.area = passing / known;
  region.fitted = fitted_surface(grid);
  region.contours = ContourTracer(grid, region.fitted, threshold).trace();
  return region;
}

}  // namespace fathom
