// Tokens that are found in the text itself, before the model sees it: special tokens, newline runs,
// tool tags …
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "tokenizer/tokenizer.h"

namespace fathom {

struct AddedToken {
  TokenId id = 0;
  std::string content;
  bool single_word = false;  // only where no word character stands beside it
  bool lstrip = false;       // takes the white space before it
  bool rstrip = false;       // takes the white space behind it
  bool normalized = false;   // found in the normalised text, by its normalised content
  bool special = false;      // plain text where EncodeOptions::parse_special is off
};

// One match of an added token; the text before it, from the end of the last match, is ordinary.
struct AddedMatch {
  TokenId id = 0;
  size_t begin = 0;
  size_t end = 0;
};

// How overlapping candidates are settled.
enum class AddedOrder {
  kLeftmostLongest,  // Hugging Face
  kLongestFirst,  // llama.cpp: the longest token anywhere wins, then the next one in what is left
};

// Finds added tokens: leftmost, then longest. Immutable after construction; thread-safe.
class AddedTokens {
 public:
  static constexpr size_t kMaxBytes =
      4096;  // of one token's content; longer ones must be refused by the loader

  AddedTokens() : AddedTokens({}, AddedOrder::kLeftmostLongest) {}
  AddedTokens(std::vector<AddedToken> tokens, AddedOrder order);

  [[nodiscard]] bool empty() const { return tokens_.empty(); }

  // Calls match() for each match in order. O(n) in bytes for ordinary tokens (at worst times the
  // longest content).
  void find(std::string_view text, bool parse_special,
            const std::function<void(const AddedMatch&)>& match) const;

 private:
  struct Edge {
    uint64_t key = 0;  // node << 8 | byte, plus 1; 0: free
    uint32_t node = 0;
  };
  struct Candidate {
    uint32_t token = 0;
    size_t begin = 0;
    size_t end = 0;
  };

  void insert(uint32_t token);
  void link(uint32_t node, unsigned char byte, uint32_t child);
  void grow();
  [[nodiscard]] uint32_t child(uint32_t node, unsigned char byte) const;  // 0: none
  [[nodiscard]] size_t next_start(std::string_view text, size_t at) const;
  [[nodiscard]] bool longest_at(std::string_view text, size_t at, Candidate& found) const;
  void find_leftmost(std::string_view text, bool parse_special,
                     const std::function<void(const AddedMatch&)>& match) const;
  void find_longest_first(std::string_view text, bool parse_special,
                          const std::function<void(const AddedMatch&)>& match) const;

  std::vector<AddedToken> tokens_;
  AddedOrder order_;
  std::vector<uint32_t> token_at_;  // by node: token index + 1, or 0
  std::vector<Edge> edges_;         // open addressing
  size_t edge_count_ = 0;
  bool starts_[256] = {};
  std::string start_bytes_;
};

}  // namespace fathom
