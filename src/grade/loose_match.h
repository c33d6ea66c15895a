// Whether an answer holds a reference but for how it is written: thousands marks, split words,
// mark-up, case, accents.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/span.h"

namespace fathom {

// A text as its letters and digits alone, compatibility forms and accents taken away, in lower
// case. Thread-safe.
class LooseText {
 public:
  // O(n) in bytes.
  explicit LooseText(std::string_view text);

  // The piece of the text that spells `reference`, as it stands there; empty where none does. The
  // piece neither starts nor ends inside a word. References of fewer than three letters and digits
  // are never found so. O(n) in bytes.
  [[nodiscard]] std::string piece_like(std::string_view reference) const;

 private:
  std::string text_;
  std::string letters_;
  std::vector<ByteSpan> places_;  // of the character that each byte of letters_ comes from
};

}  // namespace fathom
