// A4: coverage equals brute force on random logs, order-composable coverage an enumeration of
// paths.
#include "coverage/coverage.h"

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <set>

#include "coverage/random_log_test.h"

namespace fathom {
namespace {

struct Event {
  int64_t position;
  int layer;
};

class BruteForce {
 public:
  explicit BruteForce(const RandomLog& made) : made_(made) {
    for (const LoggedSelection& each : made.log.selections) {
      if (each.dense) continue;
      reads_[{each.position, each.layer}] = positions(each, made.log.block);
      steps_.insert(each.position);
    }
  }
  [[nodiscard]] bool hit(const Event& at, size_t evidence, double share = 1) const {
    const auto found = reads_.find({at.position, at.layer});
    if (found == reads_.end()) return false;
    double read = 0;
    const TokenSpan span = made_.evidence[evidence];
    for (auto j = static_cast<int64_t>(span.begin); j < static_cast<int64_t>(span.end); ++j)
      read += found->second.contains(j) ? 1 : 0;
    return read >= share * static_cast<double>(span.end - span.begin);
  }
  [[nodiscard]] bool flows(const Event& from, const Event& to) const {
    if (from.position == to.position) return from.layer < to.layer;
    if (from.position > to.position) return false;
    for (int layer = from.layer + 1; layer <= to.layer; ++layer) {
      const auto found = reads_.find({to.position, layer});
      if (found != reads_.end() && found->second.contains(from.position)) return true;
    }
    return false;
  }
  // Every sequence of events, hop by hop.
  [[nodiscard]] bool composable() const {
    const std::function<bool(size_t, const Event*)> extend = [&](size_t hop, const Event* last) {
      if (hop == made_.evidence.size()) return true;
      for (const auto& [key, read] : reads_) {
        const Event event{key.first, key.second};
        if (hit(event, hop) && (last == nullptr || flows(*last, event)) && extend(hop + 1, &event))
          return true;
      }
      return false;
    };
    return extend(0, nullptr);
  }
  // The most hops that ascending layers of one step hit in order.
  [[nodiscard]] size_t longest_path(int64_t position, bool strict) const {
    const std::function<size_t(size_t, int)> extend = [&](size_t hop, int from) -> size_t {
      size_t best = hop;
      if (hop == made_.evidence.size()) return hop;
      for (int layer = from; layer < made_.log.layers; ++layer)
        if (hit({position, layer}, hop))
          best = std::max(best, extend(hop + 1, strict ? layer + 1 : layer));
      return best;
    };
    return extend(0, 0);
  }
  [[nodiscard]] const std::set<int64_t>& steps() const { return steps_; }
  [[nodiscard]] const auto& reads() const { return reads_; }

 private:
  const RandomLog& made_;
  std::map<std::pair<int64_t, int>, std::set<int64_t>> reads_;
  std::set<int64_t> steps_;
};

TEST(Coverage, A4_EqualsBruteForceOnRandomLogs) {
  int paths = 0;
  int composed = 0;
  for (uint64_t number = 0; number < 2'000; ++number) {
    const RandomLog made = random_log(number);
    const SampleCoverage got = coverage_of(made.log, made.evidence);
    const BruteForce brute(made);
    SCOPED_TRACE(number);
    ASSERT_EQ(got.steps, static_cast<int64_t>(brute.steps().size()));
    EXPECT_EQ(got.composable, brute.composable());
    composed += got.composable && made.evidence.size() > 1 ? 1 : 0;
    double path = 0;
    double strict = 0;
    size_t longest = 0;
    for (const int64_t step : brute.steps()) {
      longest = std::max(longest, brute.longest_path(step, false));
      path += brute.longest_path(step, false) == made.evidence.size() ? 1 : 0;
      strict += brute.longest_path(step, true) == made.evidence.size() ? 1 : 0;
    }
    const auto steps = std::max(1.0, static_cast<double>(brute.steps().size()));
    EXPECT_NEAR(got.path, path / steps, 1e-12);
    EXPECT_NEAR(got.path_strict, strict / steps, 1e-12);
    paths += path > 0 ? 1 : 0;
    EXPECT_EQ(got.first_missing.has_value(), longest < made.evidence.size());
    EXPECT_EQ(got.first_missing.value_or(static_cast<int64_t>(made.evidence.size())),
              static_cast<int64_t>(longest));

    double recall = 0;
    double half = 0;
    double joint = 0;
    double density = 0;
    double looks = 0;
    std::set<size_t> found;
    for (const auto& [key, read] : brute.reads()) {
      const Event at{key.first, key.second};
      double hits = 0;
      for (size_t e = 0; e < made.evidence.size(); ++e) {
        hits += brute.hit(at, e) ? 1 : 0;
        half += brute.hit(at, e, 0.5) ? 1.0 / double(made.evidence.size()) : 0;
        if (brute.hit(at, e)) found.insert(e);
        for (uint64_t j = made.evidence[e].begin; j < made.evidence[e].end; ++j)
          density += read.contains(static_cast<int64_t>(j)) ? 1 / double(read.size()) : 0;
      }
      recall += made.evidence.empty() ? 0 : hits / double(made.evidence.size());
      joint += hits == double(made.evidence.size()) ? 1 : 0;
      looks += 1;
    }
    if (looks == 0) continue;
    EXPECT_NEAR(got.recall, recall / looks, 1e-12);
    EXPECT_NEAR(got.recall_half, half / looks, 1e-12);
    EXPECT_NEAR(got.joint, joint / looks, 1e-12);
    EXPECT_NEAR(got.density, density / looks, 1e-9);
    EXPECT_EQ(got.union_joint, found.size() == made.evidence.size());
  }
  EXPECT_GT(paths, 200);
  EXPECT_GT(composed, 50);
}

TEST(Coverage, A4_AnArmThatReadsEverythingCoversEverything) {
  RandomLog made = random_log(3);
  made.evidence = {{0, 2}, {2, 4}};
  made.log.selections.clear();
  const Selection everything{.sets = {}, .everything = true};
  for (int64_t position = made.log.context_tokens; position < made.log.prompt_tokens; ++position)
    for (int layer = 0; layer < made.log.layers; ++layer)
      made.log.selections.push_back(
          logged(layer, position, 0, &everything, made.log.shape, made.log.block));
  const SampleCoverage coverage = coverage_of(made.log, made.evidence);
  EXPECT_EQ(coverage.recall, 1);
  EXPECT_EQ(coverage.joint, 1);
  EXPECT_EQ(coverage.joint_answer, 1);
  EXPECT_EQ(coverage.kept, 1);
  EXPECT_EQ(coverage.path, 1);
  EXPECT_FALSE(coverage.first_missing);
  EXPECT_EQ(coverage.pairs, coverage.pairs_full);
  EXPECT_EQ(coverage.layer_jaccard, made.log.layers > 1 ? 1 : 0);
}

TEST(Coverage, JaccardOfSetsOfAnySize) {
  BlockSet a(70);
  BlockSet b(10);
  EXPECT_EQ(jaccard(a, b), 1);
  a.insert(3);
  a.insert(69);
  b.insert(3);
  EXPECT_EQ(jaccard(a, b), 0.5);
}

// A5: what a group of query heads reads is the union of its heads' sets, by kv head.
TEST(SelectionLog, A5_CountsPairsByTheUnionOfAGroup) {
  const AttentionShape shape{.query_heads = 4, .kv_heads = 2, .head_size = 8};
  Selection selection;
  for (int head = 0; head < 4; ++head) {
    selection.sets.emplace_back(3);
    selection.sets.back().insert(2);
  }
  selection.sets[0].insert(0);
  selection.sets[1].insert(1);
  selection.sets[2].insert(0);
  selection.sets[3].insert(0);
  const LoggedSelection log = logged(0, 9, 1, &selection, shape, 4);  // blocks of 3, 4 and 2 tokens
  EXPECT_EQ(log.pairs_full, 18);
  EXPECT_EQ(log.pairs, (3 + 4 + 2) + (3 + 2));
  EXPECT_EQ(log.blocks.count(), 3);
  const LoggedSelection dense = logged(0, 9, 1, nullptr, shape, 4);
  EXPECT_TRUE(dense.dense && dense.everything);
  EXPECT_EQ(dense.pairs, 18);
}

}  // namespace
}  // namespace fathom
