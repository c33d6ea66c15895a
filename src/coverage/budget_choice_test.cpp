// A6: a budget chosen on one half and judged on the other.
#include "coverage/budget_choice.h"

#include <gtest/gtest.h>

namespace fathom {
namespace {

std::vector<std::string> units_of(int count, int samples_each) {
  std::vector<std::string> units;
  for (int i = 0; i < count * samples_each; ++i)
    units.push_back("haystack " + std::to_string(i / samples_each));
  return units;
}

TEST(BudgetChoice, A6_AUnitIsInOneHalfWhateverTheOrder) {
  int held = 0;
  for (int i = 0; i < 2'000; ++i) {
    const std::string unit = "book:" + std::to_string(i);
    EXPECT_EQ(is_held_out(unit, 7), is_held_out(std::string(unit), 7));
    held += is_held_out(unit, 7) ? 1 : 0;
  }
  EXPECT_NEAR(held, 1'000, 100);
}

TEST(BudgetChoice, A6_TakesTheSmallestBudgetThatKeepsUpAndJudgesItElsewhere) {
  const std::vector<std::string> units = units_of(100, 2);
  const std::vector<double> full(units.size(), 1.0);
  std::vector<double> poor(units.size(), 0.0);
  std::vector<double> good(units.size(), 1.0);
  size_t spoilt = 0;
  for (size_t i = 0; i < units.size(); ++i) {
    // Right on the development half alone: the held-out half has to notice.
    const bool lost = is_held_out(units[i], 0) && i % 4 == 0;
    good[i] = lost ? 0.0 : 1.0;
    spoilt += lost ? 1 : 0;
  }
  const BudgetChoice choice =
      choose_budget(units, full, {{1024, full}, {512, good}, {256, poor}}, 0.02);
  ASSERT_EQ(choice.budget, 512);
  EXPECT_EQ(choice.development + choice.held_out, 200);
  EXPECT_EQ(choice.development_difference, 0);
  EXPECT_EQ(choice.counts.only_a, static_cast<int64_t>(spoilt));
  EXPECT_EQ(choice.counts.n(), choice.held_out);
  EXPECT_NEAR(choice.difference.value, -double(spoilt) / double(choice.held_out), 1e-12);
  EXPECT_LT(choice.p, 1e-4);
  EXPECT_FALSE(choice.holds);
  EXPECT_EQ(choose_budget(units, full, {{1024, full}, {256, poor}}, 0.02).budget, 1024);
  EXPECT_TRUE(choose_budget(units, full, {{1024, full}, {256, poor}}, 0.1).holds);
}

TEST(BudgetChoice, A6_ChoosesNoneWhereAllLoseOrAHalfIsEmpty) {
  const std::vector<std::string> units = units_of(40, 1);
  const std::vector<double> full(units.size(), 1.0);
  const std::vector<double> poor(units.size(), 0.5);
  EXPECT_FALSE(choose_budget(units, full, {{256, poor}}, 0.1).budget);
  EXPECT_TRUE(choose_budget(units, full, {{256, poor}}, 0.5).budget);
  EXPECT_FALSE(choose_budget(units, full, {}, 0.1).budget);
  const std::vector<std::string> one = {"same", "same"};
  const std::vector<double> two = {1, 1};
  const BudgetChoice choice = choose_budget(one, two, {{256, two}}, 0.1);
  EXPECT_FALSE(choice.budget);
  EXPECT_EQ(choice.development * choice.held_out, 0);
}

}  // namespace
}  // namespace fathom
