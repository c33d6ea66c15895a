// S1: intervals equal to the formulas of the literature, worked out in Python
// (tests/oracles/interval_oracle.py).
#include "stats/interval.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <clocale>
#include <cmath>
#include <fstream>
#include <sstream>

#include "base/random.h"

namespace fathom {
namespace {

constexpr double kTolerance = 1e-9;

struct GoldenRow {
  std::string kind;
  double confidence = 0;
  std::vector<double> input;
  double value = 0;
  double low = 0;
  double high = 0;
};

// Lines "kind confidence value low high | inputs …".
std::vector<GoldenRow> golden_rows() {
  std::ifstream file(std::string(FATHOM_TEST_DATA) + "/stats/intervals.txt");
  std::vector<GoldenRow> rows;
  std::string line;
  while (std::getline(file, line)) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream words(line);
    GoldenRow row;
    std::string bar;
    words >> row.kind >> row.confidence >> row.value >> row.low >> row.high >> bar;
    for (double number = 0; words >> number;) row.input.push_back(number);
    rows.push_back(row);
  }
  return rows;
}

Estimate compute(const GoldenRow& row) {
  if (row.kind == "wilson")
    return wilson(row.input[0], static_cast<int64_t>(row.input[1]), row.confidence);
  if (row.kind == "clopper-pearson")
    return clopper_pearson(static_cast<int64_t>(row.input[0]), static_cast<int64_t>(row.input[1]),
                           row.confidence);
  return student_t(row.input, row.confidence);
}

TEST(Interval, EqualsTheFormulas) {
  const std::vector<GoldenRow> rows = golden_rows();
  ASSERT_GE(rows.size(), 100U);
  for (const GoldenRow& row : rows) {
    SCOPED_TRACE(row.kind + " " + testing::PrintToString(row.input));
    const Estimate found = compute(row);
    EXPECT_NEAR(found.value, row.value, kTolerance);
    EXPECT_NEAR(found.low, row.low, kTolerance);
    EXPECT_NEAR(found.high, row.high, kTolerance);
  }
}

TEST(Interval, NothingKnownWithoutSamples) {
  EXPECT_FALSE(wilson(0, 0).known());
  EXPECT_FALSE(clopper_pearson(0, 0).known());
  EXPECT_FALSE(student_t({}).known());
  EXPECT_FALSE(mean_score({}).known());
}

TEST(Interval, MeanScoreChoosesByTheScores) {
  const std::vector<double> coins = {1, 0, 1, 1, 0, 1};
  EXPECT_EQ(mean_score(coins), wilson(4, 6));

  // One fractional score says what a coin toss with that mean would.
  const std::vector<double> one = {0.25};
  EXPECT_EQ(mean_score(one).method, IntervalMethod::kWilsonBound);
  EXPECT_NEAR(mean_score(one).low, wilson(0.25, 1).low, kTolerance);
  EXPECT_NEAR(mean_score(one).high, wilson(0.25, 1).high, kTolerance);

  const std::vector<double> few = {0.25, 1, 0.5};
  const Estimate scaled = mean_score(few);
  EXPECT_EQ(scaled.method, IntervalMethod::kWilsonScaled);
  EXPECT_NEAR(scaled.value, 1.75 / 3, kTolerance);
  // Variance 7/48, coin variance 35/144: (2 * 3/5 + 1) / 3 coins a score.
  EXPECT_NEAR(effective_sample_size(few), 9 / 2.2, kTolerance);

  // Equal scores are not taken for certain.
  const std::vector<double> equal(40, 0.75);
  EXPECT_NEAR(effective_sample_size(equal), 1600, 1e-6);
  EXPECT_LT(mean_score(equal).low, 0.73);
  EXPECT_GT(mean_score(equal).high, 0.77);
}

TEST(Interval, HoldsTheValueAndStaysInRange) {
  Random random(RandomKey(7), "scores");
  for (int trial = 0; trial < 2000; ++trial) {
    const size_t n = 1 + random.below(60);
    const uint64_t levels = 1 + random.below(5);
    std::vector<double> scores(n);
    for (double& score : scores)
      score = static_cast<double>(random.below(levels + 1)) / static_cast<double>(levels);
    const Estimate estimate = mean_score(scores);
    EXPECT_LE(0, estimate.low);
    EXPECT_LE(estimate.low, estimate.value + 1e-12);
    EXPECT_LE(estimate.value, estimate.high + 1e-12);
    EXPECT_LE(estimate.high, 1);
    EXPECT_EQ(estimate.n, static_cast<int64_t>(n));
  }
}

// Q4: the exact probability that the interval holds p, summed over the binomial distribution.
double coverage(Estimate (*interval)(int64_t, int64_t), int64_t n, double p) {
  double covered = 0;
  double weight = std::pow(1 - p, static_cast<double>(n));
  for (int64_t k = 0; k <= n; ++k) {
    const Estimate estimate = interval(k, n);
    if (estimate.low <= p && p <= estimate.high) covered += weight;
    weight *= static_cast<double>(n - k) / static_cast<double>(k + 1) * p / (1 - p);
  }
  return covered;
}

double mean_coverage(Estimate (*interval)(int64_t, int64_t), int64_t n) {
  double sum = 0;
  for (int i = 1; i < 200; ++i) sum += coverage(interval, n, i / 200.0);
  return sum / 199;
}

TEST(Interval, CoversAtItsNominalRate) {
  const auto score = [](int64_t k, int64_t n) { return wilson(static_cast<double>(k), n); };
  const auto exact = [](int64_t k, int64_t n) { return clopper_pearson(k, n); };
  for (const int64_t n : {12, 25, 50, 100}) {
    SCOPED_TRACE(n);
    EXPECT_GE(mean_coverage(score, n), 0.94);
    EXPECT_LE(mean_coverage(score, n), 0.97);
    for (int i = 1; i < 100; ++i) EXPECT_GE(coverage(exact, n, i / 100.0), 0.95 - 1e-9) << i;
  }
}

TEST(Interval, FractionalMeansAreCovered) {
  Random random(RandomKey(11), "fractions");
  const int trials = 4000;
  for (const size_t n : {5U, 12U, 30U}) {
    int covered = 0;
    for (int trial = 0; trial < trials; ++trial) {
      std::vector<double> scores(n);
      for (double& score : scores) {
        int found = 0;
        for (int reference = 0; reference < 4; ++reference) found += random.uniform() < 0.7 ? 1 : 0;
        score = found / 4.0;
      }
      const Estimate estimate = mean_score(scores);
      covered += estimate.low <= 0.7 && 0.7 <= estimate.high ? 1 : 0;
    }
    EXPECT_GE(covered, static_cast<int>(0.935 * trials)) << n;
  }
}

TEST(Interval, DoesNotDependOnTheLocale) {
  const Estimate before = wilson(3, 7);
  const char* set = std::setlocale(LC_ALL, "de_DE.UTF-8");
  EXPECT_EQ(wilson(3, 7), before);
  if (set != nullptr) std::setlocale(LC_ALL, "C");
}

}  // namespace
}  // namespace fathom
