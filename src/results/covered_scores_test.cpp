// A4, V2: scores by how much of the evidence was read.
#include "results/covered_scores.h"

#include <gtest/gtest.h>

#include "results/made_run_test.h"

namespace fathom {
namespace {

struct Covered {
  double score;
  double joint;
};

FinishedArm arm(const std::string& name, SelectorKind kind, const std::vector<Covered>& samples) {
  FinishedArm made;
  made.arm.name = name;
  made.arm.options.kind = kind;
  MadeRun run;
  for (size_t i = 0; i < samples.size(); ++i) {
    const std::string id = run.add("vt", 1024, static_cast<int64_t>(i), samples[i].score).id;
    SampleCoverage coverage;
    coverage.sample_id = id;
    coverage.joint = samples[i].joint;
    coverage.recall = 1;
    made.coverage.push_back(coverage);
  }
  made.run.results = run.results();
  return made;
}

TEST(CoveredScores, CountsOnlyWhatFullAttentionAnswers) {
  const std::vector<FinishedArm> arms = {
      arm("full", SelectorKind::kFull, {{1, 1}, {1, 1}, {0.5, 1}, {1, 1}}),
      arm("oracle", SelectorKind::kEvidence, {{0, 0}, {0, 0}, {0, 0}, {0, 0}}),
      arm("quest-256", SelectorKind::kQuest, {{1, 1}, {0, 0.1}, {1, 0.1}, {1, 0.8}}),
      arm("moba-256", SelectorKind::kMoba, {{1, 0.95}, {1, 0.19}, {0, 0}, {0.5, 0.2}})};
  const std::vector<CoveredScore> scores = covered_scores(arms);
  // joint: [0, .2): 0 and 1; [.2, .4): 0.5; [.8, 1]: 1, 1, 1. recall: all six in the last. path:
  // all in the first.
  ASSERT_EQ(scores.size(), 5U);
  struct Expected {
    CoverageMeasure measure;
    double from, value;
    int64_t n;
  };
  const Expected expected[] = {{CoverageMeasure::kJoint, 0.0, 0.5, 2},
                               {CoverageMeasure::kJoint, 0.2, 0.5, 1},
                               {CoverageMeasure::kJoint, 0.8, 1.0, 3},
                               {CoverageMeasure::kRecall, 0.8, 0.75, 6},
                               {CoverageMeasure::kPath, 0.0, 0.75, 6}};
  for (size_t i = 0; i < scores.size(); ++i) {
    EXPECT_EQ(scores[i].measure, expected[i].measure) << i;
    EXPECT_DOUBLE_EQ(scores[i].from, expected[i].from) << i;
    EXPECT_DOUBLE_EQ(scores[i].score.value, expected[i].value) << i;
    EXPECT_EQ(scores[i].score.n, expected[i].n) << i;
  }
}

TEST(CoveredScores, NeedsFullAttentionAndCoverage) {
  std::vector<FinishedArm> arms = {arm("quest-256", SelectorKind::kQuest, {{1, 1}})};
  EXPECT_TRUE(covered_scores(arms).empty());
  arms.push_back(arm("full", SelectorKind::kFull, {{1, 1}}));
  arms[0].coverage.clear();
  EXPECT_TRUE(covered_scores(arms).empty());
}

}  // namespace
}  // namespace fathom
