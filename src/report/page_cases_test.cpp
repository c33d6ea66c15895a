// V2: which samples the page shows in full, and what of them.
#include "report/page_cases.h"

#include <gtest/gtest.h>

#include <set>

#include "io/json.h"
#include "results/comparison.h"
#include "runs/synthetic_run.h"
#include "text/utf8.h"

namespace fathom {
namespace {

using testing_run::synthetic_run;
using testing_run::SyntheticRun;

TEST(ChooseCases, SpreadsOverCellsAndKinds) {
  const SyntheticRun run = synthetic_run();
  const std::vector<size_t> chosen = choose_cases(run.results, 60);
  ASSERT_EQ(chosen.size(), 60U);
  EXPECT_EQ(std::set<size_t>(chosen.begin(), chosen.end()).size(), 60U);
  std::set<std::pair<size_t, size_t>> cells;
  for (const size_t row : chosen)
    cells.emplace(run.results.rows[row].task, run.results.rows[row].length);
  EXPECT_GT(cells.size(), 25U);
  const ScoredAttempt& first = run.results.scores[*run.results.rows[chosen[0]].score];
  EXPECT_EQ(first.official, 0);
  EXPECT_EQ(choose_cases(run.results, 10000).size(), run.samples.size());
}

TEST(ChoosePairs, TakesLostAndGainedOnesFirst) {
  const SyntheticRun a = synthetic_run();
  SyntheticRun b = synthetic_run();
  Comparison comparison;
  for (size_t row = 0; row < a.results.rows.size(); ++row) {
    const PairOutcome outcome = row % 10 == 0   ? PairOutcome::kLost
                                : row % 10 == 1 ? PairOutcome::kGained
                                : row % 2 == 0  ? PairOutcome::kBothRight
                                                : PairOutcome::kBothWrong;
    comparison.samples.push_back({.row_a = row, .row_b = row, .outcome = outcome});
  }
  const std::vector<size_t> chosen = choose_pairs(comparison, a.results, 104);
  ASSERT_EQ(chosen.size(), 104U);
  for (size_t i = 0; i < 52; ++i)
    EXPECT_EQ(comparison.samples[chosen[i]].outcome, PairOutcome::kLost);
  for (size_t i = 52; i < 104; ++i)
    EXPECT_EQ(comparison.samples[chosen[i]].outcome, PairOutcome::kGained);
  EXPECT_EQ(choose_pairs(comparison, a.results, 10000).size(), comparison.samples.size());
}

TEST(MakeCase, CapsAndRepairsWhatModelsWrite) {
  Sample sample;
  sample.references = {"x"};
  Attempt attempt;
  for (int i = 0; i < 1000; ++i) attempt.reply.text += "日本🔑";
  attempt.reply.thinking = "\xff\xfe";
  ScoredAttempt score;
  score.found = {true};
  score.misses = {{Miss::kHedge, "\xff"}};
  const CaseDetail detail = make_case(0, sample, &attempt, &score);
  EXPECT_TRUE(detail.answer_cut);
  EXPECT_LE(detail.answer.size(), 2000U);
  EXPECT_GT(detail.answer.size(), 1990U);
  EXPECT_TRUE(is_valid_utf8(detail.answer));
  EXPECT_EQ(detail.thinking, "\xEF\xBF\xBD\xEF\xBF\xBD");
  EXPECT_EQ(detail.found, std::vector<bool>{true});
  const Json json = *parse_json(case_json(detail, 3), "case");
  EXPECT_EQ(json["prompt"], 3);
  EXPECT_EQ(json["misses"][0]["kind"], static_cast<int>(Miss::kHedge));
  EXPECT_EQ(json["misses"][0]["detail"], "\xEF\xBF\xBD");
  attempt.reply.text = "short";
  EXPECT_FALSE(make_case(0, sample, &attempt, nullptr).answer_cut);
  EXPECT_EQ(make_case(0, sample, nullptr, nullptr).answer, "");
}

TEST(MakeCase, ShowsWhereTheEvidenceLies) {
  const SyntheticRun run = synthetic_run({.samples_per_cell = 1, .lengths = {1024}});
  const CaseDetail detail = make_case(0, run.samples[0], nullptr, nullptr);
  ASSERT_EQ(detail.prompt.places.size(), run.samples[0].evidence.size());
  EXPECT_FALSE(detail.prompt.places.front().distractor);
  EXPECT_TRUE(detail.prompt.places.back().distractor);
  EXPECT_EQ(detail.prompt.places.front().at, run.samples[0].evidence.front().depth);
  EXPECT_EQ(detail.prompt.bytes, run.samples[0].full_text().size());
}

}  // namespace
}  // namespace fathom
