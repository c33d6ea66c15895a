// Finds the words of a published split pattern without a regular-expression engine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "base/span.h"
#include "tokenizer/split_grammar.h"

namespace fathom {

// One stage of splitting. Thread-safe: holds no state between calls.
class SplitRule {
 public:
  virtual ~SplitRule() = default;

  // Splits text[range) from `position` on and writes the end of each piece (offsets into `text`)
  // until range.end or `max` pieces. The range counts as the whole text. Pieces are matches, and
  // the text between matches. Requires: position is range.begin or where an earlier call on the
  // same range stopped; position < range.end; max > 0. Returns how many were written, at least one.
  // O(n) in the bytes covered.
  virtual size_t split(std::string_view text, ByteSpan range, size_t position, size_t* ends,
                       size_t max) const = 0;
};

[[nodiscard]] std::unique_ptr<SplitRule> make_split_rule(const SplitGrammar& grammar);
[[nodiscard]] std::unique_ptr<SplitRule> make_split_rule(ClassRun run);

}  // namespace fathom
