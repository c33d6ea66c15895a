#include "stats/isotonic.h"

#include <cmath>
#include <limits>

namespace fathom {
namespace {

struct Block {
  double value = 0;
  double weight = 0;
  size_t size = 0;
};

}  // namespace

std::vector<double> isotonic_decreasing(std::span<const double> values,
                                        std::span<const double> weights) {
  std::vector<Block> blocks;
  for (size_t i = 0; i < values.size(); ++i) {
    Block block{.value = values[i], .weight = weights.empty() ? 1 : weights[i], .size = 1};
    while (!blocks.empty() && blocks.back().value < block.value) {
      const Block& before = blocks.back();
      const double weight = before.weight + block.weight;
      block.value = (before.value * before.weight + block.value * block.weight) / weight;
      block.weight = weight;
      block.size += before.size;
      blocks.pop_back();
    }
    blocks.push_back(block);
  }
  std::vector<double> fitted;
  fitted.reserve(values.size());
  for (const Block& block : blocks) fitted.insert(fitted.end(), block.size, block.value);
  return fitted;
}

std::vector<double> isotonic_decreasing_2d(std::span<const double> values,
                                           std::span<const double> weights, size_t columns) {
  std::vector<double> fitted(values.begin(), values.end());
  if (values.empty() || columns == 0) return fitted;
  const size_t rows = values.size() / columns;
  const auto weight = [&](size_t cell) { return weights.empty() ? 1.0 : weights[cell]; };
  // What the last projection along each direction took away, given back before the next one.
  std::vector<double> along_rows(values.size());
  std::vector<double> along_columns(values.size());
  const auto project = [&](std::vector<double>& taken, size_t lines, size_t length, size_t step,
                           size_t line_step) {
    double moved = 0;
    std::vector<double> line(length);
    std::vector<double> line_weights(length);
    for (size_t i = 0; i < lines; ++i) {
      for (size_t j = 0; j < length; ++j) {
        const size_t cell = i * line_step + j * step;
        line[j] = fitted[cell] + taken[cell];
        line_weights[j] = weight(cell);
      }
      const std::vector<double> projected = isotonic_decreasing(line, line_weights);
      for (size_t j = 0; j < length; ++j) {
        const size_t cell = i * line_step + j * step;
        moved = std::max(moved, std::abs(projected[j] - fitted[cell]));
        taken[cell] = line[j] - projected[j];
        fitted[cell] = projected[j];
      }
    }
    return moved;
  };
  constexpr int kMostRounds = 10'000;
  for (int round = 0; round < kMostRounds; ++round) {
    const double by_rows = project(along_rows, rows, columns, 1, columns);
    const double by_columns = project(along_columns, columns, rows, columns, 1);
    if (round > 0 && by_rows < 1e-12 && by_columns < 1e-12) break;
  }
  return fitted;
}

double falling_crossing(std::span<const double> x, std::span<const double> y, double threshold) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (y.empty() || y[0] < threshold) return -kInfinity;
  for (size_t i = 1; i < y.size(); ++i) {
    if (y[i] >= threshold) continue;
    return x[i - 1] + (x[i] - x[i - 1]) * (y[i - 1] - threshold) / (y[i - 1] - y[i]);
  }
  return kInfinity;
}

}  // namespace fathom
