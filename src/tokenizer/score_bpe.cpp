#include "tokenizer/score_bpe.h"

#include <algorithm>
#include <bit>
#include <queue>

#include "text/utf8.h"
#include "tokenizer/spelling_index.h"
#include "tokenizer/streaming_encoder.h"

namespace fathom {
namespace {

constexpr std::string_view kWordMark = "▁";
constexpr uint32_t kNoRank = 0xFFFFFFFF;
constexpr size_t kShortWord = 24;  // symbols up to which a plain scan beats a queue

bool all_marks(std::string_view text) {
  while (text.starts_with(kWordMark)) text.remove_prefix(kWordMark.size());
  return text.empty();
}

// (left, right) → result, open addressing.
class PairTable {
 public:
  void build(const std::vector<BpeMerge>& merges) {
    slots_.assign(std::bit_ceil(merges.size() * 2 + 2), Slot{});
    for (const BpeMerge& merge : merges) {
      size_t slot = start(merge.left, merge.right);
      while (slots_[slot].result != kNoToken) slot = (slot + 1) & (slots_.size() - 1);
      slots_[slot] = {merge.left, merge.right, merge.result};
    }
  }

  [[nodiscard]] TokenId find(TokenId left, TokenId right) const {
    for (size_t slot = start(left, right);; slot = (slot + 1) & (slots_.size() - 1)) {
      const Slot& at = slots_[slot];
      if (at.result == kNoToken || (at.left == left && at.right == right)) return at.result;
    }
  }

 private:
  struct Slot {
    TokenId left = 0;
    TokenId right = 0;
    TokenId result = kNoToken;
  };

  [[nodiscard]] size_t start(TokenId left, TokenId right) const {
    const uint64_t key = (static_cast<uint64_t>(left) << 32 | right) * 0x9E3779B97F4A7C15ULL;
    return (key ^ key >> 32) & (slots_.size() - 1);
  }

  std::vector<Slot> slots_;
};

struct Symbol {
  TokenId id = kNoToken;  // kNoToken: a character outside the vocabulary
  uint32_t begin = 0;
  uint32_t end = 0;
  int32_t previous = -1;  // in a long word's list
  int32_t next = -1;
};

class ScoreBpe final : public StreamingEncoder<ScoreBpe> {
 public:
  static Result<std::unique_ptr<SegmentEncoder>> create(ScoreBpeVocabulary vocabulary) {
    auto bpe = std::make_unique<ScoreBpe>();
    TRY_VOID(bpe->build(std::move(vocabulary)));
    return bpe;
  }

  template <typename Emit>
  void for_each_token(std::string_view text, const Emit& emit) const {
    static thread_local std::vector<Symbol> symbols;
    bool after_unknown = false;
    for (size_t begin = 0; begin < text.size();) {
      const size_t end = cut_at_marks_ ? word_end(text, begin) : text.size();
      merge_word(text, begin, end, symbols);
      for (size_t i = 0; i < symbols.size(); ++i) {
        // Neighbouring unknown characters are one token, which is emitted at its last character.
        if (symbols[i].id != kNoToken) {
          if (after_unknown) emit(unknown_, symbols[i].begin);
          after_unknown = false;
          emit(symbols[i].id, symbols[i].end);
        } else if (spell_bytes(text, symbols[i], after_unknown, emit)) {
          after_unknown = false;
        } else {
          after_unknown = unknown_ != kNoToken;
        }
      }
      begin = end;
    }
    if (after_unknown) emit(unknown_, text.size());
  }

 private:
  Result<void> build(ScoreBpeVocabulary vocabulary) {
    unknown_ = vocabulary.unknown;
    byte_tokens_ = vocabulary.byte_tokens;
    std::vector<float> scores;
    for (ScoreBpePiece& piece : vocabulary.pieces) {
      spellings_.push_back(piece.merges ? std::move(piece.text) : std::string());
      scores.push_back(piece.score);
    }
    index_ = std::make_unique<SpellingIndex>(spellings_);
    rank_scores(scores);
    ascii_.fill(kNoToken);
    for (size_t byte = 0; byte < 127; ++byte) {
      const auto c = static_cast<char>(byte);
      ascii_[byte] = index_->find({&c, 1});
    }
    return find_merges();
  }

  void rank_scores(const std::vector<float>& scores) {
    std::vector<float> order = scores;
    std::ranges::sort(order, std::greater{});
    order.erase(std::unique(order.begin(), order.end()), order.end());
    for (const float score : scores) {
      const auto at = std::lower_bound(order.begin(), order.end(), score, std::greater{});
      ranks_.push_back(static_cast<uint32_t>(at - order.begin()));
    }
  }

  Result<void> find_merges() {
    std::vector<BpeMerge> merges;
    for (TokenId id = 0; id < spellings_.size(); ++id) {
      const std::string_view text = spellings_[id];
      for (size_t cut = 0; cut < text.size();) {
        const size_t behind = cut + utf8_size(text[cut]);
        if (index_->find(text.substr(cut, behind - cut)) == kNoToken) {
          return fail(ErrorCode::kInput,
                      "the piece '{}' (id {}) has a character that is no piece; such models are "
                      "not supported",
                      text, id);
        }
        cut = behind;
        if (cut == text.size()) break;
        const TokenId left = index_->find(text.substr(0, cut));
        const TokenId right = left == kNoToken ? kNoToken : index_->find(text.substr(cut));
        if (right != kNoToken) merges.push_back({.left = left, .right = right, .result = id});
      }
      const size_t mark = text.rfind(kWordMark);
      if (mark != std::string_view::npos && !all_marks(text.substr(0, mark))) cut_at_marks_ = false;
    }
    pairs_.build(merges);
    return {};
  }

  template <typename Emit>
  bool spell_bytes(std::string_view text, const Symbol& symbol, bool after_unknown,
                   const Emit& emit) const {
    const auto token = [&](uint32_t at) {
      return byte_tokens_[static_cast<unsigned char>(text[at])];
    };
    for (uint32_t at = symbol.begin; at < symbol.end; ++at) {
      if (token(at) == kNoToken) return false;
    }
    if (after_unknown) emit(unknown_, symbol.begin);
    for (uint32_t at = symbol.begin; at < symbol.end; ++at) emit(token(at), at + 1);
    return true;
  }

  // No piece has a mark behind another character, so nothing merges across a mark that starts a
  // word.
  static size_t word_end(std::string_view text, size_t begin) {
    size_t at = begin;
    while (text.compare(at, kWordMark.size(), kWordMark) == 0) at += kWordMark.size();
    return std::min(text.find(kWordMark, at), text.size());
  }

  void merge_word(std::string_view text, size_t begin, size_t end,
                  std::vector<Symbol>& symbols) const {
    symbols.clear();
    for (size_t at = begin; at < end;) {
      const size_t size = utf8_size(text[at]);
      const auto byte = static_cast<unsigned char>(text[at]);
      const TokenId id = byte < 127 ? ascii_[byte] : index_->find(text.substr(at, size));
      symbols.push_back(
          {.id = id, .begin = static_cast<uint32_t>(at), .end = static_cast<uint32_t>(at + size)});
      at += size;
    }
    symbols.size() <= kShortWord ? merge_by_scan(symbols) : merge_by_queue(symbols);
  }

  [[nodiscard]] TokenId joined(const Symbol& left, const Symbol& right) const {
    return left.id == kNoToken || right.id == kNoToken ? kNoToken : pairs_.find(left.id, right.id);
  }

  void merge_by_scan(std::vector<Symbol>& symbols) const {
    while (true) {
      uint32_t best_rank = kNoRank;
      size_t best = 0;
      TokenId result = kNoToken;
      for (size_t i = 0; i + 1 < symbols.size(); ++i) {
        const TokenId id = joined(symbols[i], symbols[i + 1]);
        if (id == kNoToken || ranks_[id] >= best_rank) continue;
        best_rank = ranks_[id];
        best = i;
        result = id;
      }
      if (result == kNoToken) return;
      symbols[best].id = result;
      symbols[best].end = symbols[best + 1].end;
      symbols.erase(symbols.begin() + static_cast<ptrdiff_t>(best) + 1);
    }
  }

  struct Candidate {
    uint32_t rank;
    int32_t left;
    TokenId result;
    uint32_t end;  // of the join, to tell stale candidates
    bool operator>(const Candidate& other) const {
      return rank != other.rank ? rank > other.rank : left > other.left;
    }
  };

  void merge_by_queue(std::vector<Symbol>& symbols) const {
    std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> queue;
    const auto offer = [&](int32_t left) {
      const int32_t right = left < 0 ? -1 : symbols[static_cast<size_t>(left)].next;
      if (right < 0) return;
      const Symbol& other = symbols[static_cast<size_t>(right)];
      const TokenId id = joined(symbols[static_cast<size_t>(left)], other);
      if (id != kNoToken) queue.push({ranks_[id], left, id, other.end});
    };
    for (size_t i = 0; i < symbols.size(); ++i) {
      symbols[i].previous = static_cast<int32_t>(i) - 1;
      symbols[i].next = i + 1 < symbols.size() ? static_cast<int32_t>(i) + 1 : -1;
    }
    for (size_t i = 0; i + 1 < symbols.size(); ++i) offer(static_cast<int32_t>(i));
    while (!queue.empty()) {
      const Candidate candidate = queue.top();
      queue.pop();
      Symbol& left = symbols[static_cast<size_t>(candidate.left)];
      if (left.begin == left.end || left.next < 0) continue;  // merged away
      Symbol& right = symbols[static_cast<size_t>(left.next)];
      if (right.end != candidate.end || joined(left, right) != candidate.result) continue;
      left.id = candidate.result;
      left.end = right.end;
      right.begin = right.end;
      left.next = right.next;
      if (right.next >= 0) symbols[static_cast<size_t>(right.next)].previous = candidate.left;
      offer(left.previous);
      offer(candidate.left);
    }
    std::erase_if(symbols, [](const Symbol& symbol) { return symbol.begin == symbol.end; });
  }

  std::vector<std::string> spellings_;  // by id; "" where the piece never merges
  std::unique_ptr<SpellingIndex> index_;
  std::vector<uint32_t> ranks_;  // by id: 0 is the best score
  std::array<TokenId, 128> ascii_{};
  std::array<TokenId, 256> byte_tokens_{};
  TokenId unknown_ = kNoToken;
  PairTable pairs_;
  bool cut_at_marks_ = true;
};

}  // namespace

Result<std::unique_ptr<SegmentEncoder>> make_score_bpe(ScoreBpeVocabulary vocabulary) {
  return ScoreBpe::create(std::move(vocabulary));
}

}  // namespace fathom
