// The model stage of a tokenizer: normalised text between added tokens → ids. One implementation
// per model kind.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "tokenizer/tokenizer.h"

namespace fathom {

inline constexpr TokenId kNoToken = 0xFFFFFFFF;

// Thread-safe: caches are per thread. Text is valid UTF-8.
class SegmentEncoder {
 public:
  virtual ~SegmentEncoder() = default;
  virtual void encode(std::string_view text, std::vector<TokenId>& ids) const = 0;  // appends
  [[nodiscard]] virtual size_t count(std::string_view text) const = 0;
  // As encode(); appends for each id the byte of `text` where it ends.
  virtual void encode_with_ends(std::string_view text, std::vector<TokenId>& ids,
                                std::vector<uint64_t>& ends) const = 0;
  // What runs on a general engine instead of hand-written code (TokenizerInfo::slow_paths).
  [[nodiscard]] virtual std::vector<std::string> slow_paths() const { return {}; }
};

struct BpeMerge {
  TokenId left = 0;
  TokenId right = 0;
  TokenId result = 0;
};

struct BpeVocabulary {
  std::vector<std::string> tokens;  // by id; raw bytes (the byte-level alphabet undone), or UTF-8
                                    // pieces with "▁" for byte fallback; "" = gap
  std::vector<BpeMerge> merges;     // in priority order, first of duplicates kept
  bool merges_by_rank =
      false;  // tiktoken: no merge list; any two parts whose join is a token merge, lowest id first
  bool ignore_merges = false;  // a word that is a token is that token
  bool fuse_unknown =
      false;  // byte fallback only: neighbouring unknown characters become one unknown token
  TokenId unknown = kNoToken;
  std::array<TokenId, 256> byte_tokens{};  // byte fallback: <0x00> … <0xFF>, kNoToken where missing
};

// One pre-tokenizer stage that splits by pattern, in order (tokenizer.json: Split with behaviour
// Isolated, Digits, ByteLevel's own pattern).
struct SplitStage {
  std::string pattern;  // the regular expression as the file has it
};

// Text is split by `stages`, then each word is merged on its own. Known published patterns run on
// hand-written scanners, others on PCRE2.
[[nodiscard]] Result<std::unique_ptr<SegmentEncoder>> make_byte_level_bpe(
    BpeVocabulary vocabulary, const std::vector<SplitStage>& stages);

// SentencePiece-style BPE: the whole segment is one word of characters; unknown characters fall
// back to byte tokens.
[[nodiscard]] Result<std::unique_ptr<SegmentEncoder>> make_byte_fallback_bpe(
    BpeVocabulary vocabulary);

}  // namespace fathom
