// What the place of the evidence does to the score: first, middle and last fifths of the context,
// how far apart several pieces lie, how far they are from the question, and lengths at the edge of
// a memory block.
//
// All scores are usability (a failure counts as 0) over attempted samples. Values are owned by
// Results; block-edge lengths count only in `edges`.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "results/tally.h"
#include "stats/estimate.h"

namespace fathom {

struct Results;

// Depths [0, 0.2), [0.4, 0.6) and [0.8, 1] of the samples whose answer rests on one place.
struct PositionGap {
  // A cell's name without what sets its depth: cells that differ in depth alone stand together.
  // "all tasks": the mean over the ordinary ones that have all three fifths, each weighing the
  // same.
  std::string cell;
  std::optional<size_t> length;  // into Results::lengths; none: all of the main curve together
  Estimate first;
  Estimate middle;
  Estimate last;
  // Differences in score, -1..1: what the middle loses (or, below 0, gains) against either end.
  Estimate first_minus_middle;
  Estimate last_minus_middle;
  int64_t pairs = 0;  // haystacks of one length with samples in both fifths, the fewer of the two
                      // differences. 0: the fifths hold different texts, and the differences are
                      // those of two independent groups
  int64_t tasks = 1;  // behind a mean over tasks
  bool operator==(const PositionGap&) const = default;

  [[nodiscard]] bool paired() const { return pairs > 0; }
};

// Samples whose tokens lie in [from, below): of the span from the start of the first piece of
// evidence to the end of the last (samples with several pieces), or of the distance from the end of
// the last piece to the end of the prompt, where the question stands (all samples with evidence).
// Bounds are 0, 256 and then times four: 1K, 4K, 16K …
struct TokenBucket {
  std::optional<size_t> task;    // none: all samples of the length, each weighing the same
  std::optional<size_t> length;  // none: all lengths of the main curve together
  int64_t from = 0;
  int64_t below = 0;
  Tally tally;
  bool operator==(const TokenBucket&) const = default;
};

// A length a few tokens off a block boundary beside the boundary itself.
struct BlockEdge {
  size_t boundary = 0;   // into Results::lengths: the rounder length
  size_t length = 0;     // into Results::lengths: the one beside it
  int64_t offset = 0;    // tokens from the boundary: -1, +1 …
  Estimate at_boundary;  // over the pairs
  Estimate score;        // over the pairs
  Estimate difference;   // score - at_boundary, -1..1, paired by cell and index
  int64_t pairs = 0;
  bool operator==(const BlockEdge&) const = default;
};

struct Positions {
  std::vector<PositionGap>
      gaps;  // by cell (the mean last); each: all lengths first, then by length
  std::vector<TokenBucket> spans;      // non-empty ones; by task (all last), length, bucket
  std::vector<TokenBucket> distances;  // likewise
  std::vector<BlockEdge> edges;        // by boundary, then length
  bool operator==(const Positions&) const = default;
};

// For every length the index of its boundary, or its own where it is none's edge. A length is an
// edge of a rounder one that lies within kEdgeTokens of it and is a multiple of kSmallestBlock;
// rounder: divisible by a higher power of two. Requires: ascending, distinct.
inline constexpr int64_t kEdgeTokens = 8;
inline constexpr int64_t kSmallestBlock = 16;
[[nodiscard]] std::vector<size_t> block_boundaries(std::span<const int64_t> lengths);

// Needs axes, rows and scores of `results`. O(n log n).
[[nodiscard]] Positions positions_of(const Results& results);

}  // namespace fathom
