// S2, S3: effective lengths of every kind, averages, slope, area, regions.
#include "results/summaries.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"
#include "results/made_run_test.h"
#include "results/score_grids.h"
#include "stats/interval.h"

namespace fathom {
namespace {

const CurveSummary& summary_of(const Results& results, const std::string& name) {
  for (const CurveSummary& summary : results.summaries.curves)
    if (summary.name == name) return summary;
  ADD_FAILURE() << "no curve " << name;
  return results.summaries.curves.front();
}

// `right` of 40 samples at each length; the first ones, so that units are paired over lengths.
void add_task(MadeRun& run, const std::string& cell, const std::vector<int64_t>& lengths,
              const std::vector<int>& right) {
  for (size_t i = 0; i < lengths.size(); ++i)
    for (int64_t index = 0; index < 40; ++index)
      run.add(cell, lengths[i], index, index < right[i] ? 1.0 : 0.0);
}

TEST(Summaries, HoldACurveForAllCategoriesAndTasks) {
  MadeRun run;
  const std::vector<int64_t> lengths = {1024, 2048, 4096, 8192};
  add_task(run, "niah_single_1", lengths, {40, 40, 40, 40});
  add_task(run, "vt", lengths, {40, 40, 12, 0});
  const Results results = run.results();
  std::vector<std::string> names;
  for (const CurveSummary& each : results.summaries.curves) names.push_back(each.name);
  EXPECT_THAT(names,
              testing::ElementsAre("all tasks", "retrieval", "tracking", "niah_single_1", "vt"));
  EXPECT_EQ(results.summaries.curves[1].curve, 1U);
  EXPECT_EQ(results.summaries.curves[4].task, 1U);

  EXPECT_EQ(summary_of(results, "vt").absolute.kind, EffectiveLengthKind::kAt);
  EXPECT_EQ(summary_of(results, "vt").absolute.length, 2048);
  EXPECT_EQ(summary_of(results, "vt").absolute, summary_of(results, "tracking").absolute);
  EXPECT_EQ(results.curves[0].effective, summary_of(results, "all tasks").absolute);
  EXPECT_EQ(summary_of(results, "retrieval").absolute.length, 8192);

  // Robust: the weaker category decides, and in every resample.
  const RobustLength& robust = results.summaries.robust;
  EXPECT_EQ(robust.effective.length, 2048);
  EXPECT_EQ(robust.effective.limited_by, "tracking");
  ASSERT_EQ(robust.parts.size(), 2U);
  EXPECT_EQ(robust.parts[0].breaks_first, 0);
  EXPECT_NEAR(robust.parts[1].breaks_first, 1, 1e-12);
  EXPECT_EQ(robust.none_breaks, 0);
}

TEST(Summaries, CategoriesMayHaveTheirOwnThresholds) {
  MadeRun run;
  add_task(run, "niah_single_1", {1024, 2048, 4096}, {40, 20, 20});
  add_task(run, "vt", {1024, 2048, 4096}, {40, 20, 0});
  ResultsOptions options;
  EXPECT_EQ(run.results(options).summaries.robust.effective.length, 1024);
  options.category_thresholds = {{"retrieval", 0.2}, {"tracking", 0.2}};
  const RobustLength robust = run.results(options).summaries.robust;
  EXPECT_EQ(robust.effective.length, 2048);
  EXPECT_EQ(robust.effective.limited_by, "tracking");
}

// The chances to break first and that none breaks are all there is, whatever the scores.
TEST(Summaries, ChancesToBreakFirstAddUp) {
  for (uint64_t seed = 0; seed < 10; ++seed) {
    Random random(RandomKey(seed), "first");
    MadeRun run;
    for (const char* cell : {"niah_single_1", "vt", "cwe", "qa_1"})
      add_task(run, cell, {1024, 2048, 4096},
               {static_cast<int>(30 + random.below(11)), static_cast<int>(30 + random.below(11)),
                static_cast<int>(28 + random.below(13))});
    ResultsOptions options;
    options.resamples = 200;
    options.seed = seed;
    const RobustLength robust = run.results(options).summaries.robust;
    double sum = robust.none_breaks;
    for (const RobustPart& part : robust.parts) {
      EXPECT_GE(part.breaks_first, 0);
      sum += part.breaks_first;
    }
    EXPECT_NEAR(sum, 1, 1e-9);
  }
}

TEST(Summaries, EqualCategoriesBreakFirstEquallyOften) {
  MadeRun run;
  for (const char* cell : {"niah_single_1", "vt"}) add_task(run, cell, {1024, 2048}, {40, 0});
  const RobustLength robust = run.results().summaries.robust;
  EXPECT_NEAR(robust.parts[0].breaks_first, 0.5, 1e-9);
  EXPECT_NEAR(robust.parts[1].breaks_first, 0.5, 1e-9);
}

TEST(Summaries, CostFollowsMissesAndOutcomes) {
  RiskWeights weights = default_risk_weights();
  struct Case {
    std::optional<double> strict;
    std::optional<Miss> miss;
    Outcome outcome;
    double cost;
  };
  const Case cases[] = {{1.0, {}, Outcome::kAnswered, 0},
                        {0.0, Miss::kWrongBinding, Outcome::kAnswered, 1},
                        {0.5, Miss::kIncomplete, Outcome::kAnswered, 0.35},
                        {0.0, Miss::kDenial, Outcome::kOutputCut, 0.3},
                        {0.0, Miss::kFormatOnly, Outcome::kAnswered, 0.1},
                        {0.0, {}, Outcome::kAnswered, 1},
                        {{}, {}, Outcome::kTimedOut, 0.3}};
  MadeRun run;
  double sum = 0;
  int64_t index = 0;
  for (const Case& each : cases) {
    run.add("vt", 1024, index++, each.strict);
    run.attempt().outcome = each.outcome;
    if (each.miss) run.attempt().misses = {{.kind = *each.miss}};
    EXPECT_NEAR(cost_of(run.attempt(), weights), each.cost, 1e-12);
    sum += each.cost;
  }
  const Results results = run.results();
  EXPECT_NEAR(results.summaries.curves[0].cost[0].value, sum / 7, 1e-12);
  EXPECT_EQ(results.summaries.curves[0].cost[0].n, 7);
}

// Denials cost less than wrong values: at equal scores the longer length in the eyes of risk.
TEST(Summaries, RiskTellsDenialsFromWrongValues) {
  const auto risk_of = [](Miss miss) {
    MadeRun run;
    for (const int64_t length : {1024, 2048})
      for (int64_t index = 0; index < 60; ++index) {
        const bool right = length == 1024 || index < 42;
        run.add("vt", length, index, right ? 1.0 : 0.0);
        if (!right) run.attempt().misses = {{.kind = miss}};
      }
    return run.results().summaries.curves[0].risk;
  };
  EXPECT_EQ(risk_of(Miss::kDenial).length, 2048);        // 0.3 · 0.3 = 0.09 a sample
  EXPECT_EQ(risk_of(Miss::kWrongBinding).length, 1024);  // 0.3 a sample
}

TEST(Summaries, RelativeLengthMayStandOnTheControl) {
  MadeRun run;
  add_task(run, "vt", {1024, 2048, 4096}, {24, 24, 10});
  for (int64_t index = 0; index < 40; ++index) {
    SampleFacts& facts = run.add("vt[control=needles-only]", 0, index, 1.0);
    facts.task = "vt";
    facts.variant = {VariantAxis::kControl, std::string(kNeedlesOnly), "vt"};
  }
  ResultsOptions options;
  EXPECT_EQ(run.results(options).summaries.curves[0].relative.length, 2048);
  options.relative_to = RelativeBase::kControl;
  const EffectiveLength relative = run.results(options).summaries.curves[0].relative;
  EXPECT_EQ(relative.length, 0);  // 60 % of what it can without the haystack
  EXPECT_NEAR(relative.threshold, 0.85, 1e-12);
}

TEST(Summaries, AveragesEqualTheCurveAndKnowThatUnitsRepeat) {
  MadeRun run;
  Random random(RandomKey(5), "averages");
  for (const char* cell : {"niah_single_1", "vt", "cwe"})
    for (int64_t index = 0; index < 50; ++index) {
      const double difficulty = random.uniform();
      for (const int64_t length : {1024, 2048, 4096, 8192}) {
        const double noise = random.uniform() * 0.5;
        run.add(cell, length, index, difficulty + noise < 0.9 ? 1.0 : 0.0);
      }
    }
  const Results results = run.results();
  double plain = 0;
  double rising = 0;
  for (size_t length = 0; length < 4; ++length) {
    plain += results.curves[0].points[length].usability.value / 4;
    rising +=
        results.curves[0].points[length].usability.value * static_cast<double>(length + 1) / 10;
  }
  EXPECT_NEAR(results.averages.average.value, plain, 1e-12);
  EXPECT_NEAR(results.averages.increasing.value, rising, 1e-12);
  EXPECT_EQ(results.averages.average.n, 600);
  // Narrower than the bound for any dependence, wider than for independent samples.
  std::vector<Estimate> by_length;
  for (const LengthSummary& point : results.curves[0].points) by_length.push_back(point.usability);
  const auto width = [](const Estimate& estimate) { return estimate.high - estimate.low; };
  EXPECT_LT(width(results.averages.average),
            width(weighted_mean(by_length, {}, Dependence::kAny)) + 1e-12);
  EXPECT_GT(width(results.averages.average),
            width(weighted_mean(by_length, {}, Dependence::kIndependent)));
}

// A run that is not finished: the value is the mean of what is there, the interval somewhat wider.
TEST(Summaries, AveragesBearAFewMissingSamples) {
  MadeRun whole;
  MadeRun torn;
  for (const int64_t length : {1024, 2048})
    for (int64_t index = 0; index < 40; ++index) {
      const double score = (index * 7 + length) % 5 < 3 ? 1.0 : 0.0;
      whole.add("vt", length, index, score);
      torn.add("vt", length, index, score);
      if (length == 2048 && index >= 37) torn.not_run();
    }
  const Results results = torn.results();
  const Estimate average = results.averages.average;
  const double mean =
      (results.cell(0, 0).tally.usability.value + results.cell(0, 1).tally.usability.value) / 2;
  EXPECT_NEAR(average.value, mean, 1e-12);
  EXPECT_EQ(average.n, 77);
  const Estimate full = whole.results().averages.average;
  EXPECT_GT(average.high - average.low, (full.high - full.low) * 0.98);
}

TEST(Summaries, SlopeAndAreaOfAStraightLine) {
  MadeRun run;
  add_task(run, "vt", {1024, 2048, 4096, 8192}, {40, 30, 20, 10});
  const CurveSummary summary = run.results().summaries.curves[0];
  EXPECT_NEAR(summary.slope.value, -0.25, 1e-12);
  EXPECT_LT(summary.slope.high, 0);
  EXPECT_NEAR(summary.area.value, 0.625, 1e-12);
  EXPECT_LT(summary.area.low, 0.625);
}

TEST(Summaries, OfOneLengthHaveNoSlope) {
  MadeRun run;
  add_task(run, "vt", {1024}, {40});
  const Results results = run.results();
  const CurveSummary& summary = results.summaries.curves[0];
  EXPECT_FALSE(summary.slope.known());
  EXPECT_FALSE(summary.area.known());
  EXPECT_EQ(summary.absolute.length, 1024);
  EXPECT_EQ(results.averages.average.value, 1);
}

TEST(Summaries, OfHolesAndFailuresAreHonest) {
  MadeRun run;
  for (int64_t index = 0; index < 5; ++index) run.add("vt", 1024, index, std::nullopt);
  run.add("cwe", 2048, 0, 1.0);  // one sample, elsewhere
  const Results results = run.results();
  EXPECT_EQ(summary_of(results, "vt").absolute.length, 0);
  EXPECT_EQ(summary_of(results, "cwe").absolute.kind, EffectiveLengthKind::kUnresolved);
  EXPECT_TRUE(results.averages.average.known());
  EXPECT_NEAR(results.averages.average.value, 0.5, 1e-12);
  EXPECT_EQ(run.results().summaries.curves.size(), results.summaries.curves.size());
  EXPECT_TRUE(build_results({}, {}).summaries.robust.parts.empty());
}

// While a run goes on: one task's good start at a length is not the mean over all.
TEST(Summaries, LeaveOutLengthsThatWaitForATask) {
  MadeRun run;
  add_task(run, "niah_single_1", {1024, 2048}, {40, 40});
  add_task(run, "vt", {1024}, {20});
  for (int64_t index = 0; index < 40; ++index) {
    run.add("vt", 2048, index, 1.0);
    run.not_run();
  }
  const Results results = run.results();
  EXPECT_EQ(results.curves[0].effective.longest, 1024);
  EXPECT_EQ(results.curves[0].points[1].tasks_with_usability, 1);  // still shown
  EXPECT_EQ(summary_of(results, "retrieval").absolute.longest, 2048);
  EXPECT_EQ(summary_of(results, "tracking").absolute.longest, 1024);
  EXPECT_EQ(results.summaries.robust.effective.length, 0);
  EXPECT_NEAR(results.averages.average.value, 0.75, 1e-12);
}

TEST(Summaries, NothingIsRelativeToNothing) {
  MadeRun run;
  add_task(run, "vt", {1024, 2048}, {0, 0});
  add_task(run, "cwe", {1024}, {40});
  const Results results = run.results();
  EXPECT_EQ(summary_of(results, "vt").relative.kind, EffectiveLengthKind::kNotMeasured);
  EXPECT_EQ(summary_of(results, "cwe").relative.kind, EffectiveLengthKind::kNotMeasured);
}

// Predictions of another harness, not sorted by length: a score, an average and no effective
// length.
TEST(Summaries, OfNoLengthHaveAnAverageAlone) {
  MadeRun run;
  add_task(run, "vt", {0}, {30});
  const Results results = run.results();
  EXPECT_EQ(results.averages.average.value, 0.75);
  EXPECT_EQ(results.curves[0].effective.kind, EffectiveLengthKind::kNotMeasured);
  EXPECT_FALSE(results.summaries.curves[0].slope.known());
  EXPECT_EQ(results.summaries.curves[0].cost[0].value, 0.25);
}

TEST(ComplexityRegions, StandWhereAParameterIsSwept) {
  MadeRun run;
  const std::vector<int64_t> lengths = {1024, 2048, 4096};
  add_task(run, "niah_multikey_1[keys=4,queries=2]", lengths, {40, 40, 40});
  add_task(run, "niah_multikey_1[keys=16,queries=2]", lengths, {40, 40, 10});
  add_task(run, "niah_multikey_1[keys=64,queries=2]", lengths, {40, 10, 0});
  add_task(run, "niah_single_2[depth_value=0.5]", lengths, {40, 40, 40});
  add_task(run, "niah_single_2[depth_value=1]", lengths, {40, 40, 40});
  add_task(run, "vt[hops=inf]", lengths, {40, 40, 40});
  add_task(run, "vt[hops=2]", lengths, {40, 40, 40});
  const Results results = run.results();
  ASSERT_EQ(results.summaries.regions.size(), 1U);
  const ComplexityRegion& region = results.summaries.regions[0];
  EXPECT_EQ(region.task, "niah_multikey_1");
  EXPECT_EQ(region.parameter, "keys");
  EXPECT_EQ(region.fixed, "queries=2");
  EXPECT_EQ(region.levels, (std::vector<double>{4, 16, 64}));
  std::vector<int64_t> reach;
  for (const EffectiveLength& effective : region.effective) reach.push_back(effective.length);
  EXPECT_EQ(reach, (std::vector<int64_t>{4096, 2048, 1024}));
  EXPECT_EQ(region.region.passing,
            (std::vector<bool>{true, true, true, true, true, false, true, false, false}));
  EXPECT_NEAR(region.region.area, 6.0 / 9, 1e-12);
  EXPECT_FALSE(region.region.contours.empty());
}

TEST(ScoreGrids, KeepASecondSampleOfOneIndex) {
  MadeRun run;
  run.add("vt", 1024, 0, 1.0);
  run.add("vt", 1024, 0, 0.0).id = "another:1024:0";
  run.add("vt", 2048, 0, 1.0);
  const Results results = run.results();
  const RunGrids grids = run_grids(results);
  int64_t held = 0;
  for (const double score : grids.usability.scores) held += std::isnan(score) ? 0 : 1;
  EXPECT_EQ(held, 3);
}

// Results must not depend on how many threads make them, and the seed decides the rest.
TEST(Summaries, AreTheSameForAnyThreads) {
  MadeRun run;
  Random random(RandomKey(11), "threads");
  for (const char* cell : {"niah_single_1", "vt"})
    for (const int64_t length : {1024, 2048})
      for (int64_t index = 0; index < 30; ++index)
        run.add(cell, length, index, random.uniform() < 0.85 ? 1.0 : 0.0);
  ResultsOptions one;
  one.threads = 1;
  ResultsOptions four;
  four.threads = 4;
  const Results a = run.results(one);
  const Results b = run.results(four);
  EXPECT_EQ(a.summaries.curves, b.summaries.curves);
  EXPECT_EQ(a.summaries.robust, b.summaries.robust);
  EXPECT_EQ(a.cells, b.cells);
  EXPECT_EQ(a.positions, b.positions);
}

}  // namespace
}  // namespace fathom
