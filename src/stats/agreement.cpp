#include "stats/agreement.h"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>

#include "stats/interval.h"

namespace fathom {
namespace {

struct Margins {
  std::vector<double> labels;  // shares
  std::vector<double> grades;
  double diagonal = 0;
  double n = 0;
};

Margins margins_of(const ConfusionMatrix& matrix) {
  Margins margins{.labels = std::vector<double>(matrix.classes),
                  .grades = std::vector<double>(matrix.classes)};
  for (const int64_t count : matrix.counts) margins.n += static_cast<double>(count);
  if (margins.n == 0) return margins;
  for (size_t label = 0; label < matrix.classes; ++label) {
    for (size_t grade = 0; grade < matrix.classes; ++grade) {
      const double share = static_cast<double>(matrix.at(label, grade)) / margins.n;
      margins.labels[label] += share;
      margins.grades[grade] += share;
      if (label == grade) margins.diagonal += share;
    }
  }
  return margins;
}

// Variance of kappa, Fleiss, Cohen & Everitt (1969), equation 13.
double kappa_variance(const ConfusionMatrix& matrix, const Margins& margins, double chance) {
  const double rest = 1 - chance;
  double sum = 0;
  for (size_t label = 0; label < matrix.classes; ++label) {
    for (size_t grade = 0; grade < matrix.classes; ++grade) {
      const double share = static_cast<double>(matrix.at(label, grade)) / margins.n;
      const double term =
          label == grade
              ? rest - (margins.labels[label] + margins.grades[grade]) * (1 - margins.diagonal)
              : (1 - margins.diagonal) * (margins.grades[label] + margins.labels[grade]);
      sum += share * term * term;
    }
  }
  const double shift = margins.diagonal * chance - 2 * chance + margins.diagonal;
  return (sum - shift * shift) / (margins.n * std::pow(rest, 4));
}

}  // namespace

ConfusionMatrix confusion_matrix(std::span<const size_t> labels, std::span<const size_t> grades,
                                 size_t classes) {
  ConfusionMatrix matrix{.classes = classes, .counts = std::vector<int64_t>(classes * classes)};
  for (size_t i = 0; i < labels.size(); ++i) ++matrix.counts[labels[i] * classes + grades[i]];
  return matrix;
}

Estimate accuracy(const ConfusionMatrix& matrix, double confidence) {
  int64_t n = 0;
  int64_t right = 0;
  for (const int64_t count : matrix.counts) n += count;
  for (size_t i = 0; i < matrix.classes; ++i) right += matrix.at(i, i);
  return wilson(static_cast<double>(right), n, confidence);
}

Estimate cohens_kappa(const ConfusionMatrix& matrix, double confidence) {
  const Margins margins = margins_of(matrix);
  const auto n = static_cast<int64_t>(margins.n);
  if (n == 0) return {};
  double chance = 0;
  for (size_t i = 0; i < matrix.classes; ++i) chance += margins.labels[i] * margins.grades[i];
  // Exactly 1 only where one class holds everything, but for rounding.
  if (1 - chance < 1e-12) return {.value = 1, .low = 1, .high = 1, .n = n};
  const double kappa = (margins.diagonal - chance) / (1 - chance);
  const double z = boost::math::quantile(boost::math::normal(), 0.5 + confidence / 2);
  const double half = z * std::sqrt(std::max(0.0, kappa_variance(matrix, margins, chance)));
  return {.value = kappa,
          .low = std::max(-1.0, kappa - half),
          .high = std::min(1.0, kappa + half),
          .n = n,
          .method = IntervalMethod::kDelta};
}

}  // namespace fathom
