#include "text/words.h"

#include <utf8proc.h>

#include <algorithm>
#include <cstdint>

#include "text/lenient_char.h"

namespace fathom {
namespace {

bool is_mark(int32_t code) {
  if (code < 0x300) return false;
  const auto category = utf8proc_category(code);
  return category == UTF8PROC_CATEGORY_MN || category == UTF8PROC_CATEGORY_MC ||
         category == UTF8PROC_CATEGORY_ME;
}

bool is_word(int32_t code) {
  if (code < 0) return false;
  if (code < 0x80)
    return (code >= '0' && code <= '9') || ((code | 32) >= 'a' && (code | 32) <= 'z');
  const auto category = utf8proc_category(code);
  return category >= UTF8PROC_CATEGORY_LU &&
         category <= UTF8PROC_CATEGORY_NO;  // letters, marks, numbers
}

bool is_unspaced(int32_t code) {
  constexpr int32_t kFirst = 0x0E00;  // the blocks before it all write spaces
  return code >= kFirst && writes_without_spaces(static_cast<char32_t>(code));
}

bool is_joiner(int32_t code) {
  return code == '\'' || code == '-' || code == 0x2019 || code == 0x2010;
}

// The code point that ends right before `at`.
int32_t code_before(std::string_view text, size_t at) {
  size_t first = at;
  for (int i = 0; i < 4 && first > 0; ++i) {
    --first;
    if ((static_cast<unsigned char>(text[first]) & 0xC0) != 0x80) break;
  }
  const LenientChar c = lenient_char_at(text, first);
  return first + c.size == at ? c.code : -1;
}

}  // namespace

bool writes_without_spaces(char32_t code) {
  return (code >= 0x0E00 && code <= 0x0EFF) || (code >= 0x1000 && code <= 0x109F) ||
         (code >= 0x1780 && code <= 0x17FF) || (code >= 0x2E80 && code <= 0x30FF) ||
         (code >= 0x3400 && code <= 0x9FFF) || (code >= 0xF900 && code <= 0xFAFF) ||
         (code >= 0x20000 && code <= 0x3FFFF);
}

std::vector<ByteSpan> split_words(std::string_view text) {
  std::vector<ByteSpan> words;
  size_t at = 0;
  while (at < text.size()) {
    LenientChar c = lenient_char_at(text, at);
    if (!is_word(c.code)) {
      at += c.size;
      continue;
    }
    const size_t begin = at;
    const bool unspaced = is_unspaced(c.code);
    at += c.size;
    for (c = lenient_char_at(text, at); c.size > 0; c = lenient_char_at(text, at)) {
      if (is_joiner(c.code) && !unspaced) {
        const LenientChar next = lenient_char_at(text, at + c.size);
        if (!is_word(next.code) || is_unspaced(next.code)) break;
        at += c.size + next.size;
      } else if (is_mark(c.code) || (!unspaced && is_word(c.code) && !is_unspaced(c.code))) {
        at += c.size;
      } else {
        break;
      }
    }
    words.push_back({begin, at});
  }
  return words;
}

std::string lower_case(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t at = 0; at < text.size();) {
    const LenientChar c = lenient_char_at(text, at);
    if (c.code >= 0 && c.code < 0x80) {
      out += static_cast<char>(c.code >= 'A' && c.code <= 'Z' ? c.code + 32 : c.code);
    } else if (c.code < 0) {
      out += text[at];
    } else {
      utf8proc_uint8_t bytes[4];
      const auto size = utf8proc_encode_char(utf8proc_tolower(c.code), bytes);
      out.append(reinterpret_cast<const char*>(bytes), static_cast<size_t>(size));
    }
    at += c.size;
  }
  return out;
}

size_t find_phrase(std::string_view text, std::string_view phrase) {
  if (phrase.empty()) return std::string_view::npos;
  for (size_t at = text.find(phrase); at != std::string_view::npos;
       at = text.find(phrase, at + 1)) {
    const bool left_free = at == 0 || !is_word(code_before(text, at));
    if (left_free && !is_word(lenient_char_at(text, at + phrase.size()).code)) return at;
  }
  return std::string_view::npos;
}

}  // namespace fathom
