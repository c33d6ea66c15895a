// S4: pairs, tests, corrections, power, and what is refused.
#include "results/comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"
#include "results/sample_clusters.h"
#include "runs/scored_run.h"
#include "stats/corrections.h"

namespace fathom {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing_run::scored_run;
using testing_run::ScoredAnswer;
using testing_run::ScoredRun;
using testing_run::ScoredShape;

ScoredAnswer right() { return {.official = 1.0}; }
ScoredAnswer wrong() { return {.official = 0.0}; }
ScoredAnswer failed() { return {.official = std::nullopt}; }
ScoredAnswer missing() { return {.run = false}; }

ScoredShape shape(const std::string& name, int64_t samples = 10) {
  return {.samples = samples, .name = name};
}

Comparison compared(const ScoredRun& a, const ScoredRun& b, const ComparisonOptions& options = {}) {
  auto comparison = compare_runs(a.compared(), b.compared(), options);
  EXPECT_TRUE(comparison) << (comparison ? "" : comparison.error().message);
  return comparison.value_or(Comparison{});
}

std::string refusal(const ScoredRun& a, const ScoredRun& b, const ComparisonOptions& options = {}) {
  const auto comparison = compare_runs(a.compared(), b.compared(), options);
  EXPECT_FALSE(comparison);
  if (comparison) return "";
  EXPECT_EQ(comparison.error().code, ErrorCode::kUsage);
  return comparison.error().message;
}

const ComparedGroup* find(const std::vector<ComparedGroup>& groups, const std::string& name) {
  for (const ComparedGroup& group : groups)
    if (name_of(group) == name) return &group;
  return nullptr;
}

TEST(Comparison, CountsBothDirections) {
  const ScoredRun a = scored_run(
      shape("a"), [](const SampleFacts& sample) { return sample.index < 6 ? right() : wrong(); });
  const ScoredRun b = scored_run(shape("b"), [](const SampleFacts& sample) {
    return sample.index >= 4 && sample.index < 7 ? right() : wrong();
  });
  const Comparison comparison = compared(a, b);
  const ComparedGroup* cell = find(comparison.cells, "vt at 2K");
  ASSERT_NE(cell, nullptr);
  EXPECT_EQ(cell->counts, (PairedCounts{.both = 2, .only_a = 4, .only_b = 1, .neither = 3}));
  EXPECT_EQ(cell->test, DifferenceTest::kMcNemar);
  EXPECT_DOUBLE_EQ(cell->p, 12.0 / 32);  // binomial(5, 1/2): 2 * (1 + 5) / 32
  EXPECT_DOUBLE_EQ(cell->difference.value, -0.3);
  EXPECT_EQ(cell->difference.method, IntervalMethod::kTango);
  EXPECT_EQ(comparison.all.pairs, 60);
  EXPECT_EQ(comparison.all.counts.n(), 60);
  EXPECT_EQ(comparison.cells.size(), 6u);
  EXPECT_EQ(comparison.tasks.size(), 3u);
  EXPECT_EQ(comparison.lengths.size(), 2u);
  EXPECT_EQ(comparison.categories.size(), 3u);
  EXPECT_EQ(comparison.samples.size(), 60u);
  int64_t lost = 0;
  for (const ComparedSample& sample : comparison.samples)
    lost += sample.outcome == PairOutcome::kLost ? 1 : 0;
  EXPECT_EQ(lost, comparison.all.counts.only_a);
}

TEST(Comparison, TakesAnIndexAtSeveralLengthsAsOneCluster) {
  const ScoredRun a = scored_run(shape("a"), [](const SampleFacts&) { return right(); });
  const ScoredRun b = scored_run(shape("b"), [](const SampleFacts& sample) {
    return sample.task == "vt" && sample.index < 4 ? wrong() : right();
  });
  const Comparison comparison = compared(a, b);
  EXPECT_EQ(comparison.all.clusters, 30);
  EXPECT_EQ(comparison.all.test, DifferenceTest::kSignFlip);
  // Four clusters of two losses each: as four pairs, 2 / 2^4.
  EXPECT_DOUBLE_EQ(comparison.all.p, 2.0 / 16);
  const ComparedGroup* task = find(comparison.tasks, "vt");
  ASSERT_NE(task, nullptr);
  EXPECT_DOUBLE_EQ(task->p, 2.0 / 16);
  EXPECT_EQ(task->difference.method, IntervalMethod::kClusterRobust);
}

TEST(Comparison, JoinsClustersThatShareAHaystack) {
  ScoredRun run =
      scored_run({.tasks = {"vt"}, .samples = 3}, [](const SampleFacts&) { return right(); });
  EXPECT_EQ(sample_clusters(run.results), (std::vector<int64_t>{0, 1, 2, 0, 1, 2}));
  run.results.samples[1].haystack = run.results.samples[5].haystack = "one book";
  EXPECT_EQ(sample_clusters(run.results), (std::vector<int64_t>{0, 1, 1, 0, 1, 1}));
}

TEST(Comparison, CountsFailuresAsWrongAndLeavesOutWhatIsNotRun) {
  const ScoredRun a = scored_run(shape("a"), [](const SampleFacts&) { return right(); });
  const ScoredRun b = scored_run(shape("b"), [](const SampleFacts& sample) {
    return sample.index == 0 ? failed() : sample.index == 1 ? missing() : right();
  });
  const Comparison comparison = compared(a, b);
  EXPECT_EQ(comparison.not_run, 6);
  EXPECT_EQ(comparison.all.pairs, 54);
  EXPECT_EQ(comparison.all.counts.only_a, 6);
}

TEST(Comparison, TakesFractionsByHowMuchTheyDiffer) {
  const ScoredRun a = scored_run(shape("a"), [](const SampleFacts& sample) {
    return ScoredAnswer{.official = sample.index == 0 ? 0.25 : 0.75};
  });
  const ScoredRun b = scored_run(shape("b"), [](const SampleFacts& sample) {
    return ScoredAnswer{.official = sample.index == 0 ? 0.5 : sample.index == 1 ? 0.5 : 0.75};
  });
  const Comparison comparison = compared(a, b);
  const ComparedGroup& cell = comparison.cells.front();
  EXPECT_EQ(cell.counts, (PairedCounts{.both = 0, .only_a = 1, .only_b = 1, .neither = 8}));
  EXPECT_EQ(cell.test, DifferenceTest::kSignFlip);
  EXPECT_DOUBLE_EQ(cell.difference.value, 0);
  EXPECT_DOUBLE_EQ(cell.p, 1);
}

TEST(Comparison, ReadsStrictScoresWhereAsked) {
  const ScoredRun a = scored_run(shape("a"), [](const SampleFacts&) { return right(); });
  const ScoredRun b = scored_run(shape("b"), [](const SampleFacts& sample) {
    return ScoredAnswer{.official = 1.0, .strict = sample.index < 5 ? 0.0 : 1.0};
  });
  EXPECT_EQ(compared(a, b).all.counts.only_a, 0);
  EXPECT_EQ(compared(a, b, {.reading = Reading::kStrict}).all.counts.only_a, 30);
}

TEST(Comparison, CorrectsOverTheCellsOfATable) {
  const ScoredRun a = scored_run(shape("a", 20), [](const SampleFacts&) { return right(); });
  const ScoredRun b = scored_run(shape("b", 20), [](const SampleFacts& sample) {
    const int64_t losses = sample.task == "vt" ? 9 : sample.task == "cwe" ? 5 : 0;
    return sample.index < losses ? wrong() : right();
  });
  const Comparison comparison = compared(a, b);
  std::vector<double> p_values;
  for (const ComparedGroup& cell : comparison.cells) p_values.push_back(cell.p);
  const auto by_holm = holm(p_values);
  const auto by_bh = benjamini_hochberg(p_values);
  for (size_t i = 0; i < p_values.size(); ++i) {
    EXPECT_DOUBLE_EQ(comparison.cells[i].p_holm, by_holm[i]);
    EXPECT_DOUBLE_EQ(comparison.cells[i].p_bh, by_bh[i]);
    EXPECT_GE(comparison.cells[i].p_holm, comparison.cells[i].p_bh);
  }
  EXPECT_DOUBLE_EQ(comparison.all.p_holm, comparison.all.p);
}

TEST(Comparison, SaysWhatItCanSee) {
  const auto half = [](uint64_t seed) {
    return [seed](const SampleFacts& sample) {
      return Random(RandomKey(seed).with(sample.id), "answer").uniform() < 0.5 ? right() : wrong();
    };
  };
  const Comparison few =
      compared(scored_run(shape("a", 10), half(1)), scored_run(shape("b", 10), half(2)));
  const Comparison many =
      compared(scored_run(shape("a", 200), half(1)), scored_run(shape("b", 200), half(2)));
  EXPECT_GT(few.all.detectable, many.all.detectable);
  EXPECT_GT(many.all.detectable, 0.02);
  EXPECT_GT(many.all.needed, many.all.pairs);
  EXPECT_THAT(comparison_verdict(few), HasSubstr("four times in five"));
}

// ---- refusals

TEST(Comparison, RefusesOtherSamplesByName) {
  const auto all_right = [](const SampleFacts&) { return right(); };
  const ScoredRun a = scored_run(shape("runs-a"), all_right);
  const ScoredRun other_content = scored_run({.name = "runs-b", .content = "two"}, all_right);
  const std::string content = refusal(a, other_content);
  EXPECT_THAT(content, HasSubstr("runs-a and runs-b"));
  EXPECT_THAT(content, HasSubstr("60 with the same id and another content"));
  EXPECT_THAT(content, HasSubstr("niah_single_1:1024:0"));
  EXPECT_THAT(content, HasSubstr("none is shared"));
  EXPECT_THAT(content, HasSubstr("--unpaired"));
  EXPECT_THAT(content, Not(HasSubstr("--shared")));

  const ScoredRun more = scored_run(shape("runs-b", 12), all_right);
  const std::string partial = refusal(a, more);
  EXPECT_THAT(partial, HasSubstr("12 only in runs-b (niah_single_1:1024:10"));
  EXPECT_THAT(partial, HasSubstr("60 are shared"));
  EXPECT_THAT(partial, HasSubstr("--shared"));

  const Comparison shared = compared(a, more, {.shared_only = true});
  EXPECT_EQ(shared.shared, 60);
  EXPECT_EQ(shared.only_b, 12);
  EXPECT_EQ(shared.all.pairs, 60);
}

TEST(Comparison, RefusesRunsWithoutCommonAnswers) {
  const ScoredRun a = scored_run(
      shape("a"), [](const SampleFacts& sample) { return sample.index < 5 ? right() : missing(); });
  const ScoredRun b = scored_run(
      shape("b"), [](const SampleFacts& sample) { return sample.index < 5 ? missing() : right(); });
  EXPECT_THAT(refusal(a, b), HasSubstr("none of them is answered in both yet"));
  const ScoredRun other =
      scored_run({.tasks = {"fwe"}, .name = "c"}, [](const SampleFacts&) { return right(); });
  EXPECT_THAT(refusal(a, other, {.unpaired = true}), HasSubstr("nothing to compare"));
}

TEST(Comparison, KeepsToTheLengthsAskedFor) {
  const auto by_length = [](const SampleFacts& sample) {
    return sample.length == 1024 ? right() : wrong();
  };
  const ScoredRun a = scored_run(shape("a"), by_length);
  const Comparison comparison = compared(a, a, {.lengths = {2048}});
  EXPECT_EQ(comparison.all.pairs, 30);
  EXPECT_EQ(comparison.all.counts.neither, 30);
}

// ---- unpaired

TEST(Comparison, ComparesIndependentGroupsWhereAsked) {
  const auto share = [](double right_share, uint64_t seed) {
    return [=](const SampleFacts& sample) {
      return Random(RandomKey(seed).with(sample.id), "answer").uniform() < right_share ? right()
                                                                                       : wrong();
    };
  };
  const ScoredRun a = scored_run(shape("a", 40), share(0.9, 1));
  const ScoredRun b = scored_run({.samples = 30, .name = "b", .content = "two"}, share(0.5, 2));
  const Comparison comparison = compared(a, b, {.unpaired = true});
  EXPECT_EQ(comparison.all.pairs, 0);
  EXPECT_EQ(comparison.all.test, DifferenceTest::kUnpaired);
  EXPECT_LT(comparison.all.difference.high, 0);
  EXPECT_LT(comparison.all.p, 0.001);
  EXPECT_TRUE(comparison.samples.empty());
  EXPECT_THAT(comparison_verdict(comparison), HasSubstr("not paired"));
  // p and interval say the same.
  for (const ComparedGroup& cell : comparison.cells)
    EXPECT_EQ(cell.p < 0.05, cell.difference.high < 0 || cell.difference.low > 0) << name_of(cell);
  const ComparedGroup* cell = find(comparison.cells, "vt at 1K");
  ASSERT_NE(cell, nullptr);
  EXPECT_EQ(cell->a.n, 40);
  EXPECT_EQ(cell->b.n, 30);
}

// ---- words and conditions

TEST(Comparison, ListsWhatDecidesFirst) {
  ScoredRun a = scored_run(shape("a"), [](const SampleFacts&) { return right(); });
  ScoredRun b = a;
  b.description.conditions[0].value = "another";
  b.description.conditions[2].value = "slow";
  b.description.conditions.push_back({"Decoding", "Sampling", "greedy"});
  const auto conditions = differing_conditions(a.compared(), b.compared());
  ASSERT_EQ(conditions.size(), 3u);
  EXPECT_EQ(conditions[0], (ConditionDifference{"Model: Name", "model a", "another", true}));
  EXPECT_EQ(conditions[1], (ConditionDifference{"Decoding: Sampling", "", "greedy", true}));
  EXPECT_EQ(conditions[2], (ConditionDifference{"Run: Processor", "any", "slow", false}));
}

TEST(Comparison, FindsSettingsThatDescriptionsDoNotShow) {
  const ScoredRun a = scored_run(shape("a"), [](const SampleFacts&) { return right(); });
  RunRecord before;
  RunRecord after;
  after.settings.more["attention.kind"] = "sparse";
  after.settings.decoding.temperature = 0.7;  // shown in words by the description
  const auto conditions = differing_conditions({&a.results, &a.description, &before},
                                               {&a.results, &a.description, &after});
  ASSERT_EQ(conditions.size(), 1u);
  EXPECT_EQ(conditions[0], (ConditionDifference{"Setting: attention.kind", "", "sparse", true}));
}

TEST(Comparison, SaysTheResultInASentence) {
  const ScoredRun a = scored_run(shape("a", 40), [](const SampleFacts&) { return right(); });
  const ScoredRun b = scored_run(shape("b", 40), [](const SampleFacts& sample) {
    return sample.task == "vt" && sample.index < 20 ? wrong() : right();
  });
  const std::string worse = comparison_verdict(compared(a, b));
  EXPECT_THAT(worse, HasSubstr("b (model b) is worse than a (model a) by 16.7 points"));
  EXPECT_THAT(worse, HasSubstr("on 240 shared samples"));
  EXPECT_THAT(worse, HasSubstr("Worst cell: vt at 1K (−50.0)"));
  EXPECT_THAT(worse, HasSubstr("2 of 6 cells differ by themselves"));
  const std::string better = comparison_verdict(compared(b, a));
  EXPECT_THAT(better, HasSubstr("is better than"));
  EXPECT_THAT(comparison_verdict(compared(a, a)), HasSubstr("scored the same on each of 240"));
}

// ---- Q4: size of the tests as compare uses them

struct SizeCase {
  const char* name;
  double easy;  // share of samples that both readers find easy
  bool fractional;
  bool paired;
};

// Two readers of the same skill: how often is a difference found?
double rejections(const SizeCase& wanted, int64_t samples, int repeats) {
  int rejected = 0;
  for (int repeat = 0; repeat < repeats; ++repeat) {
    const auto reader = [&](const std::string& name) {
      return [&, name](const SampleFacts& sample) -> ScoredAnswer {
        // How hard a question is, is the same at every length and for both readers.
        const std::string question = fmt::format("{}:{}", sample.task, sample.index);
        Random shared(RandomKey(static_cast<uint64_t>(repeat)).with(question), "hardness");
        const double skill = shared.uniform() < wanted.easy ? 0.95 : 0.3;
        Random own(RandomKey(static_cast<uint64_t>(repeat)).with(sample.id), name);
        if (!wanted.fractional) return own.uniform() < skill ? right() : wrong();
        int found = 0;
        for (int part = 0; part < 4; ++part) found += own.uniform() < skill ? 1 : 0;
        return {.official = found / 4.0};
      };
    };
    const ScoredRun a = scored_run(
        {.tasks = {"vt", "cwe"}, .samples = samples, .name = "a", .whole = false}, reader("a"));
    const ScoredRun b = scored_run(
        {.tasks = {"vt", "cwe"}, .samples = samples, .name = "b", .whole = false}, reader("b"));
    const Comparison comparison = compared(a, b, {.unpaired = !wanted.paired});
    rejected += comparison.all.p < 0.05 ? 1 : 0;
  }
  return static_cast<double>(rejected) / repeats;
}

class ComparisonSizeSlow : public testing::TestWithParam<SizeCase> {};

TEST_P(ComparisonSizeSlow, IsAtMostItsLevel) {
  constexpr int kRepeats = 1500;
  const double slack = 3 * std::sqrt(0.05 * 0.95 / kRepeats);
  for (const int64_t samples : {8, 25}) {
    const double size = rejections(GetParam(), samples, kRepeats);
    RecordProperty(fmt::format("size_n{}", samples), fmt::format("{:.4f}", size));
    EXPECT_LE(size, 0.05 + slack) << samples << " samples a cell";
  }
}

INSTANTIATE_TEST_SUITE_P(Readers, ComparisonSizeSlow,
                         testing::Values(SizeCase{"even", 1.0, false, true},
                                         SizeCase{"clustered", 0.5, false, true},
                                         SizeCase{"fractional", 0.5, true, true},
                                         SizeCase{"unpaired", 0.5, false, false}),
                         [](const auto& row) { return row.param.name; });

}  // namespace
}  // namespace fathom
