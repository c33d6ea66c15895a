#include "tokenizer/unigram.h"

#include <algorithm>

#include "text/utf8.h"
#include "tokenizer/byte_trie.h"
#include "tokenizer/streaming_encoder.h"

namespace fathom {
namespace {

// The best way to reach one byte of the segment.
struct Step {
  double score = 0;
  TokenId id = 0;
  uint32_t size = 0;  // of the piece that ends here; 0: not reached
};

struct Token {
  TokenId id = 0;
  size_t end = 0;
};

class Unigram final : public StreamingEncoder<Unigram> {
 public:
  explicit Unigram(UnigramVocabulary vocabulary) : vocabulary_(std::move(vocabulary)) {
    std::vector<std::pair<std::string_view, uint32_t>> keys;
    for (uint32_t id = 0; id < vocabulary_.pieces.size(); ++id) {
      const UnigramPiece& piece = vocabulary_.pieces[id];
      scores_.push_back(piece.score);
      if (piece.matches && !piece.text.empty()) keys.emplace_back(piece.text, id);
    }
    trie_ = ByteTrie(std::move(keys));
  }

  template <typename Emit>
  void for_each_token(std::string_view text, const Emit& emit) const {
    static thread_local std::vector<Step> steps;
    static thread_local std::vector<Token> tokens;
    if (text.empty()) return;
    find_path(text, steps);
    tokens.clear();
    bool after_unknown = false;
    for (size_t end = text.size(); end > 0; end -= steps[end].size) {
      const bool unknown = steps[end].id == vocabulary_.unknown;
      if (!unknown || !after_unknown) tokens.push_back({steps[end].id, end});
      after_unknown = unknown;
    }
    size_t begin = 0;
    for (auto token = tokens.rbegin(); token != tokens.rend(); ++token) {
      if (token->id != vocabulary_.unknown || !spell_bytes(text, begin, token->end, emit))
        emit(token->id, token->end);
      begin = token->end;
    }
  }

 private:
  void find_path(std::string_view text, std::vector<Step>& steps) const {
    const bool as_float = vocabulary_.rules == UnigramRules::kSentencePiece;
    steps.assign(text.size() + 1, Step{});
    const auto offer = [&](size_t begin, size_t end, TokenId id, double score) {
      const double total = score + steps[begin].score;
      Step& step = steps[end];
      if (step.size != 0 && total <= step.score) return;
      const double kept = as_float ? static_cast<double>(static_cast<float>(total)) : total;
      step = {kept, id, static_cast<uint32_t>(end - begin)};
    };
    for (size_t begin = 0; begin < text.size();) {
      const size_t behind = begin + utf8_size(text[begin]);
      bool has_character = false;
      uint32_t node = ByteTrie::kRoot;
      for (size_t at = begin; at < text.size();) {
        node = trie_.child(node, static_cast<unsigned char>(text[at]));
        if (node == ByteTrie::kNone) break;
        ++at;
        const uint32_t id = trie_.value(node);
        if (id == ByteTrie::kNone) continue;
        offer(begin, at, id, scores_[id]);
        has_character = has_character || at == behind;
      }
      if (!has_character) offer(begin, behind, vocabulary_.unknown, vocabulary_.unknown_score);
      begin = behind;
    }
  }

  // The byte tokens of text[begin, end), unless one is missing.
  template <typename Emit>
  bool spell_bytes(std::string_view text, size_t begin, size_t end, const Emit& emit) const {
    if (!vocabulary_.byte_fallback) return false;
    const auto token = [&](size_t at) {
      return vocabulary_.byte_tokens[static_cast<unsigned char>(text[at])];
    };
    for (size_t at = begin; at < end; ++at) {
      if (token(at) == kNoToken) return false;
    }
    for (size_t at = begin; at < end; ++at) emit(token(at), at + 1);
    return true;
  }

  UnigramVocabulary vocabulary_;
  std::vector<double> scores_;
  ByteTrie trie_;
};

}  // namespace

std::unique_ptr<SegmentEncoder> make_unigram(UnigramVocabulary vocabulary) {
  return std::make_unique<Unigram>(std::move(vocabulary));
}

}  // namespace fathom
