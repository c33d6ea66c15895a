// A1: arms as a command line asks for them, and as a file keeps them.
#include "attention/arm.h"

#include <gtest/gtest.h>

namespace fathom {
namespace {

std::vector<std::string> names(const std::vector<AttentionArm>& arms) {
  std::vector<std::string> out;
  for (const AttentionArm& arm : arms) out.push_back(arm.name);
  return out;
}

TEST(Arms, A1_EveryKindGetsEveryBudgetAndDrawsEverySeed) {
  const auto arms = arms_of({.kinds = {"full", "oracle", "quest", "random", "knockout:quest"},
                             .budgets = {256, 512},
                             .seeds = 2});
  ASSERT_TRUE(arms) << arms.error().message;
  EXPECT_EQ(names(*arms),
            (std::vector<std::string>{"full", "oracle", "quest-256", "quest-512", "random-256-s1",
                                      "random-256-s2", "random-512-s1", "random-512-s2",
                                      "knockout-quest-256", "knockout-quest-512"}));
  EXPECT_EQ((*arms)[5].options.seed, 2U);
  EXPECT_EQ((*arms)[8].options.base, SelectorKind::kQuest);
  for (const AttentionArm& arm : *arms) {
    const Json json = arm_json(arm);
    const auto reader = JsonReader::of(json, "here");
    ASSERT_TRUE(reader);
    EXPECT_EQ(arm_from_json(*reader).value(), arm);
  }
}

TEST(Arms, A7_LayersLeftAloneStandInTheName) {
  struct Case {
    int every;
    std::vector<int> layers;
    std::vector<std::string> names;
  };
  const Case cases[] = {
      {0, {}, {"full", "quest-64", "random-64-s1", "knockout"}},
      {4, {}, {"full", "quest-64-every4", "random-64-every4-s1", "knockout-every4"}},
      {0, {0, 1}, {"full", "quest-64-dense0+1", "random-64-dense0+1-s1", "knockout-dense0+1"}},
      {2,
       {0, 1, 2, 3, 8},
       {"full", "quest-64-every2-dense0-3+8", "random-64-every2-dense0-3+8-s1",
        "knockout-every2-dense0-3+8"}},
  };
  for (const Case& each : cases) {
    ArmList list{.kinds = {"full", "quest", "random", "knockout"}, .budgets = {64}, .seeds = 1};
    list.options.dense_every = each.every;
    list.options.dense_layers = each.layers;
    const auto arms = arms_of(list);
    ASSERT_TRUE(arms) << arms.error().message;
    EXPECT_EQ(names(*arms), each.names);
  }
}

TEST(Arms, A7_AnArmKeepsWhoseWrongAnswersItIsAsked) {
  for (const char* server : {"", "http://localhost:8001/v1"}) {
    AttentionArm arm{.name = "again", .server = server, .only_failed = "quest-64"};
    arm.options.kind = *server == 0 ? SelectorKind::kMoba : SelectorKind::kExternal;
    const Json json = arm_json(arm);
    EXPECT_EQ(arm_from_json(JsonReader::of(json, "here").value()).value(), arm);
    arm.only_failed = "";
    EXPECT_FALSE(arm_json(arm).contains("only_failed"));
  }
}

TEST(Arms, RefuseWhatMakesNoSense) {
  const auto error = [](const ArmList& list) {
    const auto arms = arms_of(list);
    EXPECT_FALSE(arms);
    return arms ? "" : arms.error().message;
  };
  EXPECT_NE(error({.kinds = {"quick"}}).find("'quick' is not a selector"), std::string::npos);
  EXPECT_NE(error({.kinds = {"quest"}}).find("needs a budget"), std::string::npos);
  EXPECT_NE(error({.kinds = {"quest"}, .budgets = {8}}).find("holds no block of 32"),
            std::string::npos);
  EXPECT_NE(error({.kinds = {"quest:moba"}, .budgets = {64}}).find("only forced and knockout"),
            std::string::npos);
  EXPECT_NE(error({.kinds = {"full", "full"}}).find("named twice"), std::string::npos);
  EXPECT_NE(error({.kinds = {"forced"}}).find("force it into a selector"), std::string::npos);
}

TEST(Arms, A1_OfAServerOnlyThePartInTheStudyIsKept) {
  AttentionArm arm{.name = "real", .server = "http://localhost:8001/v1"};
  arm.options.kind = SelectorKind::kExternal;
  const Json json = arm_json(arm);
  EXPECT_EQ(to_json_line(json),
            R"({"name":"real","kind":"external","server":"http://localhost:8001/v1"})");
  EXPECT_EQ(arm_from_json(JsonReader::of(json, "here").value()).value(), arm);
  for (const char* kind : {"external", "forced:external"}) {
    const auto arms = arms_of({.kinds = {kind}, .budgets = {64}});
    ASSERT_FALSE(arms);
    EXPECT_NE(arms.error().message.find("name its address"), std::string::npos);
  }
}

TEST(Arms, DamagedFilesAreRefused) {
  Json good = arm_json({.name = "full"});
  for (const auto& [key, value] : good.items()) {
    Json bad = good;
    bad.erase(key);
    EXPECT_FALSE(arm_from_json(JsonReader::of(bad, "here").value())) << key;
    bad[key] = Json::object();
    const auto arm = arm_from_json(JsonReader::of(bad, "here").value());
    ASSERT_FALSE(arm) << key;
    EXPECT_NE(arm.error().message.find("here"), std::string::npos);
  }
}

}  // namespace
}  // namespace fathom
