// Small tokenizers for tests: one that splits as byte-level models do, and two that real ones are
// kinder than.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "tokenizer/tokenizer.h"

namespace fathom {

// Thread-safe. Token ids are hashes of the token's bytes.
class FakeTokenizer : public Tokenizer {
 public:
  enum class Kind {
    kWords,  // letters after an optional space in pieces of `piece` bytes; digits by three; runs of
             // newlines; other bytes alone
    kMerging,  // pieces of 1 to 2 × piece bytes, whose size hangs on the next three bytes: merges
               // across every joint
    kChaotic,  // the same, but whose size hangs on all bytes before: no two counts add
  };
  explicit FakeTokenizer(Kind kind, size_t piece = 4, bool bos = true)
      : kind_(kind), piece_(piece), bos_(bos) {
    info_.kind = "fake";
    info_.source = "fake";
    info_.hash = std::to_string(static_cast<int>(kind)) + ":" + std::to_string(piece);
  }

  void encode(std::string_view text, const EncodeOptions& options,
              std::vector<TokenId>& ids) const override {
    std::vector<ByteSpan> spans;
    encode_with_spans(text, options, ids, spans);
  }
  size_t count(std::string_view text, const EncodeOptions& options) const override {
    size_t tokens = options.add_special && bos_ ? 1 : 0;
    uint64_t state = 0;
    for (size_t at = 0; at < text.size(); ++tokens) at += next(text, at, state);
    return tokens;
  }
  void encode_with_spans(std::string_view text, const EncodeOptions& options,
                         std::vector<TokenId>& ids, std::vector<ByteSpan>& spans) const override {
    if (options.add_special && bos_) {
      ids.push_back(1);
      spans.push_back({0, 0});
    }
    uint64_t state = 0;
    for (size_t at = 0; at < text.size();) {
      const size_t size = next(text, at, state);
      uint32_t id = 2166136261U;
      for (const char c : text.substr(at, size)) {
        id = (id ^ static_cast<unsigned char>(c)) * 16777619U;
      }
      ids.push_back(id);
      spans.push_back({at, at + size});
      at += size;
    }
  }
  std::string decode(const std::vector<TokenId>&, bool) const override { return ""; }
  std::string token_text(TokenId) const override { return ""; }
  const TokenizerInfo& info() const override { return info_; }

 private:
  static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
  static bool is_digit(char c) { return c >= '0' && c <= '9'; }

  static size_t run(std::string_view text, size_t at, size_t most, bool (*belongs)(char)) {
    size_t end = at;
    while (end < text.size() && end - at < most && belongs(text[end])) ++end;
    return end - at;
  }

  size_t next(std::string_view text, size_t at, uint64_t& state) const {
    const size_t left = text.size() - at;
    if (kind_ == Kind::kMerging) {
      uint64_t hash = 0;
      for (const char c : text.substr(at, 3)) {
        hash = (hash + static_cast<unsigned char>(c) + 1) * 6364136223846793005ULL;
      }
      return std::min(left, 1 + static_cast<size_t>((hash >> 33) % (2 * piece_)));
    }
    if (kind_ == Kind::kChaotic) {
      state = state * 6364136223846793005ULL + static_cast<unsigned char>(text[at]) + 1;
      return std::min(left, 1 + static_cast<size_t>((state >> 33) % (2 * piece_)));
    }
    if (text[at] == '\n') return run(text, at, left, [](char c) { return c == '\n'; });
    if (is_digit(text[at])) return run(text, at, 3, is_digit);
    if (is_letter(text[at])) return run(text, at, piece_, is_letter);
    if (text[at] == ' ' && left > 1) {
      const size_t letters = run(text, at + 1, piece_, is_letter);
      if (letters > 0) return letters + 1;
    }
    return 1;
  }

  Kind kind_;
  size_t piece_;
  bool bos_;
  TokenizerInfo info_;
};

}  // namespace fathom
