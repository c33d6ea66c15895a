// Half-open ranges of bytes and of tokens, kept apart by type.
#pragma once

#include <cstdint>

namespace fathom {

struct ByteSpan {
  uint64_t begin = 0;
  uint64_t end = 0;
  auto operator<=>(const ByteSpan&) const = default;
};

struct TokenSpan {
  uint64_t begin = 0;
  uint64_t end = 0;
  auto operator<=>(const TokenSpan&) const = default;
};

}  // namespace fathom
