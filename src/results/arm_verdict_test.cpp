// A6, V2: the words over a study claim what its intervals show, and nothing else.
#include "results/arm_verdict.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "results/made_run_test.h"

namespace fathom {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

FinishedArm arm(const std::string& name, SelectorKind kind, int64_t samples,
                const std::function<bool(int64_t)>& right) {
  FinishedArm made;
  made.arm.name = name;
  made.arm.options.kind = kind;
  made.arm.options.budget = 256;
  made.run.description.model = "Model-7B";
  MadeRun run;
  for (int64_t i = 0; i < samples; ++i)
    run.add("vt", 1024, i, right(i) ? 1.0 : 0.0).haystack = "book " + std::to_string(i);
  made.run.results = run.results();
  return made;
}

bool most(int64_t i) { return i % 10 != 0; }
bool none(int64_t) { return false; }

std::vector<FinishedArm> whole_study(int64_t samples) {
  std::vector<FinishedArm> arms;
  arms.push_back(arm("full", SelectorKind::kFull, samples, most));
  arms.push_back(
      arm("oracle", SelectorKind::kEvidence, samples, [](int64_t i) { return i % 5 != 0; }));
  arms.push_back(arm("quest-256", SelectorKind::kQuest, samples, most));
  arms.push_back(arm("streaming-256", SelectorKind::kStreaming, samples,
                     [](int64_t i) { return i % 10 == 1 || i % 10 == 2; }));
  arms.push_back(arm("knockout", SelectorKind::kKnockout, samples, none));
  arms.push_back(arm("full-again", SelectorKind::kFull, samples, most));
  return arms;
}

TEST(ArmVerdict, TellsTheLossesApart) {
  const std::vector<FinishedArm> arms = whole_study(200);
  const ArmVerdict verdict = arm_verdict(arm_study(arms));
  EXPECT_THAT(verdict.headline, HasSubstr("Model-7B, 200 samples: full attention answers 90.0 %; "
                                          "the best selector, quest-256, keeps up"));
  ASSERT_EQ(verdict.sentences.size(), 4U);
  EXPECT_THAT(verdict.sentences[0],
              HasSubstr("With the evidence alone (oracle) 80.0 %: sparsity itself costs 10.0"));
  // Full attention answers 180, streaming 40 of them; of the 140 the oracle loses those of i % 10 =
  // 5: 20.
  EXPECT_THAT(verdict.sentences[1], HasSubstr("Clear losses: streaming-256 loses 70.0 points"));
  EXPECT_THAT(verdict.sentences[1], HasSubstr("of 140 lost samples 120 are the selector's"));
  EXPECT_THAT(verdict.sentences[2], HasSubstr("0.0 % are answered: the evidence is needed"));
  EXPECT_THAT(verdict.sentences[3], HasSubstr("differs on 0 of 200 samples"));
}

TEST(ArmVerdict, SaysWhatFewSamplesLeaveOpen) {
  std::vector<FinishedArm> arms = whole_study(8);
  arms.push_back(arm("moba-256", SelectorKind::kMoba, 8, [](int64_t i) { return i > 2; }));
  const ArmVerdict verdict = arm_verdict(arm_study(arms));
  EXPECT_THAT(verdict.sentences, Contains(HasSubstr("sparsity itself costs is not resolved")));
  EXPECT_THAT(verdict.sentences, Contains(HasSubstr("moba-256 is not resolved from it")));
  EXPECT_EQ(verdict.sentences.back(), "8 samples are too few for a verdict.");
}

// A7: what was asked again because an arm failed it is told by itself and judges no selector.
TEST(ArmVerdict, A7_InterventionsOnFailedSamplesStandByThemselves) {
  std::vector<FinishedArm> arms = whole_study(200);
  const ArmVerdict before = arm_verdict(arm_study(arms));
  FinishedArm again;  // of streaming's 160 wrong samples every fourth
  again.arm = {.name = "quest-256-every4", .only_failed = "streaming-256"};
  again.arm.options = {.kind = SelectorKind::kQuest, .budget = 512, .dense_every = 4};
  MadeRun run;
  for (int64_t i = 0; i < 200; ++i)
    if (i % 10 != 1 && i % 10 != 2)
      run.add("vt", 1024, i, i % 4 == 0 ? 1.0 : 0.0).haystack = "book " + std::to_string(i);
  again.run.results = run.results();
  arms.push_back(std::move(again));
  const ArmStudy study = arm_study(arms);
  const ArmSummary& summary = study.arms.back();
  // i % 20 of 0, 4, 8, 16 are right; full attention answers all but i % 10 = 0.
  EXPECT_EQ(summary.asked, 160);
  EXPECT_EQ(summary.right, 40);
  EXPECT_EQ(summary.full_right, 140);
  EXPECT_EQ(summary.both_right, 30);
  EXPECT_EQ(summary.against->pairs, 160);
  EXPECT_EQ(standing_of(summary), ArmStanding::kUnknown);
  EXPECT_FALSE(summary.dominated);
  ASSERT_EQ(study.crosses.size(), 2U);
  for (const CrossTable& cross : study.crosses) EXPECT_EQ(cross.left_out, 0);
  const std::string words = intervention_words(summary);
  EXPECT_THAT(words,
              HasSubstr("quest-256-every4: of 160 samples that streaming-256 failed 40 right "
                        "(25.0 %, 18.9 to 32.2); of the 140 among them that full attention "
                        "answers, 30."));
  ArmVerdict after = arm_verdict(study);
  EXPECT_THAT(after.sentences, Contains(words));
  std::erase(after.sentences, words);
  EXPECT_EQ(after, before);
  EXPECT_EQ(intervention_words(study.arms.front()), "");
}

// Corrected for several arms, what an interval leaves out can be open all the same: both are said.
TEST(ArmVerdict, SaysPWhereItLeavesOpenWhatTheIntervalWouldNot) {
  std::vector<FinishedArm> arms;
  arms.push_back(arm("full", SelectorKind::kFull, 40, most));
  for (int k = 0; k < 8; ++k)
    arms.push_back(arm("quest-" + std::to_string(k), SelectorKind::kQuest, 40,
                       [](int64_t i) { return i % 10 != 0 && i % 7 != 1; }));
  const ArmVerdict verdict = arm_verdict(arm_study(arms));
  EXPECT_THAT(verdict.headline, HasSubstr("is not resolved from it (−15.0 points"));
  EXPECT_THAT(verdict.headline, HasSubstr("taken alone, p = 0."));
  EXPECT_THAT(verdict.headline, HasSubstr("among all arms"));
}

TEST(ArmVerdict, NamesWhatIsMissing) {
  std::vector<FinishedArm> arms;
  arms.push_back(arm("full", SelectorKind::kFull, 60, most));
  const ArmVerdict alone = arm_verdict(arm_study(arms));
  EXPECT_THAT(alone.headline, HasSubstr("no selector has run"));
  EXPECT_THAT(alone.sentences,
              ElementsAre(HasSubstr("No oracle arm"), HasSubstr("No knock-out arm")));
  const std::vector<FinishedArm> without = {arm("quest-256", SelectorKind::kQuest, 60, most)};
  EXPECT_THAT(arm_verdict(arm_study(without)).headline,
              HasSubstr("full attention has not answered"));
}

TEST(ArmVerdict, DoesNotCallAnswersWithoutEvidenceAKnockOut) {
  std::vector<FinishedArm> arms;
  arms.push_back(arm("full", SelectorKind::kFull, 100, most));
  arms.push_back(arm("knockout", SelectorKind::kKnockout, 100, most));
  EXPECT_THAT(arm_verdict(arm_study(arms)).sentences,
              Contains(HasSubstr("that the evidence is needed is not shown")));
  arms[1] = arm("knockout", SelectorKind::kKnockout, 100, [](int64_t i) { return i % 10 > 6; });
  EXPECT_THAT(arm_verdict(arm_study(arms)).sentences,
              Contains(HasSubstr("so many answers do not need it")));
}

TEST(ArmStanding, FollowsPAndInterval) {
  struct Case {
    double value, low, high, p;
    ArmStanding standing;
  };
  for (const Case& one : {Case{-0.10, -0.15, -0.05, 0.01, ArmStanding::kLoses},
                          Case{0.10, 0.05, 0.15, 0.01, ArmStanding::kGains},
                          Case{-0.01, -0.04, 0.02, 0.60, ArmStanding::kKeepsUp},
                          Case{-0.01, -0.09, 0.07, 0.90, ArmStanding::kUnresolved}}) {
    ArmSummary summary;
    EXPECT_EQ(standing_of(summary), ArmStanding::kUnknown);
    summary.against.emplace();
    summary.against->difference = {.value = one.value, .low = one.low, .high = one.high, .n = 100};
    summary.p_holm = one.p;
    EXPECT_EQ(standing_of(summary), one.standing) << one.value;
  }
}

}  // namespace
}  // namespace fathom
