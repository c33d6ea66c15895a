// Splits prose into sentences by rule: English abbreviations, initials, numbers, quotation marks
// and brackets are understood; the sentence ends of other scripts (。！？ । ؟ ۔ …) are too.
//
//   for (const ByteSpan& span : split_sentences("Mr. Hale came. \"Where?\" she asked.")) …  // 2
// Own code because no packaged C++ library does this.
#pragma once

#include <string_view>
#include <vector>

#include "base/span.h"

namespace fathom {

// The sentences of one paragraph in order, without the white space around them; nothing else is
// left out. Line breaks count as white space, never as an end. Invalid UTF-8 is carried along.
// O(n) in bytes. Thread-safe.
[[nodiscard]] std::vector<ByteSpan> split_sentences(std::string_view paragraph);

}  // namespace fathom
