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

bool all_whole(std::span<const double> scores) {
  return std::all_of(scores.begin(), scores.end(),
                     [](double score) { return score == 0 || score == 1; });
}

double sum_of_squares(std::span<const double> scores, double mean) {
  double sum = 0;
  for (const double score : scores) sum += (score - mean) * (score - mean);
  return sum;
}

// Of the mean; half the range for a single score, which says nothing of its variation.
double standard_error(std::span<const double> scores, double mean) {
  const auto n = static_cast<double>(scores.size());
  if (scores.size() < 2) return 0.5;
  return std::sqrt(sum_of_squares(scores, mean) / (n - 1) / n);
}

double proportion_error(double p, int64_t n) {
  if (n < 2) return 0.5;
  return std::sqrt(std::max(0.0, p * (1 - p)) / static_cast<double>(n - 1));
}

}  // namespace

Estimate wilson_scaled(double mean, int64_t n, double effective_n, double quantile) {
  if (n <= 0) return {};
  const double z2 = quantile * quantile;
  const double centre = (mean + z2 / (2 * effective_n)) / (1 + z2 / effective_n);
  const double half =
      quantile / (1 + z2 / effective_n) *
      std::sqrt(mean * (1 - mean) / effective_n + z2 / (4 * effective_n * effective_n));
  // At the ends the formula is exactly 0 or 1 but for rounding.
  return {.value = mean,
          .low = mean <= 0 ? 0 : std::clamp(centre - half, 0.0, mean),
          .high = mean >= 1 ? 1 : std::clamp(centre + half, mean, 1.0),
          .n = n,
          .method = IntervalMethod::kWilsonScaled};
}

Estimate wilson(double successes, int64_t n, double confidence) {
  if (n <= 0) return {};
  const auto count = static_cast<double>(n);
  const double z = boost::math::quantile(boost::math::normal(), 0.5 + confidence / 2);
  Estimate estimate = wilson_scaled(successes / count, n, count, z);
  estimate.method = IntervalMethod::kWilson;
  estimate.error = proportion_error(estimate.value, n);
  return estimate;
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
          .method = IntervalMethod::kClopperPearson,
          .error = proportion_error(right / static_cast<double>(n), n)};
}

Estimate student_t(std::span<const double> scores, double confidence) {
  if (scores.empty()) return {};
  const auto n = static_cast<int64_t>(scores.size());
  const auto count = static_cast<double>(n);
  const double mean = exact_sum(scores) / count;
  if (n < 2) return {.value = mean, .low = mean, .high = mean, .n = n};
  const double error = standard_error(scores, mean);
  const double t = boost::math::quantile(boost::math::students_t(count - 1), 0.5 + confidence / 2);
  return {.value = mean,
          .low = std::max(0.0, mean - t * error),
          .high = std::min(1.0, mean + t * error),
          .n = n,
          .method = IntervalMethod::kStudentT,
          .error = error};
}

double effective_sample_size(double mean, double error, double worth) {
  const double coin = mean * (1 - mean);
  // A mean of 1 put together from thirteenths is 1 but for rounding.
  if (coin <= 1e-12 || worth <= 1) return worth;
  const double mixed = ((worth - 1) * error * error + coin / worth) / worth;
  return coin / mixed;
}

double effective_sample_size(std::span<const double> scores) {
  const auto n = static_cast<double>(scores.size());
  if (scores.size() < 2 || all_whole(scores)) return n;
  const double mean = exact_sum(scores) / n;
  return std::max(n, effective_sample_size(mean, standard_error(scores, mean), n));
}

Estimate mean_score(std::span<const double> scores, double confidence) {
  if (scores.empty()) return {};
  const auto n = static_cast<int64_t>(scores.size());
  const double sum = exact_sum(scores);
  if (all_whole(scores)) return wilson(sum, n, confidence);
  const double z = boost::math::quantile(boost::math::normal(), 0.5 + confidence / 2);
  const double mean = sum / static_cast<double>(n);
  Estimate estimate = wilson_scaled(mean, n, effective_sample_size(scores), z);
  estimate.error = standard_error(scores, mean);
  if (n == 1) estimate.method = IntervalMethod::kWilsonBound;
  return estimate;
}

}  // namespace fathom
