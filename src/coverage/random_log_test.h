// Small random logs for tests, and what they read, position by position.
#pragma once

#include <set>
#include <utility>
#include <vector>

#include "attention/selection_log.h"
#include "base/random.h"
#include "base/span.h"

namespace fathom {

struct RandomLog {
  SelectionLog log;
  std::vector<TokenSpan> evidence;
};

inline RandomLog random_log(uint64_t number) {
  Random random(RandomKey(number), "coverage");
  RandomLog out;
  SelectionLog& log = out.log;
  log.block = random.between(1, 5);
  log.layers = static_cast<int>(random.between(1, 4));
  log.shape = {.query_heads = 2, .kv_heads = 1, .head_size = 4};
  log.context_tokens = random.between(4, 20);
  log.prompt_tokens = log.context_tokens + random.between(1, 3);
  const int64_t end = log.prompt_tokens + random.between(0, 2);
  const int dense = static_cast<int>(random.between(-1, log.layers - 1));
  for (int64_t position = log.context_tokens; position < end; ++position) {
    for (int layer = 0; layer < log.layers; ++layer) {
      Selection selection;
      selection.everything = random.below(6) == 0;
      if (!selection.everything) {
        BlockSet& set = selection.sets.emplace_back(position / log.block + 1);
        for (int64_t b = 0; b < set.size(); ++b)
          if (random.below(3) > 0) set.insert(b);
        set.insert(position / log.block);
      }
      log.selections.push_back(logged(layer, position, random.below(4) == 0 ? 2 : 0,
                                      layer == dense ? nullptr : &selection, log.shape, log.block));
    }
  }
  for (int64_t i = random.between(0, 3); i > 0; --i) {
    const auto begin = static_cast<uint64_t>(random.between(0, log.context_tokens - 1));
    out.evidence.push_back({begin, begin + 1 + random.below(3)});
  }
  return out;
}

// The positions that one logged selection reads.
inline std::set<int64_t> positions(const LoggedSelection& log, int64_t block) {
  std::set<int64_t> read;
  for (int64_t j = log.first; j <= log.position; ++j)
    if (log.everything || log.blocks.contains(j / block)) read.insert(j);
  return read;
}

// Whether all of the span's tokens are among them.
inline bool holds(const std::set<int64_t>& read, const TokenSpan& span) {
  for (uint64_t j = span.begin; j < span.end; ++j)
    if (!read.contains(static_cast<int64_t>(j))) return false;
  return true;
}

// Elements of both over elements of either.
template <typename T>
double overlap(const std::set<T>& a, const std::set<T>& b) {
  std::set<T> either = a;
  either.insert(b.begin(), b.end());
  if (either.empty()) return 1;
  return static_cast<double>(a.size() + b.size() - either.size()) /
         static_cast<double>(either.size());
}

}  // namespace fathom
