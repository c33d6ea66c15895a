#include "stats/interval.h"

#include <algorithm>
#include <boost/math/distributions/beta.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>

namespace fathom {
namespace {

// Kahan's compensated sum: a million thirds must not lose digits.
double exact_sum(std::span<const double> values) {
  double sum = 0;
  double lost = 0;
  for (const double value : values) {
    const double next = value - lost;
    const double total = sum + next;
    lost = (total - sum) - next;
    sum = total;
  }
  return sum;
}

double sum_of_squares(std::span<const double> scores, double mean) {
  double sum = 0;
  for (const double score : scores) sum += (score - mean) * (score - mean);
  return sum;
}

}  // namespace

Estimate wilson(double successes, int64_t n, double confidence) {
  if (n <= 0) return {};
  const auto count = static_cast<double>(n);
  const double p = successes / count;
  const double z = boost::math::quantile(boost::math::normal(), 0.5 + confidence / 2);
  const double z2 = z * z;
  const double centre = (p + z2 / (2 * count)) / (1 + z2 / count);
  const double half =
      z / (1 + z2 / count) * std::sqrt(p * (1 - p) / count + z2 / (4 * count * count));
  // At the ends the formula is exactly 0 or 1 but for rounding.
  const double low = successes <= 0 ? 0 : std::clamp(centre - half, 0.0, p);
  const double high = successes >= count ? 1 : std::clamp(centre + half, p, 1.0);
  return {.value = p, .low = low, .high = high, .n = n, .method = IntervalMethod::kWilson};
}

Estimate clopper_pearson(int64_t successes, int64_t n, double confidence) {
  if (n <= 0) return {};
  const double tail = (1 - confidence) / 2;
  const auto right = static_cast<double>(successes);
  const auto wrong = static_cast<double>(n - successes);
  using Beta = boost::math::beta_distribution<>;
  const double low = successes == 0 ? 0 : boost::math::quantile(Beta(right, wrong + 1), tail);
  const double high =
      successes == n ? 1
                     : boost::math::quantile(boost::math::complement(Beta(right + 1, wrong), tail));
  return {.value = right / static_cast<double>(n),
          .low = low,
          .high = high,
          .n = n,
          .method = IntervalMethod::kClopperPearson};
}

Estimate student_t(std::span<const double> scores, double confidence) {
  if (scores.empty()) return {};
  const auto n = static_cast<int64_t>(scores.size());
  const auto count = static_cast<double>(n);
  const double mean = exact_sum(scores) / count;
  if (n < 2) return {.value = mean, .low = mean, .high = mean, .n = n};
  const double error = std::sqrt(sum_of_squares(scores, mean) / (count - 1) / count);
  const double t = boost::math::quantile(boost::math::students_t(count - 1), 0.5 + confidence / 2);
  return {.value = mean,
          .low = std::max(0.0, mean - t * error),
          .high = std::min(1.0, mean + t * error),
          .n = n,
          .method = IntervalMethod::kStudentT};
}

Estimate mean_score(std::span<const double> scores, double confidence) {
  if (scores.empty()) return {};
  const auto n = static_cast<int64_t>(scores.size());
  const auto is_whole = [](double score) { return score == 0 || score == 1; };
  const double sum = exact_sum(scores);
  if (std::all_of(scores.begin(), scores.end(), is_whole)) return wilson(sum, n, confidence);
  const auto [least, most] = std::minmax_element(scores.begin(), scores.end());
  if (n < kFewScores || *least == *most) {
    Estimate bound = wilson(sum, n, confidence);
    bound.method = IntervalMethod::kWilsonBound;
    return bound;
  }
  return student_t(scores, confidence);
}

}  // namespace fathom
