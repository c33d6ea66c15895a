// How well a selector's scores rank the blocks, whatever its budget: of logs that recorded the
// candidates (spec A4: Hit@k, JointCover@k, calibration of selector scores).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "attention/selection_log.h"
#include "base/span.h"

namespace fathom {

struct RankedCoverage {
  int64_t k = 0;
  double hit = 0;    // Hit@k: share of the evidence that the k best candidates hold
  double joint = 0;  // JointCover@k: share of looks whose k best hold all evidence
  bool operator==(const RankedCoverage&) const = default;
};

struct CandidateRanking {
  int64_t looks = 0;  // with candidates
  std::vector<RankedCoverage> at = {};
  // Mean Spearman correlation of score and attention mass, over looks where it is defined.
  std::optional<double> score_to_mass = std::nullopt;
  int64_t weighed = 0;   // looks with the mass of every candidate, not all of it 0
  double mass_read = 0;  // of the candidates' mass, the share in blocks that are read
  double mass_best = 0;  // that of as many blocks of most mass: what could have been read
  bool operator==(const CandidateRanking&) const = default;
};

// Means over the looks of masked layers. The k best have the highest scores, of equal ones the
// lower block; the always-kept blocks, read without being candidates, are there at every k. O(looks
// · (candidates log candidates + tokens of evidence + evidence · ks)).
[[nodiscard]] CandidateRanking candidate_ranking(const SelectionLog& log,
                                                 std::span<const TokenSpan> evidence,
                                                 std::span<const int64_t> ks);

}  // namespace fathom
