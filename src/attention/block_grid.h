// The blocks of a context as one query sees them.
#pragma once

#include <algorithm>
#include <cstdint>

#include "attention/attention_view.h"
#include "attention/selection.h"

namespace fathom {

// Block b holds positions [b * block, (b + 1) * block), of which the query sees [begin(b), end(b)).
struct BlockGrid {
  int64_t block = 1;
  int64_t first = 0;     // first visible position
  int64_t position = 0;  // of the query, the last visible one

  [[nodiscard]] int64_t lowest() const { return first / block; }
  [[nodiscard]] int64_t own() const { return position / block; }
  [[nodiscard]] int64_t size() const { return own() + 1; }
  [[nodiscard]] int64_t visible() const { return position - first + 1; }
  [[nodiscard]] int64_t begin(int64_t b) const { return std::max(first, b * block); }
  [[nodiscard]] int64_t end(int64_t b) const { return std::min(position + 1, (b + 1) * block); }
};

[[nodiscard]] inline BlockGrid grid_of(const QueryView& query, int64_t block) {
  return {.block = block, .first = query.first, .position = query.position};
}

// The visible positions of these blocks.
[[nodiscard]] inline int64_t positions_in(const BlockSet& blocks, const BlockGrid& grid) {
  int64_t count = 0;
  blocks.for_each([&](int64_t b) { count += std::max<int64_t>(0, grid.end(b) - grid.begin(b)); });
  return count;
}

// Adds the blocks of the visible ones among positions begin..end-1.
inline void insert_positions(BlockSet& blocks, const BlockGrid& grid, int64_t begin, int64_t end) {
  begin = std::max(begin, grid.first);
  end = std::min(end, grid.position + 1);
  if (begin < end) blocks.insert(begin / grid.block, (end - 1) / grid.block + 1);
}

}  // namespace fathom
