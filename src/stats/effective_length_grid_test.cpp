// S2, S3: effective lengths, slopes and resampling of a grid of scores.
#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"
#include "stats/effective_length.h"
#include "stats/grid_means.h"
#include "stats/slope.h"

namespace fathom {
namespace {

// `right[task][length]` of `n` samples score 1, the same ones first at every length.
ScoreGrid grid_of(const std::vector<int64_t>& lengths, const std::vector<std::vector<int>>& right,
                  size_t n) {
  ScoreGrid grid = ScoreGrid::empty(lengths, right.size(), n);
  for (size_t task = 0; task < right.size(); ++task)
    for (size_t length = 0; length < lengths.size(); ++length)
      for (size_t index = 0; index < n; ++index)
        grid.at(task, length, index) = static_cast<int>(index) < right[task][length] ? 1 : 0;
  return grid;
}

const std::vector<int64_t> kFour = {1024, 2048, 4096, 8192};

TEST(GridEffectiveLength, ReadsBothWays) {
  const EffectiveLength effective =
      effective_length(grid_of(kFour, {{198, 190, 120, 20}}, 200), 0.856);
  EXPECT_EQ(effective.kind, EffectiveLengthKind::kAt);
  EXPECT_EQ(effective.length, 2048);
  ASSERT_TRUE(effective.crossing.known);
  // .95 at 2K, .60 at 4K: a straight line meets .856 at 0.2686 of a doubling.
  EXPECT_NEAR(effective.crossing.length, 2048 * std::exp2(0.094 / 0.35), 1e-6);
  EXPECT_GT(effective.crossing.low, 2048);
  EXPECT_LT(effective.crossing.high, 4096);
  EXPECT_FALSE(effective.dips());
  EXPECT_FALSE(effective.rises);
}

TEST(GridEffectiveLength, EndsAreAnswers) {
  const EffectiveLength above =
      effective_length(grid_of(kFour, {{200, 200, 200, 199}}, 200), 0.856);
  EXPECT_EQ(above.kind, EffectiveLengthKind::kAboveLongest);
  EXPECT_EQ(above.crossing.length, Crossing::kNoEnd);
  EXPECT_EQ(above.crossing.low, Crossing::kNoEnd);
  EXPECT_EQ(to_words(above.crossing, above.shortest, above.longest), "> 8K");

  const EffectiveLength below = effective_length(grid_of(kFour, {{50, 40, 20, 10}}, 200), 0.856);
  EXPECT_EQ(below.kind, EffectiveLengthKind::kBelowShortest);
  EXPECT_EQ(below.crossing.high, 0);
  EXPECT_EQ(to_words(below.crossing, below.shortest, below.longest), "< 1K");

  const EffectiveLength nothing = effective_length(ScoreGrid::empty(kFour, 2, 5));
  EXPECT_EQ(nothing.kind, EffectiveLengthKind::kNotMeasured);
  EXPECT_EQ(to_words(nothing.crossing, 0, 0), "not measured");
  EXPECT_EQ(effective_length(ScoreGrid::empty({}, 0, 0)).kind, EffectiveLengthKind::kNotMeasured);
}

TEST(GridEffectiveLength, FewSamplesLeaveItOpen) {
  const EffectiveLength effective = effective_length(grid_of(kFour, {{5, 5, 4, 3}}, 5), 0.856);
  EXPECT_EQ(effective.kind, EffectiveLengthKind::kUnresolved);
  EXPECT_EQ(effective.crossing.low, 0);
  EXPECT_EQ(effective.crossing.high, Crossing::kNoEnd);
}

TEST(GridEffectiveLength, CurvesThatRecoverAreFlagged) {
  const EffectiveLength effective =
      effective_length(grid_of(kFour, {{198, 100, 196, 20}}, 200), 0.856);
  EXPECT_TRUE(effective.rises);
  EXPECT_TRUE(effective.dips());
  EXPECT_EQ(effective.length, 4096);
  EXPECT_EQ(effective.low, 1024);
  EXPECT_EQ(effective.high, 4096);
}

TEST(GridEffectiveLength, RelativeToTheShortestOrAControl) {
  const ScoreGrid grid = grid_of(kFour, {{160, 150, 132, 60}}, 200);  // .8 .75 .66 .3
  const EffectiveLength own = relative_effective_length(grid, 0.85);  // from .68
  EXPECT_EQ(own.rule, EffectiveLengthRule::kRelative);
  EXPECT_NEAR(own.threshold, 0.68, 1e-12);
  EXPECT_EQ(own.length, 2048);
  EXPECT_EQ(own.low, 2048);  // 1K is its own base and always holds
  const Estimate control{.value = 0.7, .low = 0.65, .high = 0.75, .n = 300, .error = 0.025};
  const EffectiveLength other = relative_effective_length(grid, 0.85, control);
  EXPECT_NEAR(other.threshold, 0.595, 1e-12);
  EXPECT_EQ(other.length, 4096);
  EXPECT_EQ(relative_effective_length(ScoreGrid::empty(kFour, 1, 3)).kind,
            EffectiveLengthKind::kNotMeasured);
}

TEST(GridEffectiveLength, RobustIsTheShortestCategory) {
  const ScoreGrid grid = grid_of(kFour, {{200, 200, 200, 200}, {200, 190, 100, 10}}, 200);
  const std::vector<CategoryThreshold> categories = {{"retrieval", {0}, 0.9},
                                                     {"tracing", {1}, 0.8}};
  const EffectiveLength robust = robust_effective_length(grid, categories);
  EXPECT_EQ(robust.rule, EffectiveLengthRule::kRobust);
  EXPECT_EQ(robust.limited_by, "tracing");
  EXPECT_EQ(robust.threshold, 0.8);
  EXPECT_EQ(robust.length, 2048);
  EXPECT_EQ(robust.kind, EffectiveLengthKind::kAt);
  // One category alone has the same answer, but for the wider upper limit.
  const EffectiveLength alone = effective_length(grid.of_tasks({1}), 0.8);
  EXPECT_EQ(robust.crossing.length, alone.crossing.length);
  EXPECT_EQ(robust.crossing.low, alone.crossing.low);
  EXPECT_GT(robust.crossing.high, alone.crossing.high);
  EXPECT_EQ(robust_effective_length(grid, {}).kind, EffectiveLengthKind::kNotMeasured);
}

TEST(GridEffectiveLength, RiskIsTheMirrorOfAScore) {
  const ScoreGrid grid = grid_of(kFour, {{198, 190, 120, 20}}, 200);
  ScoreGrid losses = grid;
  for (double& loss : losses.scores) loss = 4 * (1 - loss);
  const EffectiveLength risk = risk_effective_length(losses, 4 * 0.144, 4);
  const EffectiveLength score = effective_length(grid, 0.856);
  EXPECT_EQ(risk.rule, EffectiveLengthRule::kRisk);
  EXPECT_EQ(risk.length, score.length);
  EXPECT_NEAR(risk.crossing.length, score.crossing.length, 1e-6);
  EXPECT_NEAR(risk.crossing.low, score.crossing.low, 1e-6);
  EXPECT_NEAR(risk.threshold, 0.576, 1e-12);
}

// Samples of one document count as one: half of the evidence, a wider interval.
TEST(GridEffectiveLength, ClustersWidenTheInterval) {
  ScoreGrid grid = ScoreGrid::empty(kFour, 2, 60);
  Random random(RandomKey(4), "clusters");
  for (size_t task = 0; task < 2; ++task) {
    for (size_t document = 0; document < 10; ++document) {
      const double hard = random.uniform();
      for (size_t i = 0; i < 6; ++i)
        for (size_t length = 0; length < 4; ++length)
          grid.at(task, length, document * 6 + i) =
              random.uniform() < 0.98 - 0.2 * static_cast<double>(length) * hard ? 1 : 0;
    }
  }
  const EffectiveLength apart = effective_length(grid, 0.8);
  for (size_t unit = 0; unit < 120; ++unit) grid.clusters.push_back(static_cast<int64_t>(unit / 6));
  const EffectiveLength within = effective_length(grid, 0.8);
  for (size_t unit = 0; unit < 120; ++unit)
    grid.clusters[unit] = static_cast<int64_t>(unit % 60 / 6);  // the same documents in both tasks
  const EffectiveLength across = effective_length(grid, 0.8);
  EXPECT_LT(within.crossing.low, apart.crossing.low);
  EXPECT_GT(within.crossing.high, apart.crossing.high);
  EXPECT_EQ(across.crossing.length, apart.crossing.length);
  EXPECT_LT(across.crossing.low, apart.crossing.low);
}

TEST(Resampling, SharesAddUpAndDoNotDependOnChance) {
  const ScoreGrid grid = grid_of(kFour, {{20, 18, 12, 2}, {20, 17, 16, 5}}, 20);
  const ResampledEffectiveLength first = resample_effective_length(grid, 0.8, 2000, RandomKey(7));
  const ResampledEffectiveLength again = resample_effective_length(grid, 0.8, 2000, RandomKey(7));
  EXPECT_EQ(first.shares, again.shares);
  EXPECT_EQ(first.crossing, again.crossing);
  double sum = 0;
  for (const double share : first.shares) sum += share;
  EXPECT_NEAR(sum, 1, 1e-9);
  EXPECT_GT(first.shares[2], 0.5);  // 2K
  EXPECT_LE(first.crossing.low, first.crossing.length);
  EXPECT_GE(first.crossing.high, first.crossing.length);
  EXPECT_FALSE(resample_effective_length(ScoreGrid::empty(kFour, 1, 1), 0.8, 10, RandomKey(1))
                   .crossing.known);
}

TEST(Slope, OfAStraightLine) {
  const Estimate slope = slope_per_doubling(grid_of(kFour, {{180, 160, 140, 120}}, 200));
  EXPECT_NEAR(slope.value, -0.1, 1e-12);
  EXPECT_LT(slope.low, -0.1);
  EXPECT_GT(slope.high, -0.1);
  EXPECT_LT(slope.high, 0);
  // Missing lengths keep the scale: 1K and 8K alone are three doublings apart.
  ScoreGrid ends = grid_of(kFour, {{180, 0, 0, 120}}, 200);
  for (size_t index = 0; index < 200; ++index) {
    ends.at(0, 1, index) = ScoreGrid::kMissing;
    ends.at(0, 2, index) = ScoreGrid::kMissing;
  }
  EXPECT_NEAR(slope_per_doubling(ends).value, -0.1, 1e-12);
  EXPECT_FALSE(slope_per_doubling(ScoreGrid::empty(kFour, 1, 2)).known());
}

// Paired samples say more of a change than separate ones.
TEST(Slope, UsesThePairs) {
  ScoreGrid paired = grid_of({1024, 2048}, {{160, 150}}, 200);
  ScoreGrid shuffled = paired;
  for (size_t index = 0; index < 200; ++index)
    shuffled.at(0, 1, index) = paired.at(0, 1, (index * 7) % 200);
  const Estimate tight = slope_per_doubling(paired);
  const Estimate loose = slope_per_doubling(shuffled);
  EXPECT_EQ(tight.value, loose.value);
  EXPECT_LT(tight.high - tight.low, 0.6 * (loose.high - loose.low));
}

TEST(GridMeans, AveragesOverLengthsAreNarrowerThanTheSumOfLimits) {
  const GridMeans means = grid_means(grid_of(kFour, {{60, 50, 40, 20}, {58, 57, 55, 30}}, 60));
  const std::vector<double> rising = {1, 2, 3, 4};
  const Estimate average = mean_over_lengths(means, rising);
  double low = 0;
  double value = 0;
  for (size_t i = 0; i < 4; ++i) {
    low += rising[i] * means.means[i].low / 10;
    value += rising[i] * means.means[i].value / 10;
  }
  EXPECT_NEAR(average.value, value, 1e-12);
  EXPECT_GT(average.low, low);
}

// Q4: units keep part of their luck from length to length; the crossing must hold for one task
// with few samples and for thirteen.
double coverage_of_crossing(size_t tasks, size_t n, int trials) {
  const double truth[] = {0.99, 0.96, 0.9, 0.7};
  const double wanted = 4096 * std::exp2((0.9 - 0.856) / 0.2);
  int covered = 0;
  for (int trial = 0; trial < trials; ++trial) {
    Random random(RandomKey(11).with(static_cast<uint64_t>(trial)), "crossing");
    ScoreGrid grid = ScoreGrid::empty(kFour, tasks, n);
    for (size_t task = 0; task < tasks; ++task) {
      for (size_t index = 0; index < n; ++index) {
        const double own = random.uniform();
        for (size_t length = 0; length < 4; ++length) {
          const double luck = random.uniform() < 0.5 ? own : random.uniform();
          grid.at(task, length, index) = luck < truth[length] ? 1 : 0;
        }
      }
    }
    const Crossing crossing = effective_length(grid).crossing;
    covered += crossing.low <= wanted && wanted <= crossing.high ? 1 : 0;
  }
  return static_cast<double>(covered) / trials;
}

TEST(EffectiveLengthSlow, CoversTheCrossing) {
  EXPECT_GE(coverage_of_crossing(1, 20, 1000), 0.93);
  EXPECT_GE(coverage_of_crossing(1, 100, 1000), 0.93);
  EXPECT_GE(coverage_of_crossing(13, 20, 500), 0.93);
}

}  // namespace
}  // namespace fathom
