// A6: the eight outcomes of full, oracle and real attention, against counts by hand.
#include "results/cross_table.h"

#include <gtest/gtest.h>

#include "results/made_run_test.h"

namespace fathom {
namespace {

// Sample i is right by bit 2 (full), 1 (oracle), 0 (real) of i % 8.
Results arm(int bit, int64_t count) {
  MadeRun run;
  for (int64_t i = 0; i < count; ++i)
    run.add(i % 2 == 0 ? "vt" : "niah_single_1", i < count / 2 ? 1024 : 2048, i,
            (i % 8) >> bit & 1 ? 1.0 : 0.5)
        .evidence = 1 + i % 2;
  return run.results();
}

TEST(CrossTable, A6_CountsTheEightOutcomes) {
  const Results full = arm(2, 80);
  const Results oracle = arm(1, 80);
  const Results real = arm(0, 80);
  const auto table = cross_table({"full", &full}, {"oracle", &oracle}, {"quest-256", &real});
  ASSERT_TRUE(table);
  const CrossGroup& all = table->groups.front();
  EXPECT_EQ(all.cells.n(), 80);
  for (const auto& of_full : all.cells.count)
    for (const auto& of_oracle : of_full)
      for (const int64_t cell : of_oracle) EXPECT_EQ(cell, 10);
  EXPECT_EQ(all.cells.full_right(), 40);
  EXPECT_EQ(all.cells.oracle_right(), 40);
  EXPECT_EQ(all.cells.real_right(), 40);
  EXPECT_EQ(all.cells.sparsity_loss(), 20);
  EXPECT_EQ(all.cells.selector_loss(), 20);
  EXPECT_EQ(all.cells.luck(), 20);
  EXPECT_EQ(all.cells.full_real(), (PairedCounts{20, 20, 20, 20}));
  EXPECT_EQ(all.p_full_real, 1);
  ASSERT_EQ(table->groups.size(),
            8U);  // all, two lengths, two tasks, two evidence counts, one span
  EXPECT_EQ(table->groups[7].name, "one piece");
  EXPECT_EQ(table->groups[1].name, "1K");
  EXPECT_EQ(table->groups[1].cells.n(), 40);
}

TEST(CrossTable, A6_NamesTheDirectionAndTestsIt) {
  MadeRun full;
  MadeRun oracle;
  MadeRun real;
  for (int64_t i = 0; i < 12; ++i) {
    full.add("vt", 1024, i, 1.0);
    oracle.add("vt", 1024, i, 1.0);
    real.add("vt", 1024, i, i < 9 ? 0.0 : 1.0);
  }
  const Results a = full.results();
  const Results b = oracle.results();
  const Results c = real.results();
  const auto table = cross_table({"full", &a}, {"oracle", &b}, {"real", &c});
  ASSERT_TRUE(table);
  const CrossGroup& all = table->groups.front();
  EXPECT_EQ(all.cells.selector_loss(), 9);
  EXPECT_EQ(all.cells.sparsity_loss(), 0);
  EXPECT_NEAR(all.full_minus_real.value, 0.75, 1e-12);
  EXPECT_GT(all.full_minus_real.low, 0.3);
  EXPECT_LT(all.full_minus_real.high, 1);
  EXPECT_NEAR(all.p_full_real, 2.0 / 512, 1e-12);
  EXPECT_EQ(all.p_full_oracle, 1);
}

TEST(CrossTable, A6_GroupsByTheSpanOfTheEvidence) {
  struct Case {
    TokenSpan tokens;
    int64_t pieces;
    const char* name;  // none: not known
  };
  const Case cases[] = {
      {{10, 20}, 1, "one piece"},
      {{0, 0}, 1, "one piece"},
      {{100, 101}, 2, "to 1/4 of the prompt"},
      {{100, 350}, 2, "to 1/4 of the prompt"},
      {{100, 351}, 2, "to 1/2 of the prompt"},
      {{0, 500}, 4, "to 1/2 of the prompt"},
      {{0, 750}, 4, "to 3/4 of the prompt"},
      {{0, 751}, 4, "over 3/4 of the prompt"},
      {{0, 5000}, 4, "over 3/4 of the prompt"},
      {{0, 0}, 4, nullptr},
  };
  for (const Case& each : cases) {
    MadeRun run;
    SampleFacts& facts = run.add("vt", 1024, 0, 1.0);
    facts.evidence = each.pieces;
    facts.evidence_tokens = each.tokens;
    facts.prompt_tokens = 1000;
    const Results results = run.results();
    const auto table = cross_table({"full", &results}, {"oracle", &results}, {"real", &results});
    ASSERT_TRUE(table);
    const CrossGroup& last = table->groups.back();
    EXPECT_EQ(last.kind, each.name == nullptr ? "evidence" : "span");
    EXPECT_EQ(last.name, each.name == nullptr ? "4 pieces" : each.name);
  }
}

TEST(CrossTable, LeavesOutWhatIsNotAnsweredAndRefusesStrangers) {
  const Results full = arm(2, 8);
  MadeRun other;
  other.add("vt", 1024, 0, 1.0);
  other.add("vt", 1024, 99, 1.0);
  const Results some = other.results();
  const auto table = cross_table({"full", &full}, {"oracle", &full}, {"real", &some});
  ASSERT_TRUE(table);
  EXPECT_EQ(table->groups.front().cells.n(), 1);
  EXPECT_EQ(table->left_out, 1);
  MadeRun stranger;
  stranger.add("cwe", 512, 7, 1.0);
  const Results none = stranger.results();
  EXPECT_FALSE(cross_table({"full", &full}, {"oracle", &full}, {"real", &none}));
}

}  // namespace
}  // namespace fathom
