// A6: budgets of one selector, chosen on half of the haystacks.
#include "results/budget_study.h"

#include <gtest/gtest.h>

#include <functional>

#include "results/arm_study.h"
#include "results/made_run_test.h"

namespace fathom {
namespace {

constexpr int64_t kSamples = 120;

FinishedArm arm(std::string name, SelectorKind kind, int64_t budget,
                const std::function<double(int64_t)>& score, int64_t samples = kSamples) {
  FinishedArm made;
  made.arm.name = std::move(name);
  made.arm.options.kind = kind;
  made.arm.options.budget = budget;
  MadeRun run;
  for (int64_t i = 0; i < samples; ++i)
    run.add("vt", 1024, i, score(i)).haystack = "book " + std::to_string(i / 2);
  made.run.results = run.results();
  return made;
}

double right(int64_t) { return 1; }

TEST(BudgetStudy, A6_ChoosesOnHalfOfTheHaystacks) {
  const std::vector<FinishedArm> arms = {
      arm("full", SelectorKind::kFull, 0, right),
      arm("oracle", SelectorKind::kEvidence, 0, right),
      arm("quest-1024", SelectorKind::kQuest, 1024, right),
      arm("quest-256", SelectorKind::kQuest, 256, [](int64_t i) { return i % 3 == 0 ? 0.0 : 1.0; }),
      arm("quest-512", SelectorKind::kQuest, 512, [](int64_t i) { return i == 40 ? 0.0 : 1.0; }),
      arm("moba-512", SelectorKind::kMoba, 512, right),
  };
  const std::vector<BudgetStudy> studies = budget_studies(arms);
  ASSERT_EQ(studies.size(), 1U);  // one budget is no choice
  const BudgetStudy& quest = studies.front();
  EXPECT_EQ(quest.selector, "quest");
  EXPECT_EQ(quest.budgets, (std::vector<int64_t>{256, 512, 1024}));
  EXPECT_EQ(quest.left_out, 0);
  EXPECT_EQ(quest.choice.budget, 512);
  EXPECT_EQ(quest.choice.development + quest.choice.held_out, kSamples);
  EXPECT_EQ(quest.choice.held_out % 2, 0);  // both samples of a book
  const bool spoilt = is_held_out("book 20", 0);
  EXPECT_EQ(quest.choice.counts.only_a, spoilt ? 1 : 0);
  EXPECT_EQ(quest.choice.difference.clusters, quest.choice.held_out / 2);
  EXPECT_EQ(arm_study(arms).budgets.size(), 1U);
}

TEST(BudgetStudy, LeavesOutWhatABudgetHasNotAnsweredAndNeedsFullAttention) {
  const std::vector<FinishedArm> arms = {
      arm("quest-256", SelectorKind::kQuest, 256, right, 100),
      arm("quest-512", SelectorKind::kQuest, 512, right),
      arm("full", SelectorKind::kFull, 0, right),
  };
  const std::vector<BudgetStudy> studies = budget_studies(arms);
  ASSERT_EQ(studies.size(), 1U);
  EXPECT_EQ(studies[0].left_out, kSamples - 100);
  EXPECT_EQ(studies[0].choice.budget, 256);
  EXPECT_TRUE(budget_studies(std::span(arms).first(2)).empty());
}

TEST(BudgetStudy, ASeedIsASelectorOfItsOwn) {
  std::vector<FinishedArm> arms = {arm("full", SelectorKind::kFull, 0, right)};
  for (const int64_t budget : {256, 512})
    for (uint64_t seed = 1; seed <= 2; ++seed) {
      arms.push_back(arm(fmt::format("random-{}-s{}", budget, seed), SelectorKind::kRandom, budget,
                         [](int64_t i) { return i % 2 == 0 ? 0.0 : 1.0; }));
      arms.back().arm.options.seed = seed;
    }
  const std::vector<BudgetStudy> studies = budget_studies(arms);
  ASSERT_EQ(studies.size(), 2U);
  EXPECT_EQ(studies[0].selector, "random-s1");
  EXPECT_EQ(studies[1].selector, "random-s2");
  EXPECT_FALSE(studies[0].choice.budget);
}

}  // namespace
}  // namespace fathom
