// S1, S3: means over tasks and over lengths.
#include "stats/weighted_mean.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"
#include "stats/interval.h"
#include "stats/mover.h"

namespace fathom {
namespace {

// A published score, with no interval of its own.
Estimate plain(double value) { return {.value = value, .low = value, .high = value, .n = 500}; }

TEST(WeightedMean, OfOnePartIsThatPart) {
  const Estimate part = wilson(7, 10);
  EXPECT_EQ(weighted_mean({&part, 1}, {}, Dependence::kIndependent), part);
  EXPECT_EQ(weighted_mean({&part, 1}, {}, Dependence::kAny), part);
  EXPECT_FALSE(weighted_mean({}, {}, Dependence::kAny).known());
}

TEST(WeightedMean, LeavesUnknownPartsOut) {
  const std::vector<Estimate> parts = {plain(1), {}, plain(0)};
  EXPECT_DOUBLE_EQ(weighted_mean(parts, {}, Dependence::kIndependent).value, 0.5);
  const std::vector<double> weights = {3, 5, 1};
  EXPECT_DOUBLE_EQ(weighted_mean(parts, weights, Dependence::kIndependent).value, 0.75);
}

TEST(WeightedMean, DependentPartsAreNeverNarrower) {
  const std::vector<Estimate> parts = {wilson(9, 10), wilson(5, 10), wilson(10, 10)};
  const Estimate apart = weighted_mean(parts, {}, Dependence::kIndependent);
  const Estimate any = weighted_mean(parts, {}, Dependence::kAny);
  EXPECT_LT(any.low, apart.low);
  EXPECT_GT(any.high, apart.high);
  EXPECT_EQ(apart.method, IntervalMethod::kStratified);
  EXPECT_EQ(any.method, IntervalMethod::kSumBound);
  EXPECT_EQ(apart.n, 30);
}

TEST(WeightedMean, PerfectTasksKeepAnInterval) {
  const std::vector<Estimate> parts(13, wilson(20, 20));
  const Estimate mean = weighted_mean(parts, {}, Dependence::kIndependent);
  EXPECT_NEAR(mean.low, wilson(260, 260).low, 1e-9);
  EXPECT_EQ(mean.high, 1);
}

TEST(WeightedMean, EqualTasksAreNearlyOnePool) {
  const std::vector<Estimate> parts(10, wilson(160, 200));
  const Estimate mean = weighted_mean(parts, {}, Dependence::kIndependent);
  const Estimate pool = wilson(1600, 2000);
  EXPECT_NEAR(mean.low, pool.low, 2e-4);
  EXPECT_NEAR(mean.high, pool.high, 2e-4);
}

TEST(WeightedMean, DifferencesArePutTogetherByTheirLimits) {
  Estimate part{.value = -0.5, .low = -0.75, .high = 0, .n = 10, .method = IntervalMethod::kTango};
  const std::vector<Estimate> parts = {part, part};
  const Estimate mean = weighted_mean(parts, {}, Dependence::kIndependent);
  EXPECT_EQ(mean.method, IntervalMethod::kMover);
  EXPECT_NEAR(mean.low, -0.5 - 0.25 / std::sqrt(2), 1e-12);
  EXPECT_NEAR(mean.high, -0.5 + 0.5 / std::sqrt(2), 1e-12);
}

TEST(Mover, CorrelationNarrowsDifferencesAndWidensSums) {
  const Estimate parts[] = {wilson(30, 50), wilson(35, 50)};
  const double minus[] = {1, -1};
  const double plus[] = {1, 1};
  const double together[] = {1, 0.8, 0.8, 1};
  EXPECT_LT(mover(parts, minus, together).high, mover(parts, minus).high);
  EXPECT_GT(mover(parts, plus, together).high, mover(parts, plus).high);
  EXPECT_EQ(mover(parts, minus).n, 50);
}

// Q4: thirteen tasks; the limits of Wilson put together by MOVER would miss the high ones.
TEST(WeightedMeanSlow, CoversTheMeanOverTasks) {
  const std::vector<double> profiles[] = {{1, .99, .98, .97, .9, .85, .8, .7, .6, .5, .4, .2, .05},
                                          std::vector<double>(13, 0.95),
                                          std::vector<double>(13, 0.98),
                                          {1, 1, 1, 1, 1, 1, .99, .99, .99, .98, .98, .97, .6}};
  const int trials = 4000;
  Random random(RandomKey(3), "tasks");
  for (const std::vector<double>& truth : profiles) {
    double mean = 0;
    for (const double p : truth) mean += p / 13;
    SCOPED_TRACE(mean);
    int covered = 0;
    for (int trial = 0; trial < trials; ++trial) {
      std::vector<Estimate> parts;
      for (const double p : truth) {
        int right = 0;
        for (int i = 0; i < 20; ++i) right += random.uniform() < p ? 1 : 0;
        parts.push_back(wilson(right, 20));
      }
      const Estimate estimate = weighted_mean(parts, {}, Dependence::kIndependent);
      covered += estimate.low <= mean && mean <= estimate.high ? 1 : 0;
    }
    EXPECT_GE(covered, static_cast<int>(0.925 * trials));
    EXPECT_LE(covered, static_cast<int>(0.975 * trials));
  }
}

}  // namespace
}  // namespace fathom
