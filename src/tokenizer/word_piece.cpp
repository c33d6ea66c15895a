#include "tokenizer/word_piece.h"

#include "text/utf8.h"
#include "tokenizer/byte_trie.h"

namespace fathom {
namespace {

class WordPiece final : public SegmentEncoder {
 public:
  explicit WordPiece(const WordPieceVocabulary& vocabulary)
      : unknown_(vocabulary.unknown), max_characters_(vocabulary.max_characters) {
    std::vector<std::pair<std::string_view, uint32_t>> starts;
    std::vector<std::pair<std::string_view, uint32_t>> continuations;
    for (uint32_t id = 0; id < vocabulary.tokens.size(); ++id) {
      const std::string_view token = vocabulary.tokens[id];
      if (token.empty()) continue;
      starts.emplace_back(token, id);
      if (token.starts_with(vocabulary.continuation)) {
        continuations.emplace_back(token.substr(vocabulary.continuation.size()), id);
      }
    }
    starts_ = ByteTrie(std::move(starts));
    continuations_ = ByteTrie(std::move(continuations));
  }

  void encode(std::string_view text, std::vector<TokenId>& ids) const override {
    const size_t first = ids.size();
    if (!spell(text, [&](TokenId id, size_t) { ids.push_back(id); })) {
      ids.resize(first);
      ids.push_back(unknown_);
    }
  }

  [[nodiscard]] size_t count(std::string_view text) const override {
    size_t count = 0;
    return spell(text, [&](TokenId, size_t) { ++count; }) ? count : 1;
  }

  void encode_with_ends(std::string_view text, std::vector<TokenId>& ids,
                        std::vector<uint64_t>& ends) const override {
    const size_t first = ids.size();
    const size_t first_end = ends.size();
    const bool spelled = spell(text, [&](TokenId id, size_t end) {
      ids.push_back(id);
      ends.push_back(end);
    });
    if (spelled) return;
    ids.resize(first);
    ids.push_back(unknown_);
    ends.resize(first_end);
    ends.push_back(text.size());
  }

 private:
  template <typename Emit>
  bool spell(std::string_view word, const Emit& emit) const {
    if (word.size() > max_characters_ && count_characters(word) > max_characters_) return false;
    for (size_t begin = 0; begin < word.size();) {
      const ByteTrie& trie = begin == 0 ? starts_ : continuations_;
      uint32_t node = ByteTrie::kRoot;
      uint32_t best = ByteTrie::kNone;
      size_t end = begin;
      for (size_t at = begin; at < word.size();) {
        node = trie.child(node, static_cast<unsigned char>(word[at]));
        if (node == ByteTrie::kNone) break;
        ++at;
        if (trie.value(node) == ByteTrie::kNone) continue;
        best = trie.value(node);
        end = at;
      }
      if (best == ByteTrie::kNone) return false;
      emit(best, end);
      begin = end;
    }
    return true;
  }

  static size_t count_characters(std::string_view word) {
    size_t count = 0;
    for (size_t at = 0; at < word.size(); at += utf8_size(word[at])) ++count;
    return count;
  }

  TokenId unknown_;
  size_t max_characters_;
  ByteTrie starts_;
  ByteTrie continuations_;
};

}  // namespace

std::unique_ptr<SegmentEncoder> make_word_piece(const WordPieceVocabulary& vocabulary) {
  return std::make_unique<WordPiece>(vocabulary);
}

}  // namespace fathom
