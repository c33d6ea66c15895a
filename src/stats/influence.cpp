#include "stats/influence.h"

#include <cmath>

namespace fathom {

void Influence::add(int64_t cluster, size_t column, double amount) {
  const size_t row = rows_.of(cluster);
  cells_.resize(rows_.size() * columns_);
  cells_[row * columns_ + column] += amount;
}

std::vector<double> Influence::correlations() const {
  std::vector<double> products(columns_ * columns_);
  for (size_t row = 0; row < rows_.size(); ++row) {
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

}  // namespace fathom
