// A5, A6: a study of arms in the terminal and as JSON.
#include "report/arm_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "results/arm_verdict.h"
#include "results/made_run_test.h"
#include "text/lines.h"

namespace fathom {
namespace {

using testing::HasSubstr;

FinishedArm arm(const std::string& name, SelectorKind kind, int64_t every) {
  FinishedArm made;
  made.arm.name = name;
  made.arm.options.kind = kind;
  made.arm.options.budget = 256;
  made.run.description.model = "Model-7B";
  MadeRun run;
  for (int64_t i = 0; i < 60; ++i)
    run.add("vt", 1024, i, i % every == 0 ? 0.0 : 1.0).haystack = "book " + std::to_string(i);
  made.run.results = run.results();
  return made;
}

std::vector<FinishedArm> arms() {
  std::vector<FinishedArm> all = {
      arm("full", SelectorKind::kFull, 10), arm("oracle", SelectorKind::kEvidence, 10),
      arm("quest-256", SelectorKind::kQuest, 2), arm("full-again", SelectorKind::kFull, 10)};
  FinishedArm again = arm("quest-512", SelectorKind::kQuest, 3);
  again.arm.only_failed = "quest-256";
  all.push_back(std::move(again));
  return all;
}

TEST(ArmTable, BeginsWithTheVerdict) {
  const ArmStudy study = arm_study(arms());
  const std::string text = arm_table(study, {.width = 100});
  const std::string first(split_lines(text).front());
  EXPECT_TRUE(arm_verdict(study).headline.starts_with(first)) << first;
  for (const std::string said :
       {"full attention answers 90.0 %", "differs on 0 of 60 samples",
        "quest-512: of 60 samples that quest-256 failed 40 right", "No knock-out arm"}) {
    std::string flat = text;  // broken at any space
    for (size_t at = 0; (at = flat.find("\n  ", at)) != std::string::npos;)
      flat.replace(at, 3, " ");
    EXPECT_THAT(flat, HasSubstr(said));
  }
  EXPECT_LT(text.find("full attention answers"), text.find("\narm "));
}

TEST(ArmTable, StaysWithinItsWidth) {
  const ArmStudy study = arm_study(arms());
  for (const size_t width : {40U, 60U, 80U, 120U}) {
    const std::string text = arm_table(study, {.width = width});
    for (const std::string_view line : split_lines(text)) {
      size_t characters = 0;
      for (const char byte : line) characters += (byte & 0xC0) != 0x80;
      EXPECT_LE(characters, width) << line;
    }
  }
}

TEST(ArmTable, JsonHasVerdictStandingsAndCrosses) {
  const ArmStudy study = arm_study(arms());
  const Json json = arm_study_json(study);
  EXPECT_EQ(json["verdict"]["headline"], arm_verdict(study).headline);
  EXPECT_EQ(json["arms"][2]["standing"], "loses");
  EXPECT_EQ(json["arms"][2]["selector"], true);
  EXPECT_EQ(json["arms"][4]["standing"], "not compared");
  EXPECT_EQ(json["arms"][4]["selector"], false);
  ASSERT_EQ(json["crosses"].size(), 1U);
  // Full and oracle answer 54; quest 30 of 60, all of them among those.
  EXPECT_EQ(json["crosses"][0]["groups"][0]["selector_loss"], 24);
}

}  // namespace
}  // namespace fathom
