// Which blocks of the context a query may read, per layer or per head.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace fathom {

// A set of blocks 0..size-1.
class BlockSet {
 public:
  BlockSet() = default;
  explicit BlockSet(int64_t size) : size_(size), words_(static_cast<size_t>((size + 63) / 64), 0) {}

  [[nodiscard]] int64_t size() const { return size_; }
  [[nodiscard]] bool contains(int64_t block) const {
    return (words_[static_cast<size_t>(block >> 6)] >> (block & 63) & 1) != 0;
  }
  void insert(int64_t block) {
    words_[static_cast<size_t>(block >> 6)] |= uint64_t{1} << (block & 63);
  }
  // Blocks begin..end-1, word by word. Requires: 0 <= begin <= end <= size().
  void insert(int64_t begin, int64_t end) {
    while (begin < end) {
      const int64_t upto = begin / 64 * 64 + 64 < end ? begin / 64 * 64 + 64 : end;
      words_[static_cast<size_t>(begin >> 6)] |= (~uint64_t{0} >> (64 - (upto - begin)))
                                                 << (begin & 63);
      begin = upto;
    }
  }
  void erase(int64_t block) {
    words_[static_cast<size_t>(block >> 6)] &= ~(uint64_t{1} << (block & 63));
  }
  // Requires: equal sizes.
  void unite(const BlockSet& other) {
    for (size_t i = 0; i < words_.size(); ++i) words_[i] |= other.words_[i];
  }
  [[nodiscard]] int64_t count() const {
    int64_t total = 0;
    for (const uint64_t word : words_) total += std::popcount(word);
    return total;
  }
  // Ascending.
  template <typename Visit>
  void for_each(Visit visit) const {
    for (size_t i = 0; i < words_.size(); ++i)
      for (uint64_t word = words_[i]; word != 0; word &= word - 1)
        visit(static_cast<int64_t>(i * 64) + std::countr_zero(word));
  }
  bool operator==(const BlockSet&) const = default;

 private:
  int64_t size_ = 0;
  std::vector<uint64_t> words_;
};

// A block that a selector weighed, whether it kept it or not.
struct BlockCandidate {
  int64_t block = 0;
  double score = 0;                           // the selector's own, higher is better
  std::optional<double> mass = std::nullopt;  // attention on the block, summed or mean over heads
  bool operator==(const BlockCandidate&) const = default;
};

// What one query of one layer may read. Block b holds positions b * block .. b * block + block - 1;
// the last one may be partial. A block outside of the query's visible range is never read, set or
// not.
struct Selection {
  // One for all heads, one per kv head, or one per query head.
  std::vector<BlockSet> sets;
  bool everything = false;  // the budget covers all that is visible; `sets` is then empty
  // Where SelectorContext::weigh_from asks for them, ascending: all visible blocks but those that
  // are kept or left out whatever they score. A score is the sum over the sets' rows.
  std::vector<BlockCandidate> candidates = {};
  bool operator==(const Selection&) const = default;
};

}  // namespace fathom
