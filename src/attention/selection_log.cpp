#include "attention/selection_log.h"

#include "attention/block_grid.h"

namespace fathom {
LoggedSelection logged(int layer, int64_t position, int64_t first, const Selection* selection,
                       const AttentionShape& shape, int64_t block) {
  const BlockGrid grid{.block = block, .first = first, .position = position};
  LoggedSelection log{.layer = layer, .position = position, .first = first};
  log.pairs_full = static_cast<double>(grid.visible() * shape.kv_heads);
  log.dense = selection == nullptr;
  log.everything = log.dense || selection->everything;
  log.pairs = log.pairs_full;
  if (log.everything) return log;
  log.candidates = selection->candidates;
  log.blocks = BlockSet(grid.size());
  const auto sets = static_cast<int64_t>(selection->sets.size());
  log.pairs = 0;
  for (int64_t g = 0; g < shape.kv_heads; ++g) {
    // The query heads of a group may have a set each, or share one with other groups.
    BlockSet read(grid.size());
    for (int64_t head = g * shape.group(); head < (g + 1) * shape.group(); ++head)
      read.unite(selection->sets[static_cast<size_t>(head * sets / shape.query_heads)]);
    log.pairs += static_cast<double>(positions_in(read, grid));
    log.blocks.unite(read);
  }
  return log;
}

}  // namespace fathom
