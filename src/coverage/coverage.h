// What an arm's selections kept of a sample's evidence (spec A4). Definitions, precise enough to
// compute again from a log: docs/formats/arms.md, "coverage.jsonl".
//
// A step is one masked query; its layers are those the arm masks (dense layers read everything and
// would only dilute). Evidence e is hit at (step, layer) where the blocks that at least one head
// reads hold all of its tokens ("half": half of them).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "attention/selection_log.h"
#include "base/span.h"
#include "coverage/candidate_ranking.h"

namespace fathom {

// Hit@k and JointCover@k are told at these numbers of blocks.
inline constexpr int64_t kRankedAt[] = {1, 2, 4, 8, 16, 32, 64};

// Means over steps of one layer.
struct LayerCoverage {
  int layer = 0;
  int64_t steps = 0;
  double recall = 0;     // share of the evidence hit
  double joint = 0;      // share of steps at which all evidence is hit at once
  double precision = 0;  // share of the blocks read that hold evidence
  double density = 0;    // share of the tokens read that are evidence
  double kept = 0;       // share of the visible positions read
  bool operator==(const LayerCoverage&) const = default;
};

struct SampleCoverage {
  std::string sample_id;
  std::string arm;
  int64_t evidence = 0;  // pieces
  int64_t steps = 0;
  std::vector<LayerCoverage> layers = {};  // those that are masked
  // Means over layers and steps.
  double recall = 0;
  double recall_half = 0;
  double joint = 0;
  double joint_best = 0;    // of the best layer
  double joint_answer = 0;  // at the step that writes the first token of the answer
  double precision = 0;
  double density = 0;
  double kept = 0;
  // Over everything: each piece hit somewhere; all pieces hit somewhere.
  double union_recall = 0;
  bool union_joint = false;
  // Pieces in their order as the hops of a chain. Share of steps with layers l1 <= l2 <= … that hit
  // them in order (strict: l1 < l2 < …).
  double path = 0;
  double path_strict = 0;
  // The hop at which the longest path of any step breaks; none where one is whole.
  std::optional<int64_t> first_missing = std::nullopt;
  // Hits in order over steps too, where what an earlier step gathered is read by a later one:
  // (q_i, l_i) -> (q_j, l_j) where q_i = q_j and l_i < l_j, or q_i < q_j and a layer l of q_j with
  // l_i < l <= l_j reads position q_i.
  bool composable = false;
  double persistence = 0;    // mean Jaccard of the blocks of neighbouring steps, by layer
  double layer_jaccard = 0;  // mean Jaccard of the blocks of neighbouring layers, by step
  // Of the steps whose selector told its candidates, at every k of kRankedAt.
  CandidateRanking ranking = {};
  double head_size = 0;
  double group = 1;  // query heads that share a kv head
  // Key-value pairs, summed over steps, layers (dense ones too) and kv heads.
  double pairs = 0;
  double pairs_full = 0;
  double pairs_to_select = 0;
  bool operator==(const SampleCoverage&) const = default;
};

// `evidence` in the order of the chain. A log without masked layers (the full arm) has everything
// covered. O(steps · layers · (blocks + evidence) + steps² · layers).
[[nodiscard]] SampleCoverage coverage_of(const SelectionLog& log,
                                         std::span<const TokenSpan> evidence);

// One step of a sample over its masked layers.
struct StepCoverage {
  int64_t generated = 0;  // tokens of the answer that it knows: 0 writes the first, negative ones
                          // are of the question
  int64_t looks = 0;
  double recall = 0;         // mean over layers
  double joint = 0;          // share of the layers that hit all evidence
  bool union_joint = false;  // every piece is hit by some layer
  int64_t hops = 0;          // of the chain, hit in order by ascending layers
  bool operator==(const StepCoverage&) const = default;
};
// In order of position. As coverage_of(), of which these are the parts.
[[nodiscard]] std::vector<StepCoverage> step_coverage(const SelectionLog& log,
                                                      std::span<const TokenSpan> evidence);

// Neighbouring layers taken together: early, middle, late.
struct LayerGroup {
  int first = 0;  // layers first..end-1
  int end = 0;
  int64_t masked = 0;       // layers behind the means
  LayerCoverage mean = {};  // over them; `steps`: their sum
  bool operator==(const LayerGroup&) const = default;
};
// `groups` of equal size, as near as can be, of a model's layers; those without a masked one are
// left out. Requires: groups > 0.
[[nodiscard]] std::vector<LayerGroup> layer_groups(const SampleCoverage& coverage, int layers,
                                                   int groups);

// Shared blocks over blocks of either; 1 where both are empty.
[[nodiscard]] double jaccard(const BlockSet& a, const BlockSet& b);

}  // namespace fathom
