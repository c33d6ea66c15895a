// Merges the symbols of one word until no merge applies: lowest rank first, leftmost among equals.
#pragma once

#include <cstdint>
#include <vector>

#include "tokenizer/merge_table.h"

namespace fathom {

// The symbols of a word, and what merging needs to remember; reuse one to save allocations.
// Single-threaded.
struct Symbols {
  std::vector<TokenId> ids;
  std::vector<uint32_t> ends;  // byte of the word where each symbol ends

  void clear() {
    ids.clear();
    ends.clear();
  }
  void add(TokenId id, uint32_t end) {
    ids.push_back(id);
    ends.push_back(end);
  }

  // Scratch of merge_symbols().
  std::vector<MergeRank> pairs;  // rank of the merge with the next symbol
  std::vector<uint32_t> next;
  std::vector<uint32_t> previous;
  std::vector<uint64_t> queue;
  std::vector<uint64_t> sorted;
  std::vector<uint64_t> spare;
};

// Replaces the symbols by what is left after merging. O(n²) with small constants up to some dozen
// symbols, else O(n log n).
void merge_symbols(const MergeTable& merges, Symbols& symbols);

}  // namespace fathom
