// A7: interventions ask again what an arm answered wrongly, and nothing else.
#include "results/failed_samples.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "results/arm_folder.h"
#include "results/made_run_test.h"

namespace fathom {
namespace {

using testing::HasSubstr;
using testing::UnorderedElementsAre;

TEST(FailedSamples, A7_WrongAnswersAreNeitherFailedRequestsNorMissingOnes) {
  MadeRun run;
  run.add("vt", 1024, 0, 1.0);
  run.add("vt", 1024, 1, 0.75);
  run.add("vt", 1024, 2, 0.0);
  run.add("vt", 1024, 3, std::nullopt);
  run.add("vt", 2048, 4, 0.0);
  run.not_run();
  EXPECT_THAT(failed_samples(run.results()), UnorderedElementsAre("vt:1024:1", "vt:1024:2"));
}

TEST(FailedSamples, A7_WhatComparesEverythingIsRunOnEverything) {
  AttentionArm arm{.name = "quest-64-every4", .only_failed = "quest-64"};
  arm.options.kind = SelectorKind::kQuest;
  EXPECT_TRUE(check_only_failed({arm}));
  for (const SelectorKind kind : {SelectorKind::kFull, SelectorKind::kEvidence}) {
    AttentionArm other = arm;
    other.options.kind = kind;
    EXPECT_THAT(check_only_failed({arm, other}).error().message, HasSubstr("run it on all"));
    other.only_failed.clear();
    EXPECT_TRUE(check_only_failed({other}));
  }
  arm.name = "quest-64";
  EXPECT_THAT(check_only_failed({arm}).error().message, HasSubstr("its own intervention"));
}

TEST(FailedSamples, A7_AnArmIsAskedTheSameSamplesAgain) {
  const std::string folder = testing::TempDir() + "fathom_failed_samples";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  AttentionArm arm{.name = "moba-64"};
  arm.options.kind = SelectorKind::kMoba;
  ASSERT_TRUE(add_arms(folder, {arm}));
  EXPECT_THAT(failed_samples_of_arm(folder, "quest-64").error().message,
              HasSubstr("has no arm quest-64 yet"));
  EXPECT_THAT(failed_samples_of_arm(folder, "moba-64").error().message,
              HasSubstr("has no arm moba-64 yet"));  // named, but not begun
  AttentionArm some = arm;
  some.only_failed = "quest-64";
  EXPECT_THAT(add_arms(folder, {some}).error().message,
              HasSubstr("moba-64 was asked every sample, not only what quest-64 failed"));
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace fathom
