// S8: spread over what should not matter, and controls.
#include "results/robustness.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"
#include "results/made_run_test.h"

namespace fathom {
namespace {

using testing::HasSubstr;

constexpr const char* kCells[] = {"niah_single_1", "vt"};

struct MadeArms {
  int arms = 4;
  int64_t samples = 60;
  std::vector<double> shifts;  // of each arm's chance to be right; empty: all equal
  bool paired = true;          // the arms hold the same questions
};

// Questions differ in difficulty; an arm's answer depends on it and on its own luck.
std::vector<Results> made_arms(const MadeArms& made, uint64_t seed) {
  std::vector<Results> all;
  for (int arm = 0; arm < made.arms; ++arm) {
    MadeRun run;
    for (const char* cell : kCells)
      for (int64_t index = 0; index < made.samples; ++index) {
        const auto content = static_cast<uint64_t>(made.paired ? 0 : arm + 1);
        Random question(RandomKey(seed).with(cell).with(static_cast<uint64_t>(index)).with(content),
                        "question");
        const double easy = 0.3 + 0.6 * question.uniform();
        const double shift = made.shifts.empty() ? 0 : made.shifts[static_cast<size_t>(arm)];
        Random luck(RandomKey(seed)
                        .with(cell)
                        .with(static_cast<uint64_t>(index))
                        .with(uint64_t{100} + static_cast<uint64_t>(arm)),
                    "luck");
        run.add(cell, 1024, index, luck.uniform() < easy + shift ? 1.0 : 0.0).haystack =
            fmt::format("{}:{}:{}", cell, index, content);
      }
    ResultsOptions options;
    options.resamples = 1;
    all.push_back(run.results(options));
  }
  return all;
}

Robustness spread_of(const std::vector<Results>& results) {
  std::vector<NamedResults> named;
  for (size_t i = 0; i < results.size(); ++i)
    named.push_back({fmt::format("arm {}", i), &results[i]});
  auto spread = robustness(named, {});
  EXPECT_TRUE(spread) << (spread ? "" : spread.error().message);
  return spread ? *spread : Robustness{};
}

TEST(Robustness, ShowsEveryArmOfEveryCell) {
  const std::vector<Results> arms = made_arms({.arms = 3}, 1);
  const Robustness spread = spread_of(arms);
  EXPECT_EQ(spread.arms.size(), 3U);
  ASSERT_EQ(spread.rows.size(), 4U);  // all, all at 1K, two cells
  EXPECT_EQ(spread.rows[0].cell, "all tasks");
  EXPECT_FALSE(spread.rows[0].length);
  EXPECT_EQ(spread.rows[1].length, 1024);
  EXPECT_EQ(spread.rows[2].cell, "niah_single_1");
  EXPECT_EQ(spread.rows[2].shared, 60);
  for (size_t arm = 0; arm < 3; ++arm) {
    EXPECT_NEAR(spread.rows[2].arms[arm].value, arms[arm].cell(0, 0).tally.usability.value, 1e-12);
    EXPECT_NEAR(spread.rows[0].arms[arm].value, arms[arm].curves[0].points[0].usability.value,
                1e-12);
    EXPECT_EQ(spread.rows[0].arms[arm].n, 120);
  }
  const SpreadRow& row = spread.rows[0];
  double mean = 0;
  for (const Estimate& arm : row.arms) mean += arm.value / 3;
  double squares = 0;
  for (const Estimate& arm : row.arms) squares += (arm.value - mean) * (arm.value - mean);
  EXPECT_NEAR(row.deviation, std::sqrt(squares / 2), 1e-12);
}

// Sampling alone: by the difference of paired answers, worked out by hand for two arms.
TEST(Robustness, SamplingDeviationOfTwoPairedArms) {
  const std::vector<Results> arms = made_arms({.arms = 2, .samples = 30}, 9);
  const SpreadRow row = spread_of(arms).rows[2];
  std::vector<double> differences;
  for (size_t i = 0; i < 30; ++i)
    differences.push_back(*arms[0].score_of(i)->official - *arms[1].score_of(i)->official);
  double mean = 0;
  for (const double each : differences) mean += each / 30;
  double squares = 0;
  for (const double each : differences) squares += (each - mean) * (each - mean);
  // The variance between two arms is half the squared difference.
  EXPECT_NEAR(row.sampling_deviation * row.sampling_deviation, squares / 29 / 30 / 2, 1e-12);
}

class RobustnessSlow : public testing::TestWithParam<bool> {};

TEST_P(RobustnessSlow, EqualArmsAreRarelyCalledDifferent) {
  int rejected = 0;
  int covers_zero = 0;
  constexpr int kRuns = 300;
  for (int seed = 0; seed < kRuns; ++seed) {
    const SpreadRow row =
        spread_of(made_arms({.paired = GetParam()}, static_cast<uint64_t>(seed))).rows[0];
    rejected += row.p < 0.05 ? 1 : 0;
    covers_zero += row.arm_deviation.low == 0 ? 1 : 0;
  }
  EXPECT_LE(rejected, kRuns * 0.08);
  EXPECT_GE(rejected, kRuns * 0.02);
  EXPECT_GE(covers_zero, kRuns * 0.94);
}

TEST_P(RobustnessSlow, TheTrueDeviationIsCovered) {
  int covered = 0;
  constexpr int kRuns = 200;
  for (int seed = 0; seed < kRuns; ++seed) {
    // Shifts of known standard deviation, drawn anew: arms are a sample of all wordings.
    constexpr double kDeviation = 0.06;
    Random random(RandomKey(static_cast<uint64_t>(seed)), "shifts");
    MadeArms made{.arms = 5, .samples = 150, .paired = GetParam()};
    for (int arm = 0; arm < made.arms; ++arm) {
      double normal = -6;
      for (int i = 0; i < 12; ++i) normal += random.uniform();
      made.shifts.push_back(kDeviation * normal);
    }
    const SpreadRow row = spread_of(made_arms(made, static_cast<uint64_t>(seed))).rows[0];
    covered += row.arm_deviation.low <= kDeviation && kDeviation <= row.arm_deviation.high ? 1 : 0;
  }
  EXPECT_GE(covered, kRuns * 0.90);
}

INSTANTIATE_TEST_SUITE_P(PairedOrNot, RobustnessSlow, testing::Bool());

TEST(Robustness, ArmsWithoutAnyVariationAreNoProofOfEquality) {
  std::vector<Results> arms;
  for (int arm = 0; arm < 3; ++arm) {
    MadeRun run;
    for (int64_t index = 0; index < 5; ++index) run.add("vt", 1024, index, 1.0);
    arms.push_back(run.results());
  }
  const SpreadRow row = spread_of(arms).rows[0];
  EXPECT_EQ(row.deviation, 0);
  EXPECT_EQ(row.p, 1);
  EXPECT_EQ(row.arm_deviation.value, 0);
  EXPECT_GT(row.arm_deviation.high, 0.05);  // five right answers each do not rule much out
  EXPECT_TRUE(std::isfinite(row.arm_deviation.high));
}

TEST(Robustness, RefusesWhatCannotBeCompared) {
  const std::vector<Results> arms = made_arms({.arms = 1}, 1);
  MadeRun other;
  other.add("cwe", 1024, 0, 1.0);
  const Results foreign = other.results();
  const NamedResults one[] = {{"a", &arms[0]}};
  EXPECT_THAT(robustness(one, {}).error().message, HasSubstr("at least two runs"));
  const NamedResults two[] = {{"a", &arms[0]}, {"b", &foreign}};
  EXPECT_THAT(robustness(two, {}).error().message, HasSubstr("in common"));
}

TEST(Robustness, FindsTheVariantsWithinARun) {
  MadeRun run;
  for (int64_t index = 0; index < 40; ++index) {
    run.add("vt", 1024, index, index < 30 ? 1.0 : 0.0).haystack = fmt::format("h{}", index);
    for (const char* value : {"terse", "long"}) {
      const double score =
          std::string(value) == "terse" ? (index < 10 ? 1.0 : 0.0) : (index < 30 ? 1.0 : 0.0);
      SampleFacts& facts = run.add(fmt::format("vt[wording={}]", value), 1024, index, score);
      facts.task = "vt";
      facts.variant = {VariantAxis::kWording, value, "vt"};
      facts.haystack = fmt::format("h{}", index);
    }
  }
  const Results results = run.results();
  // Variants stand in the table and not in the mean.
  EXPECT_EQ(results.tasks.size(), 3U);
  EXPECT_EQ(results.curves[0].points[0].tasks_with_usability, 1);
  EXPECT_EQ(results.curves[0].points[0].usability.value, 0.75);
  ASSERT_EQ(results.variants.size(), 1U);
  const Robustness& wording = results.variants[0];
  EXPECT_EQ(wording.axis, VariantAxis::kWording);
  EXPECT_THAT(wording.arms, testing::ElementsAre("ordinary", "terse", "long"));
  const SpreadRow& row = wording.rows.back();
  EXPECT_EQ(row.cell, "vt");
  EXPECT_EQ(row.shared, 40);
  EXPECT_EQ(row.lowest, 0.25);
  EXPECT_EQ(row.highest, 0.75);
  EXPECT_LT(row.p, 0.001);
  EXPECT_GT(row.arm_deviation.low, 0);
}

TEST(Controls, StandBesideTheirCells) {
  MadeRun run;
  const auto add_control = [&](std::string_view control, int64_t index, double score) {
    SampleFacts& facts = run.add(fmt::format("vt[control={}]", control), 0, index, score);
    facts.task = "vt";
    facts.variant = {VariantAxis::kControl, std::string(control), "vt"};
  };
  for (int64_t index = 0; index < 40; ++index) {
    run.add("vt", 1024, index, index < 20 ? 1.0 : 0.0);
    run.add("vt", 2048, index, index < 10 ? 1.0 : 0.0);
    run.add("cwe", 1024, index, 1.0);
    add_control(kNoContext, index, index < 4 ? 1.0 : 0.0);
    add_control(kNeedlesOnly, index, index < 36 ? 1.0 : 0.0);
  }
  const Results results = run.results();
  EXPECT_EQ(results.lengths, (std::vector<int64_t>{1024, 2048}));
  EXPECT_EQ(results.tasks.size(), 2U);
  EXPECT_EQ(results.control_samples.size(), 80U);
  EXPECT_EQ(results.total.samples, 120);
  ASSERT_EQ(results.controls.size(), 2U);
  const ControlRow& row = results.controls[1];
  EXPECT_EQ(row.task, 0U);
  EXPECT_EQ(row.length, 1U);
  EXPECT_EQ(row.score.value, 0.25);
  EXPECT_EQ(row.no_context.value, 0.1);
  EXPECT_EQ(row.needles_only.value, 0.9);
  EXPECT_NEAR(row.above_no_context.value, 0.15, 1e-12);
  EXPECT_NEAR(row.below_needles_only.value, 0.65, 1e-12);
  EXPECT_LT(row.above_no_context.low, row.above_no_context.high);
  EXPECT_EQ(row.above_no_context.n, 40);
  EXPECT_TRUE(build_results({}, {}).controls.empty());
}

}  // namespace
}  // namespace fathom
