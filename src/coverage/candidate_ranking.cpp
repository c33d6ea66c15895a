#include "coverage/candidate_ranking.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <unordered_map>

#include "coverage/look.h"
#include "stats/correlation.h"

namespace fathom {
namespace {

constexpr int64_t kNoRank = std::numeric_limits<int64_t>::max();

// From 1: place of each candidate block among the best.
std::unordered_map<int64_t, int64_t> ranks_of(const std::vector<BlockCandidate>& candidates) {
  std::vector<const BlockCandidate*> order;
  for (const BlockCandidate& each : candidates) order.push_back(&each);
  std::ranges::sort(order, [](const BlockCandidate* a, const BlockCandidate* b) {
    return a->score != b->score ? a->score > b->score : a->block < b->block;
  });
  std::unordered_map<int64_t, int64_t> ranks;
  for (const BlockCandidate* each : order)
    ranks.emplace(each->block, static_cast<int64_t>(ranks.size()) + 1);
  return ranks;
}

// The least k whose best candidates hold the piece.
int64_t rank_of_piece(const Look& look, const TokenSpan& piece,
                      const std::unordered_map<int64_t, int64_t>& ranks) {
  int64_t worst = 0;
  for (auto j = static_cast<int64_t>(piece.begin); j < static_cast<int64_t>(piece.end); ++j) {
    if (j < look.grid.first || j > look.grid.position) return kNoRank;
    const auto rank = ranks.find(j / look.grid.block);
    if (rank != ranks.end()) {
      worst = std::max(worst, rank->second);
    } else if (!look.reads(j)) {
      return kNoRank;
    }
  }
  return worst;
}

void add_hits(const Look& look, std::span<const TokenSpan> evidence, CandidateRanking& into) {
  const auto ranks = ranks_of(look.log->candidates);
  std::vector<int64_t> pieces;
  for (const TokenSpan& piece : evidence) pieces.push_back(rank_of_piece(look, piece, ranks));
  for (RankedCoverage& at : into.at) {
    const auto held = std::ranges::count_if(pieces, [&](int64_t rank) { return rank <= at.k; });
    if (!pieces.empty()) at.hit += static_cast<double>(held) / static_cast<double>(pieces.size());
    at.joint += held == static_cast<int64_t>(pieces.size()) ? 1 : 0;
  }
}

struct Calibration {
  double correlations = 0;
  int64_t correlated = 0;
};

void add_mass(const Look& look, CandidateRanking& into, Calibration& calibration) {
  std::vector<double> scores;
  std::vector<double> masses;
  double total = 0;
  double read = 0;
  size_t blocks_read = 0;
  for (const BlockCandidate& each : look.log->candidates) {
    if (!each.mass) return;
    scores.push_back(each.score);
    masses.push_back(*each.mass);
    total += *each.mass;
    if (!look.log->everything && !look.log->blocks.contains(each.block)) continue;
    read += *each.mass;
    ++blocks_read;
  }
  if (total <= 0) return;
  const double correlation = spearman(scores, masses);
  if (!std::isnan(correlation)) {
    calibration.correlations += correlation;
    ++calibration.correlated;
  }
  std::ranges::sort(masses, std::greater<>());
  double best = 0;
  for (size_t i = 0; i < blocks_read; ++i) best += masses[i];
  ++into.weighed;
  into.mass_read += read / total;
  into.mass_best += best / total;
}

}  // namespace

CandidateRanking candidate_ranking(const SelectionLog& log, std::span<const TokenSpan> evidence,
                                   std::span<const int64_t> ks) {
  CandidateRanking out;
  for (const int64_t k : ks) out.at.push_back({.k = k});
  Calibration calibration;
  for (const LoggedSelection& each : log.selections) {
    if (each.dense || each.candidates.empty()) continue;
    ++out.looks;
    const Look look = look_at(each, log.block);
    add_hits(look, evidence, out);
    add_mass(look, out, calibration);
  }
  const auto looks = std::max(1.0, static_cast<double>(out.looks));
  for (RankedCoverage& at : out.at) {
    at.hit /= looks;
    at.joint /= looks;
  }
  if (out.weighed > 0) {
    out.mass_read /= static_cast<double>(out.weighed);
    out.mass_best /= static_cast<double>(out.weighed);
  }
  if (calibration.correlated > 0)
    out.score_to_mass = calibration.correlations / static_cast<double>(calibration.correlated);
  return out;
}

}  // namespace fathom
