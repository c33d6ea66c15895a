// Pre-tokenizers: cutting normalised text into pieces that the model encodes one by one.
// Splits that a byte-level BPE model does itself (segment_encoder.h) do not come through here.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "tokenizer/mapped_text.h"

namespace fathom {

struct Piece {
  size_t begin = 0;
  size_t end = 0;
};

// Thread-safe. Linear in the text.
class PreTokenizer {
 public:
  virtual ~PreTokenizer() = default;
  // Cuts each piece further (some also rewrite the text). Pieces are in order, without overlap,
  // never empty.
  virtual void apply(MappedText& text, std::vector<Piece>& pieces) const = 0;
  // Whether apply() asks where the text comes from (MappedText::tracked() must hold).
  [[nodiscard]] virtual bool needs_origins() const { return false; }
};

enum class SplitBehavior { kRemoved, kIsolated, kMergedWithPrevious, kMergedWithNext, kContiguous };
enum class PrefixScheme { kAlways, kFirst, kNever };

// `invert`: what the pattern does not match counts as the match.
[[nodiscard]] std::unique_ptr<PreTokenizer> make_split_text(std::string pattern,
                                                            SplitBehavior behavior, bool invert);
[[nodiscard]] Result<std::unique_ptr<PreTokenizer>> make_split_regex(const std::string& pattern,
                                                                     SplitBehavior behavior,
                                                                     bool invert);
[[nodiscard]] std::unique_ptr<PreTokenizer> make_split_white_space();  // white space removed
[[nodiscard]] std::unique_ptr<PreTokenizer>
make_split_words();  // runs of \w and runs of neither \w nor \s kept
[[nodiscard]] std::unique_ptr<PreTokenizer> make_split_digits(
    bool individual);  // every Unicode number
[[nodiscard]] std::unique_ptr<PreTokenizer> make_split_punctuation(SplitBehavior behavior);
[[nodiscard]] std::unique_ptr<PreTokenizer>
make_bert_pre_tokenizer();  // white space removed, punctuation isolated
[[nodiscard]] std::unique_ptr<PreTokenizer> make_metaspace(std::string replacement,
                                                           PrefixScheme scheme, bool split);
[[nodiscard]] std::unique_ptr<PreTokenizer> make_prefix(std::string prefix);  // before each piece
[[nodiscard]] std::unique_ptr<PreTokenizer>
make_prefix_space();  // a blank before each piece that has none

}  // namespace fathom
