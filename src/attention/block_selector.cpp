#include "attention/block_selector.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace fathom {
namespace {

std::vector<BlockSet> united_groups(const std::vector<BlockSet>& heads, int group) {
  std::vector<BlockSet> united;
  for (size_t head = 0; head < heads.size(); ++head) {
    if (head % static_cast<size_t>(group) == 0) {
      united.push_back(heads[head]);
    } else {
      united.back().unite(heads[head]);
    }
  }
  return united;
}

std::vector<BlockCandidate> candidates_of(const BlockScores& scores, const BlockGrid& grid,
                                          const BlockSet& kept, const BlockSet& left_out) {
  std::vector<BlockCandidate> candidates;
  for (int64_t b = grid.lowest(); b < grid.size(); ++b) {
    if (kept.contains(b) || left_out.contains(b)) continue;
    double sum = 0;
    for (int row = 0; row < scores.rows; ++row) sum += scores.row(row)[static_cast<size_t>(b)];
    candidates.push_back({.block = b, .score = sum});
  }
  return candidates;
}

}  // namespace

BlockScores shared_scores(BlockScores scores, HeadSharing sharing, const AttentionShape& shape) {
  int into = scores.rows;
  if (sharing == HeadSharing::kLayer) into = 1;
  if (sharing == HeadSharing::kKvSum && scores.rows == shape.query_heads) into = shape.kv_heads;
  if (into == scores.rows) return scores;
  BlockScores shared(into, scores.blocks);
  const int together = scores.rows / into;
  for (int row = 0; row < scores.rows; ++row) {
    const std::span<const double> from = std::as_const(scores).row(row);
    const std::span<double> to = shared.row(row / together);
    for (size_t b = 0; b < from.size(); ++b) to[b] += from[b];
  }
  return shared;
}

void add_best(BlockSet& kept, std::span<const double> scores, const BlockGrid& grid, int64_t most,
              const BlockSet& left_out) {
  int64_t room = most - kept.count();
  if (room <= 0) return;
  std::vector<int64_t> open;
  for (int64_t b = grid.lowest(); b < grid.size(); ++b)
    if (!kept.contains(b) && !left_out.contains(b)) open.push_back(b);
  room = std::min(room, static_cast<int64_t>(open.size()));
  const auto better = [&](int64_t a, int64_t b) {
    const double one = scores[static_cast<size_t>(a)];
    const double other = scores[static_cast<size_t>(b)];
    return one > other || (one == other && a < b);
  };
  std::partial_sort(open.begin(), open.begin() + room, open.end(), better);
  for (int64_t i = 0; i < room; ++i) kept.insert(open[static_cast<size_t>(i)]);
}

void BlockSelector::begin(const SelectorContext& context) {
  context_ = context;
  reset();
}

int64_t BlockSelector::most_blocks(const BlockGrid&) const {
  return options_.budget / options_.block;
}

BlockSet BlockSelector::always_kept(const BlockGrid& grid) const {
  BlockSet kept(grid.size());
  insert_positions(kept, grid, 0, options_.sinks);
  insert_positions(kept, grid, grid.position + 1 - options_.window, grid.position + 1);
  kept.insert(grid.own());
  return kept;
}

BlockSet BlockSelector::evidence_blocks(const BlockGrid& grid) const {
  BlockSet blocks(grid.size());
  for (const TokenSpan& span : context_.evidence)
    insert_positions(blocks, grid, static_cast<int64_t>(span.begin),
                     static_cast<int64_t>(span.end));
  return blocks;
}

Selection BlockSelector::select(const KeyView& keys, const QueryView& query) {
  const BlockGrid grid = grid_of(query, options_.block);
  const BlockSet evidence = evidence_blocks(grid);
  const bool knocked = rule_ == EvidenceRule::kLeftOut && evidence.count() > 0;
  const bool all = grid.visible() <= options_.budget;
  if (all && !knocked) {
    chosen(keys, query, grid, {});
    return {.sets = {}, .everything = true};
  }
  BlockSet kept = always_kept(grid);
  keep_more(grid, kept);
  if (rule_ == EvidenceRule::kForcedIn) kept.unite(evidence);
  BlockSet left_out(grid.size());
  if (knocked) {
    left_out = evidence;
    left_out.erase(grid.own());
    left_out.for_each([&](int64_t b) { kept.erase(b); });
  }
  const BlockScores shared = shared_scores(scores(keys, query, grid), options_.sharing, shape_);
  Selection selection;
  if (weighs() && query.position >= context_.weigh_from)
    selection.candidates = candidates_of(shared, grid, kept, left_out);
  const int64_t most = all ? grid.size() : most_blocks(grid);
  for (int row = 0; row < shared.rows; ++row) {
    BlockSet barred = left_out;
    leave_out_more(query.layer, static_cast<size_t>(row), barred);
    add_best(selection.sets.emplace_back(kept), shared.row(row), grid, most, barred);
  }
  chosen(keys, query, grid, selection.sets);
  const bool by_query_head = static_cast<int>(selection.sets.size()) == shape_.query_heads;
  if (options_.sharing == HeadSharing::kKvUnion && by_query_head)
    selection.sets = united_groups(selection.sets, shape_.group());
  return selection;
}

}  // namespace fathom
