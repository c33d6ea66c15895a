#include "tokenizer/word_merger.h"

#include <algorithm>
#include <array>
#include <functional>

namespace fathom {

namespace {

constexpr size_t kShortWord = 48;
constexpr uint32_t kNone = 0xFFFFFFFF;

// Rank scan: everything stays in the first-level cache.
void merge_short(const MergeTable& merges, Symbols& symbols) {
  std::array<MergeRank, kShortWord + 1> pairs;
  TokenId* ids = symbols.ids.data();
  uint32_t* ends = symbols.ends.data();
  size_t n = symbols.ids.size();
  for (size_t i = 0; i + 1 < n; ++i) pairs[i] = merges.find(ids[i], ids[i + 1]);
  while (n > 1) {
    size_t best = 0;
    for (size_t i = 1; i + 1 < n; ++i)
      if (pairs[i] < pairs[best]) best = i;
    if (pairs[best] == kNoMerge) break;
    ids[best] = merges.result(pairs[best]);
    ends[best] = ends[best + 1];
    --n;
    for (size_t i = best + 1; i < n; ++i) {
      ids[i] = ids[i + 1];
      ends[i] = ends[i + 1];
      pairs[i - 1] = pairs[i];
    }
    if (best + 1 < n) pairs[best] = merges.find(ids[best], ids[best + 1]);
    if (best > 0) pairs[best - 1] = merges.find(ids[best - 1], ids[best]);
  }
  symbols.ids.resize(n);
  symbols.ends.resize(n);
}

// rank << 32 | position, so that order is rank, then position.
uint64_t candidate(MergeRank rank, uint32_t position) { return uint64_t{rank} << 32 | position; }

// Sorts by rank (the high half); equal ranks keep their order.
void sort_by_rank(std::vector<uint64_t>& values, std::vector<uint64_t>& spare) {
  constexpr int kBits = 11;
  constexpr size_t kBuckets = size_t{1} << kBits;
  spare.resize(values.size());
  uint64_t all = 0;
  for (const uint64_t value : values) all |= value;
  for (int shift = 32; shift < 64 && all >> shift != 0; shift += kBits) {
    std::array<size_t, kBuckets> starts{};
    for (const uint64_t value : values) ++starts[value >> shift & (kBuckets - 1)];
    size_t sum = 0;
    for (size_t& start : starts) sum += std::exchange(start, sum);
    for (const uint64_t value : values) spare[starts[value >> shift & (kBuckets - 1)]++] = value;
    values.swap(spare);
  }
}

// A linked list of symbols; first candidates in sorted order, later ones in a heap. A candidate
// whose pair has changed is stale.
class LongMerge {
 public:
  LongMerge(const MergeTable& merges, Symbols& symbols) : merges_(merges), s_(symbols) {}

  void run() {
    prepare();
    size_t first = 0;
    while (first < s_.sorted.size() || !s_.queue.empty()) {
      uint64_t best;
      if (s_.queue.empty() || (first < s_.sorted.size() && s_.sorted[first] < s_.queue.front())) {
        best = s_.sorted[first++];
      } else {
        best = s_.queue.front();
        std::pop_heap(s_.queue.begin(), s_.queue.end(), std::greater<>());
        s_.queue.pop_back();
      }
      const auto at = static_cast<uint32_t>(best);
      if (s_.pairs[at] != kNoMerge && s_.pairs[at] == best >> 32) apply(at);
    }
    compact();
  }

 private:
  void prepare() {
    const size_t n = s_.ids.size();
    s_.pairs.assign(n, kNoMerge);
    s_.next.resize(n);
    s_.previous.resize(n);
    s_.queue.clear();
    s_.sorted.clear();
    for (uint32_t i = 0; i < n; ++i) {
      s_.next[i] = i + 1 < n ? i + 1 : kNone;
      s_.previous[i] = i > 0 ? i - 1 : kNone;
      if (i + 1 == n) break;
      s_.pairs[i] = merges_.find(s_.ids[i], s_.ids[i + 1]);
      if (s_.pairs[i] != kNoMerge) s_.sorted.push_back(candidate(s_.pairs[i], i));
    }
    sort_by_rank(s_.sorted, s_.spare);
  }

  void apply(uint32_t at) {
    const uint32_t gone = s_.next[at];
    s_.ids[at] = merges_.result(s_.pairs[at]);
    s_.ends[at] = s_.ends[gone];
    s_.next[at] = s_.next[gone];
    s_.pairs[gone] = kNoMerge;
    s_.ids[gone] = kNoToken;
    if (s_.next[at] != kNone) s_.previous[s_.next[at]] = at;
    renew(at);
    if (s_.previous[at] != kNone) renew(s_.previous[at]);
  }

  void renew(uint32_t at) {
    const uint32_t right = s_.next[at];
    s_.pairs[at] = right == kNone ? kNoMerge : merges_.find(s_.ids[at], s_.ids[right]);
    if (s_.pairs[at] == kNoMerge) return;
    s_.queue.push_back(candidate(s_.pairs[at], at));
    std::push_heap(s_.queue.begin(), s_.queue.end(), std::greater<>());
  }

  void compact() {
    size_t n = 0;
    for (uint32_t at = 0; at != kNone; at = s_.next[at]) {
      s_.ids[n] = s_.ids[at];
      s_.ends[n] = s_.ends[at];
      ++n;
    }
    s_.ids.resize(n);
    s_.ends.resize(n);
  }

  const MergeTable& merges_;
  Symbols& s_;
};

}  // namespace

void merge_symbols(const MergeTable& merges, Symbols& symbols) {
  if (symbols.ids.size() < 2) return;
  if (symbols.ids.size() <= kShortWord) return merge_short(merges, symbols);
  LongMerge(merges, symbols).run();
}

}  // namespace fathom
