// Issue 4, point 7: first, middle and last fifths; span and distance; block edges.
#include "results/positions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/random.h"
#include "results/made_run_test.h"

namespace fathom {
namespace {

TEST(BlockBoundaries, AreTheRounderLengthNearby) {
  struct Case {
    std::vector<int64_t> lengths;
    std::vector<size_t> boundaries;
  };
  const Case cases[] = {
      {{}, {}},
      {{1024, 2048, 4096}, {0, 1, 2}},
      {{4095, 4096, 4097}, {1, 1, 1}},
      {{4088, 4096, 4104}, {1, 1, 1}},
      {{4087, 4096, 4105}, {0, 1, 2}},  // nine tokens off
      {{1000, 2000, 4000}, {0, 1, 2}},
      {{299, 300, 301}, {0, 1, 2}},  // 300 is no multiple of 16
      {{319, 320, 321, 1024}, {1, 1, 1, 3}},
      {{4095, 4097}, {0, 1}},  // without the boundary nothing is beside it
      {{128, 136, 144, 152, 160}, {0, 0, 2, 4, 4}},
  };
  for (const Case& each : cases)
    EXPECT_EQ(block_boundaries(each.lengths), each.boundaries)
        << testing::PrintToString(each.lengths);
}

const PositionGap* find_gap(const Results& results, const std::string& cell,
                            std::optional<size_t> length) {
  for (const PositionGap& gap : results.positions.gaps)
    if (gap.cell == cell && gap.length == length) return &gap;
  return nullptr;
}

TEST(PositionGap, ComparesTheMiddleWithBothEnds) {
  MadeRun run;
  int64_t index = 0;
  const auto add = [&](double depth, double score) {
    run.add("niah_single_1", 1024, index, score).depth = depth;
    run.add("niah_single_1", 2048, index++, score).depth = depth;
  };
  for (int i = 0; i < 20; ++i) add(0.1, 1);
  for (int i = 0; i < 20; ++i) add(0.5, i < 10 ? 1 : 0);
  for (int i = 0; i < 20; ++i) add(0.9, i < 15 ? 1 : 0);
  for (int i = 0; i < 20; ++i) add(0.3, 0);  // between the fifths: not looked at
  const Results results = run.results();
  const PositionGap* gap = find_gap(results, "niah_single_1", 0);
  ASSERT_NE(gap, nullptr);
  EXPECT_EQ(gap->first.n, 20);
  EXPECT_EQ(gap->first.value, 1);
  EXPECT_EQ(gap->middle.value, 0.5);
  EXPECT_EQ(gap->last.value, 0.75);
  EXPECT_NEAR(gap->first_minus_middle.value, 0.5, 1e-12);
  EXPECT_NEAR(gap->last_minus_middle.value, 0.25, 1e-12);
  EXPECT_GT(gap->first_minus_middle.low, 0);
  EXPECT_LT(gap->last_minus_middle.low, 0);
  EXPECT_FALSE(gap->paired());

  // All lengths together: twice the samples, the same content, so the same certainty.
  const PositionGap* all = find_gap(results, "niah_single_1", std::nullopt);
  ASSERT_NE(all, nullptr);
  EXPECT_EQ(all->middle.n, 40);
  EXPECT_EQ(all->middle.clusters, 20);
  EXPECT_NEAR(all->first_minus_middle.value, 0.5, 1e-12);
  EXPECT_NEAR(all->middle.high - all->middle.low, gap->middle.high - gap->middle.low, 0.05);
}

TEST(PositionGap, PairsSamplesOfOneHaystack) {
  MadeRun run;
  for (int64_t text = 0; text < 15; ++text)
    for (int fifth = 0; fifth < 3; ++fifth) {
      SampleFacts& facts =
          run.add("niah_single_1", 1024, text * 3 + fifth, text < 12 && fifth != 1 ? 1 : 0);
      facts.depth = 0.1 + 0.4 * fifth;
      facts.haystack = fmt::format("text {}", text);
    }
  const Results results = run.results();
  const PositionGap* gap = find_gap(results, "niah_single_1", 0);
  ASSERT_NE(gap, nullptr);
  EXPECT_EQ(gap->pairs, 15);
  EXPECT_NEAR(gap->first_minus_middle.value, 12.0 / 15, 1e-12);
}

TEST(PositionGap, JoinsCellsThatDifferInDepthAlone) {
  MadeRun run;
  for (const char* depth : {"0.0", "0.5", "1.0"})
    for (int64_t index = 0; index < 12; ++index)
      run.add(fmt::format("niah_single_2[depth=fixed,depth_value={},keys=3]", depth), 1024, index,
              std::string(depth) == "0.5" ? 0.0 : 1.0)
          .depth = std::stod(depth);
  const Results results = run.results();
  const PositionGap* gap = find_gap(results, "niah_single_2[keys=3]", 0);
  ASSERT_NE(gap, nullptr);
  EXPECT_NEAR(gap->first_minus_middle.value, 1, 1e-12);
}

TEST(PositionGap, MeanOverTasksWeighsThemAlike) {
  MadeRun run;
  const auto add = [&](const char* cell, int samples, double depth, double score) {
    static int64_t index = 0;
    for (int i = 0; i < samples; ++i) run.add(cell, 1024, index++, score).depth = depth;
  };
  for (const double depth : {0.0, 0.5, 1.0}) {
    add("niah_single_1", 10, depth, 1);
    add("niah_single_2", 40, depth, depth == 0.5 ? 0 : 1);
  }
  add("niah_single_3", 10, 0.5, 0);  // lacks both ends: left out
  const Results results = run.results();
  const PositionGap* mean = find_gap(results, "all tasks", 0);
  ASSERT_NE(mean, nullptr);
  EXPECT_EQ(mean->tasks, 2);
  EXPECT_NEAR(mean->middle.value, 0.5, 1e-12);
  EXPECT_NEAR(mean->first_minus_middle.value, 0.5, 1e-12);
}

TEST(TokenBuckets, HoldEverySampleOnce) {
  MadeRun run;
  Random random(RandomKey(7), "spans");
  std::vector<std::pair<int64_t, int64_t>> expected;  // span, distance
  for (int64_t index = 0; index < 200; ++index) {
    SampleFacts& facts = run.add("vt", 8192, index, 1.0);
    const uint64_t begin = random.below(4000);
    const uint64_t end = begin + 1 + random.below(4000);
    facts.evidence = 3;
    facts.evidence_tokens = {begin, end};
    facts.prompt_tokens = 8192;
    expected.emplace_back(end - begin, 8192 - static_cast<int64_t>(end));
  }
  run.add("vt", 8192, 200, 1.0);  // evidence unknown: in no bucket
  const Positions positions = run.results().positions;
  const auto check = [&](const std::vector<TokenBucket>& buckets, auto value_of) {
    int64_t found = 0;
    for (const TokenBucket& bucket : buckets) {
      if (bucket.task != 0U || bucket.length != 0U) continue;
      int64_t wanted = 0;
      for (const auto& each : expected)
        wanted += value_of(each) >= bucket.from && value_of(each) < bucket.below ? 1 : 0;
      EXPECT_EQ(bucket.tally.samples, wanted) << bucket.from;
      found += bucket.tally.samples;
    }
    EXPECT_EQ(found, 200);
  };
  check(positions.spans, [](const auto& each) { return each.first; });
  check(positions.distances, [](const auto& each) { return each.second; });
  std::vector<int64_t> bounds;
  for (const TokenBucket& bucket : positions.distances)
    if (bucket.task == 0U && bucket.length == 0U) bounds.push_back(bucket.from);
  EXPECT_THAT(bounds, testing::IsSubsetOf({0, 256, 1024, 4096}));
}

TEST(BlockEdges, ArePairedAndKeptOutOfTheCurve) {
  MadeRun run;
  for (int64_t index = 0; index < 30; ++index) {
    run.add("vt", 2048, index, 1.0);
    run.add("vt", 4096, index, 1.0);
    run.add("vt", 4095, index, 1.0);
    run.add("vt", 4097, index, index < 12 ? 1.0 : 0.0);
  }
  run.add("vt", 4097, 99, 0.0);  // without a partner at the boundary
  const Results results = run.results();
  ASSERT_EQ(results.lengths, (std::vector<int64_t>{2048, 4095, 4096, 4097}));
  ASSERT_EQ(results.positions.edges.size(), 2U);
  const BlockEdge& below = results.positions.edges[0];
  const BlockEdge& above = results.positions.edges[1];
  EXPECT_EQ(below.offset, -1);
  EXPECT_EQ(below.difference.value, 0);
  EXPECT_EQ(above.offset, 1);
  EXPECT_EQ(above.pairs, 30);
  EXPECT_EQ(results.lengths[above.boundary], 4096);
  EXPECT_EQ(above.at_boundary.value, 1);
  EXPECT_NEAR(above.difference.value, 12.0 / 30 - 1, 1e-12);
  EXPECT_LT(above.difference.high, 0);
  // The collapse one token above the block is no effective length of the main curve.
  const Curve& all = results.curves.front();
  EXPECT_EQ(all.effective.longest, 4096);
  EXPECT_EQ(all.effective.first_failing, 0);
  std::vector<bool> edges;
  for (const LengthSummary& point : all.points) edges.push_back(point.edge);
  EXPECT_EQ(edges, (std::vector<bool>{false, true, false, true}));
}

}  // namespace
}  // namespace fathom
