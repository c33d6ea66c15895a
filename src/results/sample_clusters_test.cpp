// S1: which samples are not independent.
#include "results/sample_clusters.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "results/made_run_test.h"

namespace fathom {
namespace {

TEST(SampleClusters, JoinHaystacksAndLengthsOfOneIndex) {
  MadeRun run;
  run.add("vt", 1024, 0, 1.0);                        // 0
  run.add("vt", 2048, 0, 1.0);                        // 0: the same index
  run.add("vt", 1024, 1, 1.0).haystack = "essay:1";   // 1
  run.add("cwe", 1024, 0, 1.0).haystack = "essay:1";  // 1: the same text
  run.add("cwe", 1024, 1, 1.0);                       // 2
  const Results results = run.results();
  EXPECT_EQ(sample_clusters(results), (std::vector<int64_t>{0, 0, 1, 1, 2}));
  EXPECT_DOUBLE_EQ(share_spanning_tasks(results, sample_clusters(results)), 1.0 / 3);
  EXPECT_EQ(task_dependence(results, sample_clusters(results)), Dependence::kAny);
}

// Against the closure of "share a haystack or a cell and index", found by repeated passes.
TEST(SampleClusters, EqualTheTransitiveClosure) {
  for (uint64_t seed = 0; seed < 30; ++seed) {
    Random random(RandomKey(seed), "clusters");
    MadeRun run;
    const char* cells[] = {"vt", "cwe", "fwe"};
    for (const int64_t length : {512, 1024})
      for (const char* cell : cells)
        for (int64_t index = 0; index < 6; ++index) {
          SampleFacts& facts = run.add(cell, length, index, 1.0);
          if (random.uniform() < 0.5) facts.haystack = fmt::format("h{}", random.below(12));
        }
    const Results results = run.results();
    const size_t count = results.rows.size();
    const auto linked = [&](size_t a, size_t b) {
      const SampleFacts& one = results.samples[a];
      const SampleFacts& other = results.samples[b];
      return (!one.haystack.empty() && one.haystack == other.haystack) ||
             (one.cell == other.cell && one.index == other.index);
    };
    std::vector<size_t> lowest(count);
    for (size_t i = 0; i < count; ++i) lowest[i] = i;
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t a = 0; a < count; ++a)
        for (size_t b = 0; b < count; ++b)
          if (linked(a, b) && lowest[b] < lowest[a]) {
            lowest[a] = lowest[b];
            changed = true;
          }
    }
    const std::vector<int64_t> clusters = sample_clusters(results);
    for (size_t a = 0; a < count; ++a)
      for (size_t b = 0; b < count; ++b)
        ASSERT_EQ(clusters[a] == clusters[b], lowest[a] == lowest[b])
            << seed << " " << a << " " << b;
  }
}

TEST(SampleClusters, MakeIntervalsWiderWhereTextIsShared) {
  MadeRun alone;
  MadeRun shared;
  for (int64_t index = 0; index < 40; ++index) {
    const double score = index / 10 % 2 == 0 ? 1.0 : 0.0;  // by haystack, ten samples each
    alone.add("vt", 1024, index, score).haystack = fmt::format("h{}", index);
    shared.add("vt", 1024, index, score).haystack = fmt::format("h{}", index / 10);
  }
  const Tally one = alone.results().cell(0, 0).tally;
  const Tally other = shared.results().cell(0, 0).tally;
  EXPECT_EQ(one.clusters, 40);
  EXPECT_EQ(other.clusters, 4);
  EXPECT_EQ(one.usability.value, other.usability.value);
  EXPECT_GT(other.usability.high - other.usability.low, one.usability.high - one.usability.low);
  EXPECT_GT(other.strict.high - other.strict.low, one.strict.high - one.strict.low);
}

}  // namespace
}  // namespace fathom
