// One query of one layer as metrics see it: which positions it reads.
#pragma once

#include <algorithm>
#include <cstdint>

#include "attention/block_grid.h"
#include "attention/selection_log.h"
#include "base/span.h"

namespace fathom {

// A view of a logged selection, which must outlive it.
struct Look {
  const LoggedSelection* log = nullptr;
  BlockGrid grid;

  [[nodiscard]] bool reads(int64_t position) const {
    if (position < log->first || position > log->position) return false;
    return log->everything || log->blocks.contains(position / grid.block);
  }
  // The first position after `position` at which reads() may be another.
  [[nodiscard]] int64_t same_until(int64_t position) const {
    if (position < log->first) return log->first;
    if (position > log->position) return INT64_MAX;
    if (log->everything) return log->position + 1;
    return std::min(log->position + 1, (position / grid.block + 1) * grid.block);
  }
  // Positions of the span that are read. O(its length).
  [[nodiscard]] int64_t read_of(const TokenSpan& span) const {
    int64_t count = 0;
    for (auto j = static_cast<int64_t>(span.begin); j < static_cast<int64_t>(span.end); ++j)
      count += reads(j) ? 1 : 0;
    return count;
  }
  [[nodiscard]] bool hits(const TokenSpan& span) const {
    return read_of(span) == static_cast<int64_t>(span.end - span.begin);
  }
  // Blocks of which a position is read, whichever way they were logged.
  [[nodiscard]] BlockSet blocks() const {
    BlockSet read(grid.size());
    if (log->everything) {
      read.insert(grid.lowest(), grid.size());
    } else {
      log->blocks.for_each([&](int64_t b) {
        if (b >= grid.lowest()) read.insert(b);
      });
    }
    return read;
  }
};

[[nodiscard]] inline Look look_at(const LoggedSelection& log, int64_t block) {
  return {&log, {.block = block, .first = log.first, .position = log.position}};
}

}  // namespace fathom
