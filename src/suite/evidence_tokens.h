// From bytes to tokens, one rule for making, importing and auditing.
#pragma once

#include <algorithm>
#include <vector>

#include "base/span.h"

namespace fathom {

// The tokens whose bytes touch `bytes`. Requires: spans in order, as Tokenizer::encode_with_spans()
// gives them. O(log n).
[[nodiscard]] inline TokenSpan tokens_touching(const std::vector<ByteSpan>& spans, ByteSpan bytes) {
  const auto first = std::partition_point(
      spans.begin(), spans.end(), [&](const ByteSpan& span) { return span.end <= bytes.begin; });
  const auto last = std::partition_point(
      first, spans.end(), [&](const ByteSpan& span) { return span.begin < bytes.end; });
  return {static_cast<uint64_t>(first - spans.begin()),
          static_cast<uint64_t>(last - spans.begin())};
}

}  // namespace fathom
