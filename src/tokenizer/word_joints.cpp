#include "tokenizer/word_joints.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "tokenizer/unicode_classes.h"

namespace fathom {

namespace {

constexpr uint8_t kMark = 0xFF;  // edge byte of U+2581; never in UTF-8

bool is_mark(const uint8_t* p, const uint8_t* end) {
  return *p == 0xE2 && end - p >= 3 && p[1] == 0x96 && p[2] == 0x81;
}

struct Edges {
  uint8_t first = 0;
  uint8_t last = 0;
  uint32_t bytes = 1;
};

Edges edges(const uint8_t* p, const uint8_t* end) {
  if (*p < 0x80) return {*p, *p, 1};
  if (is_mark(p, end)) return {kMark, kMark, 3};
  const uint32_t bytes = decode_code_point(p, end).bytes;
  return {p[0], p[bytes - 1], bytes};
}

}  // namespace

WordJoints::WordJoints(const BpeVocabulary& vocabulary) {
  // Unknown characters next to each other may become one token.
  const bool may_fuse = std::find(vocabulary.byte_tokens.begin(), vocabulary.byte_tokens.end(),
                                  kNoToken) != vocabulary.byte_tokens.end();
  if (may_fuse) {
    crossed_.set();
    const bool has_mark = std::find(vocabulary.tokens.begin(), vocabulary.tokens.end(), "\u2581") !=
                          vocabulary.tokens.end();
    if (has_mark)
      for (size_t left = 0; left < 256; ++left) crossed_[left * 256 + kMark] = left == kMark;
  }
  std::vector<uint8_t> done(vocabulary.tokens.size(), 0);
  for (const BpeMerge& merge : vocabulary.merges) {
    const std::string& left = vocabulary.tokens[merge.left];
    const std::string& right = vocabulary.tokens[merge.right];
    const bool is_join = left.size() + right.size() == vocabulary.tokens[merge.result].size();
    if (is_join && std::exchange(done[merge.result], 1)) continue;
    forbid_inside(left + right);
  }
}

void WordJoints::forbid_inside(std::string_view token) {
  const auto* p = reinterpret_cast<const uint8_t*>(token.data());
  const uint8_t* end = p + token.size();
  if (p == end) return;
  Edges left = edges(p, end);
  for (p += left.bytes; p < end; p += left.bytes) {
    const Edges right = edges(p, end);
    crossed_[size_t{left.last} * 256 + right.first] = true;
    left = right;
  }
}

size_t WordJoints::next(std::string_view text, Cursor& cursor, size_t* ends, size_t max) const {
  const auto* base = reinterpret_cast<const uint8_t*>(text.data());
  const uint8_t* stop = base + text.size();
  const uint8_t* p = base + cursor.position;
  size_t n = 0;
  while (n < max && p < stop) {
    Edges left = edges(p, stop);
    p += left.bytes;
    while (p < stop) {
      const Edges right = edges(p, stop);
      if (!crossed_[size_t{left.last} * 256 + right.first]) break;
      p += right.bytes;
      left = right;
    }
    ends[n++] = static_cast<size_t>(p - base);
  }
  cursor.position = static_cast<size_t>(p - base);
  return n;
}

}  // namespace fathom
