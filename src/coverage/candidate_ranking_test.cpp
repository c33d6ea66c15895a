// A4: Hit@k and JointCover@k from recorded scores, and their calibration, against slow definitions.
#include "coverage/candidate_ranking.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "coverage/random_log_test.h"

namespace fathom {
namespace {

RandomLog with_candidates(uint64_t number) {
  RandomLog made = random_log(number);
  Random random(RandomKey(number), "candidates");
  for (LoggedSelection& each : made.log.selections)
    for (int64_t b = each.first / made.log.block; b <= each.position / made.log.block; ++b)
      if (random.below(5) > 0)
        each.candidates.push_back({b, static_cast<double>(random.below(4)), random.uniform()});
  return made;
}

// The positions that the k best candidates hold, and those read without being candidates.
std::set<int64_t> held_at(const LoggedSelection& look, int64_t block, int64_t k) {
  std::set<int64_t> blocks;
  for (const BlockCandidate& each : look.candidates) {
    int64_t better = 0;
    for (const BlockCandidate& other : look.candidates)
      better += other.score > each.score || (other.score == each.score && other.block < each.block)
                    ? 1
                    : 0;
    if (better < k) blocks.insert(each.block);
  }
  std::set<int64_t> held;
  for (int64_t j = look.first; j <= look.position; ++j) {
    const bool candidate = std::ranges::any_of(
        look.candidates, [&](const BlockCandidate& each) { return each.block == j / block; });
    const bool read = look.everything || look.blocks.contains(j / block);
    if (candidate ? blocks.contains(j / block) : read) held.insert(j);
  }
  return held;
}

TEST(CandidateRanking, A4_EqualsBruteForceOnRandomLogs) {
  const std::vector<int64_t> ks = {0, 1, 2, 4, 100};
  double joint = 0;
  for (uint64_t number = 0; number < 1'500; ++number) {
    SCOPED_TRACE(number);
    const RandomLog made = with_candidates(number);
    const CandidateRanking got = candidate_ranking(made.log, made.evidence, ks);
    ASSERT_EQ(got.at.size(), ks.size());
    for (size_t i = 0; i < ks.size(); ++i) {
      double looks = 0;
      double hit = 0;
      double all = 0;
      for (const LoggedSelection& each : made.log.selections) {
        if (each.dense || each.candidates.empty()) continue;
        const std::set<int64_t> held = held_at(each, made.log.block, ks[i]);
        double pieces = 0;
        for (const TokenSpan& span : made.evidence) pieces += holds(held, span) ? 1 : 0;
        hit += made.evidence.empty() ? 0 : pieces / double(made.evidence.size());
        all += pieces == double(made.evidence.size()) ? 1 : 0;
        looks += 1;
      }
      EXPECT_EQ(got.looks, static_cast<int64_t>(looks));
      if (looks == 0) continue;
      EXPECT_NEAR(got.at[i].hit, hit / looks, 1e-12);
      EXPECT_NEAR(got.at[i].joint, all / looks, 1e-12);
      joint += all;
    }
    EXPECT_LE(got.mass_read, got.mass_best + 1e-12);
    EXPECT_LE(got.mass_best, 1 + 1e-12);
  }
  EXPECT_GT(joint, 1'000);
}

TEST(CandidateRanking, A4_CalibratesScoresAgainstMass) {
  SelectionLog log{.sample_id = "a", .arm = "quest", .shape = {1, 1, 8}, .layers = 1, .block = 4};
  log.prompt_tokens = 16;
  Selection selection;
  selection.sets.emplace_back(4);
  selection.sets[0].insert(0);
  selection.sets[0].insert(3);
  LoggedSelection look = logged(0, 15, 0, &selection, log.shape, log.block);
  look.candidates = {{0, 4, 0.5}, {1, 3, 0.3}, {2, 2, 0.1}, {3, 1, 0.1}};
  log.selections = {look};
  const CandidateRanking got = candidate_ranking(log, {}, {});
  EXPECT_EQ(got.weighed, 1);
  EXPECT_NEAR(got.mass_read, 0.6, 1e-12);
  EXPECT_NEAR(got.mass_best, 0.8, 1e-12);
  EXPECT_NEAR(got.score_to_mass.value(), 4.5 / std::sqrt(5 * 4.5), 1e-12);  // ranks 4 3 1.5 1.5
  log.selections[0].candidates[2].mass.reset();
  EXPECT_EQ(candidate_ranking(log, {}, {}).weighed, 0);
  EXPECT_FALSE(candidate_ranking(log, {}, {}).score_to_mass);
}

}  // namespace
}  // namespace fathom
