// A4: the means of coverage by layer, group of layers and step, against position sets.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "coverage/coverage.h"
#include "coverage/coverage_file.h"
#include "coverage/random_log_test.h"

namespace fathom {
namespace {

using Positions = std::set<int64_t>;

struct Reads {
  std::map<int, std::map<int64_t, Positions>> by_layer;
  std::map<int64_t, std::map<int, Positions>> by_step;
  std::map<std::pair<int, int64_t>, int64_t> visible;
};

Reads reads_of(const SelectionLog& log) {
  Reads reads;
  for (const LoggedSelection& each : log.selections) {
    if (each.dense) continue;
    reads.by_layer[each.layer][each.position] = positions(each, log.block);
    reads.by_step[each.position][each.layer] = positions(each, log.block);
    reads.visible[{each.layer, each.position}] = each.position - each.first + 1;
  }
  return reads;
}

Positions blocks_of(const Positions& read, int64_t block) {
  Positions blocks;
  for (const int64_t j : read) blocks.insert(j / block);
  return blocks;
}

double hits(const Positions& read, const std::vector<TokenSpan>& evidence) {
  double count = 0;
  for (const TokenSpan& span : evidence) count += holds(read, span) ? 1 : 0;
  return count;
}

double precision(const Positions& read, const RandomLog& made) {
  Positions holding;
  for (const TokenSpan& span : made.evidence)
    for (auto j = static_cast<int64_t>(span.begin); j < static_cast<int64_t>(span.end); ++j)
      if (read.contains(j)) holding.insert(j / made.log.block);
  const auto blocks = static_cast<double>(blocks_of(read, made.log.block).size());
  return blocks == 0 ? 0 : static_cast<double>(holding.size()) / blocks;
}

struct Means {
  double recall = 0;
  double joint = 0;
  double precision = 0;
  double kept = 0;
};

TEST(CoverageMeans, A4_OfLayersEqualBruteForceOnRandomLogs) {
  for (uint64_t number = 0; number < 2'000; ++number) {
    SCOPED_TRACE(number);
    const RandomLog made = random_log(number);
    const Reads reads = reads_of(made.log);
    const SampleCoverage got = coverage_of(made.log, made.evidence);
    const auto pieces = static_cast<double>(made.evidence.size());
    ASSERT_EQ(got.layers.size(), reads.by_layer.size());
    Means all;
    double best = 0;
    double answer = 0;
    double persistence = 0;
    size_t place = 0;
    for (const auto& [layer, steps] : reads.by_layer) {
      Means mean;
      double kept_on = 0;
      const Positions* last = nullptr;
      for (const auto& [position, read] : steps) {
        mean.recall += pieces == 0 ? 0 : hits(read, made.evidence) / pieces;
        const bool joint = hits(read, made.evidence) == pieces;
        mean.joint += joint ? 1 : 0;
        answer += joint && position == made.log.prompt_tokens - 1 ? 1 : 0;
        mean.precision += precision(read, made);
        mean.kept += double(read.size()) / double(reads.visible.at({layer, position}));
        if (last != nullptr)
          kept_on += overlap(blocks_of(*last, made.log.block), blocks_of(read, made.log.block));
        last = &read;
      }
      const auto count = static_cast<double>(steps.size());
      const LayerCoverage& one = got.layers[place++];
      EXPECT_EQ(one.layer, layer);
      EXPECT_EQ(one.steps, static_cast<int64_t>(steps.size()));
      EXPECT_NEAR(one.recall, mean.recall / count, 1e-12);
      EXPECT_NEAR(one.joint, mean.joint / count, 1e-12);
      EXPECT_NEAR(one.precision, mean.precision / count, 1e-12);
      EXPECT_NEAR(one.kept, mean.kept / count, 1e-12);
      best = std::max(best, mean.joint / count);
      all.precision += mean.precision / count;
      all.kept += mean.kept / count;
      persistence += count > 1 ? kept_on / (count - 1) : 0;
    }
    if (reads.by_layer.empty()) continue;
    const auto layers = static_cast<double>(reads.by_layer.size());
    EXPECT_NEAR(got.precision, all.precision / layers, 1e-12);
    EXPECT_NEAR(got.kept, all.kept / layers, 1e-12);
    EXPECT_NEAR(got.joint_best, best, 1e-12);
    EXPECT_NEAR(got.joint_answer, answer / layers, 1e-12);
    EXPECT_NEAR(got.persistence, persistence / layers, 1e-12);
  }
}

TEST(CoverageMeans, A4_OfStepsEqualBruteForceOnRandomLogs) {
  for (uint64_t number = 0; number < 2'000; ++number) {
    SCOPED_TRACE(number);
    const RandomLog made = random_log(number);
    const Reads reads = reads_of(made.log);
    const std::vector<StepCoverage> steps = step_coverage(made.log, made.evidence);
    const SampleCoverage sample = coverage_of(made.log, made.evidence);
    const auto pieces = static_cast<double>(made.evidence.size());
    ASSERT_EQ(steps.size(), reads.by_step.size());
    size_t place = 0;
    double neighbours = 0;
    double jaccards = 0;
    std::set<size_t> found;
    for (const auto& [position, layers] : reads.by_step) {
      const StepCoverage& got = steps[place++];
      double recall = 0;
      double joint = 0;
      std::set<size_t> here;
      const Positions* below = nullptr;
      for (const auto& [layer, read] : layers) {
        recall += pieces == 0 ? 0 : hits(read, made.evidence) / pieces;
        joint += hits(read, made.evidence) == pieces ? 1 : 0;
        for (size_t e = 0; e < made.evidence.size(); ++e)
          if (holds(read, made.evidence[e])) here.insert(e);
        if (below != nullptr) {
          jaccards += overlap(blocks_of(*below, made.log.block), blocks_of(read, made.log.block));
          neighbours += 1;
        }
        below = &read;
      }
      found.insert(here.begin(), here.end());
      EXPECT_EQ(got.generated, position - (made.log.prompt_tokens - 1));
      EXPECT_EQ(got.looks, static_cast<int64_t>(layers.size()));
      EXPECT_NEAR(got.recall, recall / double(layers.size()), 1e-12);
      EXPECT_NEAR(got.joint, joint / double(layers.size()), 1e-12);
      EXPECT_EQ(got.union_joint, here.size() == made.evidence.size());
      EXPECT_LE(got.hops, static_cast<int64_t>(here.size()));
    }
    EXPECT_NEAR(sample.layer_jaccard, neighbours > 0 ? jaccards / neighbours : 0, 1e-12);
    EXPECT_NEAR(sample.union_recall, pieces > 0 ? double(found.size()) / pieces : 0, 1e-12);
    const auto whole = std::ranges::count_if(
        steps, [&](const StepCoverage& step) { return step.hops == sample.evidence; });
    const double of_steps = std::max(1.0, double(steps.size()));
    EXPECT_NEAR(sample.path, double(whole) / of_steps, 1e-12);
  }
}

TEST(CoverageMeans, A4_GroupsOfLayersShareTheModelOut) {
  SampleCoverage coverage;
  for (const int layer : {0, 1, 2, 5, 6})
    coverage.layers.push_back({.layer = layer, .steps = 2, .recall = layer / 10.0});
  const std::vector<LayerGroup> thirds = layer_groups(coverage, 7, 3);
  ASSERT_EQ(thirds.size(), 3U);  // layers 0-1, 2-3, 4-6
  EXPECT_EQ(thirds[0].end, 2);
  EXPECT_EQ(thirds[1].first, 2);
  EXPECT_EQ(thirds[1].masked, 1);
  EXPECT_EQ(thirds[2].end, 7);
  EXPECT_EQ(thirds[2].mean.steps, 4);
  EXPECT_NEAR(thirds[0].mean.recall, 0.05, 1e-12);
  EXPECT_NEAR(thirds[1].mean.recall, 0.2, 1e-12);
  EXPECT_NEAR(thirds[2].mean.recall, 0.55, 1e-12);
  coverage.layers = {{.layer = 6, .steps = 1, .recall = 1}};
  EXPECT_EQ(layer_groups(coverage, 7, 7).size(), 1U);
  EXPECT_EQ(layer_groups(coverage, 7, 1).front().mean.recall, 1);
}

TEST(CoverageMeans, AMeanOverSamplesIsThatOfEachNumber) {
  const SampleCoverage a = coverage_of(random_log(5).log, random_log(5).evidence);
  const SampleCoverage b = coverage_of(random_log(11).log, random_log(11).evidence);
  const SampleCoverage mean = mean_coverage({a, b});
  EXPECT_NEAR(mean.recall, (a.recall + b.recall) / 2, 1e-12);
  EXPECT_NEAR(mean.pairs, (a.pairs + b.pairs) / 2, 1e-12);
  EXPECT_EQ(mean.group, 2);
  EXPECT_EQ(mean.steps, a.steps + b.steps);
}

}  // namespace
}  // namespace fathom
