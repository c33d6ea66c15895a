#include "tokenizer/whole_tokens.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace fathom {

namespace {

constexpr uint64_t kNever = ~uint64_t{0};
constexpr size_t kMaxPieces = 64;  // at one side of a seam; longer chains are not looked into
constexpr size_t kMaxWays = 8;     // merges tried for one token

struct Made {
  TokenId left = kNoToken;  // kNoToken: an atom
  TokenId right = kNoToken;
  uint64_t time = 0;  // rank + 1 of the latest merge, 0 for atoms
};

// The pieces at one side of a seam, the earliest first.
struct Side {
  std::array<TokenId, kMaxPieces> pieces;
  size_t count = 0;

  // When piece i is swallowed by the next one.
  [[nodiscard]] uint64_t ends(size_t i, const std::vector<Made>& made) const {
    return i + 1 < count ? made[pieces[i + 1]].time : kNever;
  }
  // The last piece from i on that is there when time `now` is over.
  [[nodiscard]] size_t after(size_t i, uint64_t now, const std::vector<Made>& made) const {
    while (ends(i, made) == now) ++i;
    return i;
  }
};

class SureTokens {
 public:
  SureTokens(const BpeVocabulary& vocabulary, const MergeTable& merges,
             const std::vector<uint8_t>& atoms)
      : vocabulary_(vocabulary), merges_(merges), sure_(atoms), made_(vocabulary.tokens.size()) {}

  std::vector<uint8_t> find() {
    group_by_result();
    for (const TokenId token : by_length()) {
      if (sure_[token]) continue;
      const size_t end = std::min<size_t>(starts_[token + 1], starts_[token] + kMaxWays);
      for (size_t way = starts_[token]; way < end && !sure_[token]; ++way)
        try_way(token, ways_[way]);
    }
    return std::move(sure_);
  }

 private:
  void group_by_result() {
    const std::vector<BpeMerge>& merges = vocabulary_.merges;
    starts_.assign(vocabulary_.tokens.size() + 1, 0);
    for (const BpeMerge& merge : merges) ++starts_[merge.result + 1];
    std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
    std::vector<uint32_t> next(starts_.begin(), starts_.end() - 1);
    ways_.resize(merges.size());
    for (uint32_t i = 0; i < merges.size(); ++i) ways_[next[merges[i].result]++] = i;
  }

  // Ids of merge results, short texts first, so that the halves come before the whole.
  [[nodiscard]] std::vector<TokenId> by_length() const {
    size_t longest = 0;
    for (const std::string& token : vocabulary_.tokens) longest = std::max(longest, token.size());
    std::vector<uint32_t> next(longest + 2, 0);
    for (const std::string& token : vocabulary_.tokens) ++next[token.size() + 1];
    std::partial_sum(next.begin(), next.end(), next.begin());
    std::vector<TokenId> ordered(vocabulary_.tokens.size());
    for (TokenId id = 0; id < ordered.size(); ++id)
      ordered[next[vocabulary_.tokens[id].size()]++] = id;
    return ordered;
  }

  void try_way(TokenId token, uint32_t way) {
    const BpeMerge& merge = vocabulary_.merges[way];
    if (!sure_[merge.left] || !sure_[merge.right]) return;
    if (vocabulary_.tokens[merge.left].size() + vocabulary_.tokens[merge.right].size() !=
        vocabulary_.tokens[token].size())
      return;
    const MergeRank rank = merges_.find(merge.left, merge.right);
    if (rank == kNoMerge || merges_.result(rank) != token || !seam_holds(merge.left, merge.right))
      return;
    sure_[token] = 1;
    made_[token] = {
        merge.left, merge.right,
        std::max({uint64_t{rank} + 1, made_[merge.left].time, made_[merge.right].time})};
  }

  [[nodiscard]] bool seam_holds(TokenId left, TokenId right) const {
    Side a;
    Side b;
    if (!collect(left, &Made::right, a) || !collect(right, &Made::left, b)) return false;
    size_t i = 0;
    size_t j = 0;
    while (i + 1 < a.count || j + 1 < b.count) {
      const uint64_t ends = std::min(a.ends(i, made_), b.ends(j, made_));
      // Pieces of equal time may come in any order between the two sides.
      const size_t a_next = a.after(i, ends, made_);
      const size_t b_next = b.after(j, ends, made_);
      for (size_t x = i; x <= a_next; ++x)
        for (size_t y = j; y <= b_next; ++y)
          if ((x < a_next || y < b_next) && crosses(a.pieces[x], b.pieces[y], ends)) return false;
      i = a_next;
      j = b_next;
    }
    return true;
  }

  [[nodiscard]] bool crosses(TokenId left, TokenId right, uint64_t ends) const {
    const MergeRank rank = merges_.find(left, right);
    return rank != kNoMerge && uint64_t{rank} + 1 <= ends;
  }

  bool collect(TokenId token, TokenId Made::*towards_seam, Side& side) const {
    for (; token != kNoToken; token = made_[token].*towards_seam) {
      if (side.count == kMaxPieces) return false;
      side.pieces[side.count++] = token;
    }
    std::reverse(side.pieces.begin(),
                 side.pieces.begin() + static_cast<std::ptrdiff_t>(side.count));
    return true;
  }

  const BpeVocabulary& vocabulary_;
  const MergeTable& merges_;
  std::vector<uint8_t> sure_;
  std::vector<Made> made_;
  std::vector<uint32_t> starts_;  // by token: first of its merges in ways_
  std::vector<uint32_t> ways_;    // indices of merges
};

}  // namespace

std::vector<uint8_t> sure_tokens(const BpeVocabulary& vocabulary, const MergeTable& merges,
                                 const std::vector<uint8_t>& atoms) {
  return SureTokens(vocabulary, merges, atoms).find();
}

}  // namespace fathom
