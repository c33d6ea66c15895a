// R3, S1, V5: failures are neither zeros nor gone, and every figure adds up.
#include "results/results.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runs/synthetic_run.h"
#include "stats/interval.h"

namespace fathom {
namespace {

using testing_run::synthetic_run;
using testing_run::SyntheticRun;

SampleFacts sample(const std::string& task, int64_t length, int64_t index) {
  SampleFacts facts;
  facts.id = fmt::format("{}:{}:{}", task, length, index);
  facts.task = facts.cell = task;
  facts.length = length;
  facts.index = index;
  facts.references = {"42"};
  return facts;
}

Attempt attempt(const SampleFacts& facts, Outcome outcome, const std::string& text = "") {
  Attempt made;
  made.sample_id = facts.id;
  made.sample_hash = facts.hash;
  made.outcome = outcome;
  made.reply.text = text;
  return made;
}

Results results_of(const std::vector<SampleFacts>& samples, const std::vector<Attempt>& attempts) {
  auto scores = score_run(samples, attempts, 1);
  EXPECT_TRUE(scores) << (scores ? "" : scores.error().message);
  return build_results(samples, scores ? *scores : std::vector<ScoredAttempt>{});
}

TEST(Results, KeepFailuresApartFromWrongAnswers) {
  std::vector<SampleFacts> samples;
  for (int64_t i = 0; i < 6; ++i) samples.push_back(sample("vt", 1024, i));
  const Results results = results_of(samples, {attempt(samples[0], Outcome::kAnswered, "42"),
                                               attempt(samples[1], Outcome::kAnswered, "7"),
                                               attempt(samples[2], Outcome::kTimedOut),
                                               attempt(samples[3], Outcome::kOutputCut, "it is 42"),
                                               attempt(samples[4], Outcome::kAnswered, " \n")});
  const Tally& tally = results.cell(0, 0).tally;
  EXPECT_EQ(tally.samples, 6);
  EXPECT_EQ(tally.attempted, 5);
  EXPECT_EQ(tally.completed, 4);
  EXPECT_EQ(tally.nulls, 1);
  EXPECT_EQ(tally.outcomes[static_cast<size_t>(Outcome::kTimedOut)], 1);
  EXPECT_EQ(tally.quality, wilson(2, 4));
  EXPECT_EQ(tally.completion, wilson(4, 5));
  EXPECT_EQ(tally.usability, wilson(2, 5));
  EXPECT_EQ(results.cell(0, 0).ruler_score, 50);
  EXPECT_NEAR(tally.usability.value, tally.completion.value * tally.quality.value, 1e-12);
  EXPECT_FALSE(results.rows[5].score);
  EXPECT_FALSE(results.scores[2].official);
}

TEST(Results, MarkCellsByWhatHappened) {
  std::vector<SampleFacts> samples;
  for (const char* task : {"right", "wrong", "memory", "time", "window", "error", "later"})
    samples.push_back(sample(task, 1024, 0));
  samples.push_back(sample("right", 2048, 0));
  const Results results = results_of(
      samples,
      {attempt(samples[0], Outcome::kAnswered, "42"), attempt(samples[1], Outcome::kAnswered, "?"),
       attempt(samples[2], Outcome::kOutOfMemory), attempt(samples[3], Outcome::kTimedOut),
       attempt(samples[4], Outcome::kOverWindow), attempt(samples[5], Outcome::kErrorTransient)});
  std::vector<CellMark> marks;
  for (size_t task = 0; task < 7; ++task) marks.push_back(results.cell(task, 0).mark);
  EXPECT_THAT(marks, testing::ElementsAre(CellMark::kScore, CellMark::kZero, CellMark::kOutOfMemory,
                                          CellMark::kTimedOut, CellMark::kOverWindow,
                                          CellMark::kFailed, CellMark::kNotRun));
  EXPECT_EQ(results.cell(0, 1).mark, CellMark::kNotRun);
  EXPECT_EQ(results.cell(1, 1).mark, CellMark::kNoSamples);
  EXPECT_FALSE(results.cell(2, 0).tally.quality.known());
  EXPECT_EQ(results.cell(2, 0).tally.usability.value, 0);
  // Five of seven tasks have no quality or no usability at 1K; the summary says so.
  EXPECT_EQ(results.curves[0].points[0].tasks_with_quality, 2);
  EXPECT_EQ(results.curves[0].points[0].tasks_with_usability, 6);
}

TEST(Results, AddUpOverTheWholeRun) {
  const SyntheticRun run = synthetic_run();
  const Results& results = run.results;
  int64_t samples = 0;
  int64_t attempted = 0;
  int64_t completed = 0;
  for (const Cell& cell : results.cells) {
    samples += cell.tally.samples;
    attempted += cell.tally.attempted;
    completed += cell.tally.completed;
    int64_t outcomes = 0;
    for (const int64_t count : cell.tally.outcomes) outcomes += count;
    EXPECT_EQ(outcomes, cell.tally.attempted);
  }
  EXPECT_EQ(samples, static_cast<int64_t>(results.samples.size()));
  EXPECT_EQ(attempted, results.total.attempted);
  EXPECT_EQ(completed, results.total.completed);
  EXPECT_EQ(attempted, static_cast<int64_t>(run.attempts.size()));

  // The macro mean is RULER's average: each task weighs the same.
  for (size_t length = 0; length < results.lengths.size(); ++length) {
    double sum = 0;
    for (size_t task = 0; task < results.tasks.size(); ++task)
      sum += results.cell(task, length).tally.usability.value;
    EXPECT_NEAR(results.curves[0].points[length].usability.value, sum / 13, 1e-12);
  }
  int64_t binned = 0;
  int64_t with_depth = 0;
  for (const DepthBin& bin : results.depth) binned += bin.tally.samples;
  for (const SampleFacts& one : results.samples) with_depth += one.depth ? 1 : 0;
  EXPECT_EQ(binned, with_depth);
  EXPECT_GT(binned, 0);
  EXPECT_LT(binned, samples);
}

TEST(Results, GroupTasksAsRulersPaper) {
  const Results results = synthetic_run().results;
  std::vector<std::string> names;
  for (const Curve& curve : results.curves) names.push_back(curve.name);
  EXPECT_THAT(names, testing::ElementsAre("all tasks", "retrieval", "tracking", "aggregation",
                                          "question answering"));
  EXPECT_EQ(category_of("niah_multikey_3"), "retrieval");
  EXPECT_EQ(category_of("qa_2"), "question answering");
  EXPECT_EQ(category_of("somebody_elses"), "other");
}

TEST(Results, OfNothingAreEmpty) {
  const Results results = build_results({}, {});
  EXPECT_TRUE(results.cells.empty());
  EXPECT_EQ(results.curves[0].effective.kind, EffectiveLengthKind::kNotMeasured);
  EXPECT_FALSE(results.total.usability.known());
}

TEST(Results, BinDepthsAtTheirEdges) {
  std::vector<SampleFacts> samples;
  const double depths[] = {0, 0.0999, 0.1, 0.95, 1.0};
  for (int64_t i = 0; i < 5; ++i) {
    samples.push_back(sample("niah_single_1", 1024, i));
    samples.back().depth = depths[i];
  }
  const Results results = results_of(samples, {});
  std::vector<std::pair<int, int64_t>> bins;
  for (const DepthBin& bin : results.depth) bins.emplace_back(bin.bin, bin.tally.samples);
  EXPECT_THAT(bins, testing::ElementsAre(std::pair(0, 2), std::pair(1, 1), std::pair(9, 2)));
  EXPECT_TRUE(results.tasks[0].has_depth);
}

TEST(SampleFacts, HaveADepthOnlyWhereTheEvidenceIsInOnePlace) {
  Sample one;
  one.evidence.resize(2);
  one.evidence[0].depth = 0.25;
  one.evidence[1].depth = 0.75;
  EXPECT_FALSE(facts_of(one).depth);
  EXPECT_EQ(facts_of(one).evidence, 2);
  one.evidence[1].distractor = true;
  EXPECT_EQ(facts_of(one).depth, 0.25);
  EXPECT_EQ(facts_of(one).evidence, 1);
}

}  // namespace
}  // namespace fathom
