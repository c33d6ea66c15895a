#include "text/sentences.h"

#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

#include "text/lenient_char.h"

namespace fathom {
namespace {

bool is_space(int32_t code) {
  return code == ' ' || (code >= 9 && code <= 13) || code == 0x85 || code == 0xA0 ||
         code == 0x3000 || (code >= 0x2000 && code <= 0x200A) || code == 0x2028 || code == 0x2029 ||
         code == 0x202F;
}

// Marks that end a sentence only before white space.
bool is_spaced_end(int32_t code) {
  switch (code) {
    case '.':
    case '!':
    case '?':
    case 0x2026:
    case 0x203C:
    case 0x2047:
    case 0x2048:
    case 0x2049:
    case 0x061F:
    case 0x06D4:
    case 0x0589:
    case 0x1362:
    case 0x1367:
      return true;
    default:
      return false;
  }
}

// Marks that end a sentence whatever follows: scripts that put no space there, and dandas.
bool is_full_end(int32_t code) {
  switch (code) {
    case 0x3002:
    case 0xFF01:
    case 0xFF1F:
    case 0xFF0E:
    case 0xFF61:
    case 0x0964:
    case 0x0965:
      return true;
    default:
      return false;
  }
}

// Quotation marks, brackets and emphasis marks that belong to the sentence they follow.
bool is_closing(int32_t code) {
  switch (code) {
    case '"':
    case '\'':
    case ')':
    case ']':
    case '}':
    case '_':
    case '*':
    case 0x2019:
    case 0x201D:
    case 0xBB:
    case 0x203A:
    case 0x300D:
    case 0x300F:
    case 0xFF09:
    case 0x300B:
    case 0x3009:
    case 0x3011:
      return true;
    default:
      return false;
  }
}

// What may stand before the first letter of a sentence.
bool is_opening(int32_t code) {
  switch (code) {
    case '"':
    case '\'':
    case '(':
    case '[':
    case '{':
    case '_':
    case '*':
    case '-':
    case 0x2010:
    case 0x2013:
    case 0x2014:
    case 0x2018:
    case 0x201C:
    case 0xAB:
    case 0xBF:
    case 0xA1:
    case 0x2039:
    case 0x201E:
      return true;
    default:
      return false;
  }
}

bool is_lower(int32_t code) {
  if (code < 0x80) return code >= 'a' && code <= 'z';
  return utf8proc_category(code) == UTF8PROC_CATEGORY_LL;
}

bool is_ascii_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

template <size_t N>
bool among(const std::array<std::string_view, N>& sorted, std::string_view word) {
  return std::binary_search(sorted.begin(), sorted.end(), word);
}

// Always followed by the rest of their sentence.
constexpr auto kTitles = std::to_array<std::string_view>(
    {"adm", "capt", "cf",    "col", "dr",  "e.g",    "esp",   "fr",  "ft", "gen", "gov",
     "hon", "i.e",  "lieut", "lt",  "maj", "messrs", "mlle",  "mme", "mr", "mrs", "ms",
     "mt",  "pres", "prof",  "rep", "rev", "sen",    "sergt", "sgt", "st", "viz", "vs"});
// Followed by a number where they are abbreviations.
constexpr auto kNumbered = std::to_array<std::string_view>(
    {"art", "ch", "chap", "eq", "fig", "figs", "no", "nos", "nr", "p", "pp", "sec", "vol", "vols"});
// May end a sentence; they do where a word that often starts one follows.
constexpr auto kMayEnd = std::to_array<std::string_view>(
    {"a.d", "a.m", "apr", "aug", "b.c", "bros", "co",  "corp", "dec",  "dept", "esq", "etc",
     "feb", "inc", "jan", "jr",  "ltd", "nov",  "oct", "p.m",  "ph.d", "sept", "sr"});
constexpr auto kStarters = std::to_array<std::string_view>(
    {"A",     "After", "All",  "An",    "And",  "As",      "At",      "But",   "By",   "For",
     "From",  "He",    "Her",  "Here",  "His",  "How",     "However", "I",     "If",   "In",
     "It",    "Its",   "My",   "No",    "Not",  "Nothing", "Now",     "On",    "One",  "Or",
     "Our",   "She",   "So",   "Some",  "Such", "That",    "The",     "Their", "Then", "There",
     "These", "They",  "This", "Those", "Thus", "To",      "We",      "What",  "When", "Where",
     "While", "Who",   "Why",  "With",  "Yet",  "You",     "Your"});
static_assert(std::ranges::is_sorted(kTitles) && std::ranges::is_sorted(kNumbered) &&
              std::ranges::is_sorted(kMayEnd) && std::ranges::is_sorted(kStarters));

bool starts_with_starter(std::string_view rest) {
  size_t size = 0;
  while (size < rest.size() && size < 10 && is_ascii_letter(rest[size])) ++size;
  return among(kStarters, rest.substr(0, size));
}

// The word that ends right before `stop`, at most 16 bytes of it, without opening marks.
std::string_view word_before(std::string_view text, size_t begin, size_t stop) {
  size_t first = stop;
  while (first > begin && stop - first < 16 &&
         !is_space(static_cast<unsigned char>(text[first - 1])))
    --first;
  while (first < stop && !is_ascii_letter(text[first]) &&
         static_cast<unsigned char>(text[first]) < 0x80 &&
         !(text[first] >= '0' && text[first] <= '9'))
    ++first;
  return text.substr(first, stop - first);
}

bool is_list_number(std::string_view word) {
  return !word.empty() && word.size() <= 5 &&
         word.find_first_not_of("0123456789IVXLivxl") == std::string_view::npos;
}

// Whether the single full stop at `stop` ends the sentence that began at `begin`, where the next
// one would start with `rest`.
bool full_stop_ends(std::string_view text, size_t begin, size_t stop, std::string_view rest) {
  const std::string_view word = word_before(text, begin, stop);
  if (word.empty()) return true;
  // A chapter or list number alone is no sentence: "12. The road".
  if (word.size() + begin >= stop && is_list_number(word)) return false;
  std::string lower(word);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  if (among(kTitles, lower)) return false;
  if (among(kNumbered, lower))
    return !(rest[0] >= '0' && rest[0] <= '9') && !is_list_number(rest.substr(0, 2));
  const bool initial = word.size() == 1 && is_ascii_letter(word[0]);
  const bool dotted = word.size() >= 3 && word[1] == '.' && is_ascii_letter(word[0]);  // U.S, J.R
  if (initial || dotted || among(kMayEnd, lower)) return starts_with_starter(rest);
  return true;
}

class Splitter {
 public:
  explicit Splitter(std::string_view text) : text_(text) {}

  std::vector<ByteSpan> split() {
    begin_ = skip_space(0);
    size_t at = begin_;
    while (at < text_.size()) {
      const LenientChar c = lenient_char_at(text_, at);
      if (is_full_end(c.code) || is_spaced_end(c.code)) {
        at = mark(at);
      } else {
        at += c.size;
      }
    }
    emit(text_.size());
    return std::move(spans_);
  }

 private:
  size_t skip_space(size_t at) const {
    for (LenientChar c = lenient_char_at(text_, at); c.size > 0 && is_space(c.code);
         c = lenient_char_at(text_, at))
      at += c.size;
    return at;
  }

  // French writes a space before its closing mark; » with a letter behind it opens instead.
  size_t past_spaced_guillemet(size_t at) const {
    const size_t mark = skip_space(at);
    const LenientChar c = lenient_char_at(text_, mark);
    const LenientChar next = lenient_char_at(text_, mark + c.size);
    return c.code == 0xBB && (next.size == 0 || is_space(next.code)) ? mark + c.size : at;
  }

  // Handles the run of end marks at `at`; returns where to go on.
  size_t mark(size_t at) {
    const size_t first = at;
    bool full = false;
    bool strong = false;  // more than one full stop
    size_t marks = 0;
    for (LenientChar c = lenient_char_at(text_, at); is_full_end(c.code) || is_spaced_end(c.code);
         c = lenient_char_at(text_, at)) {
      full |= is_full_end(c.code);
      strong |= c.code != '.';
      ++marks;
      at += c.size;
    }
    bool closed = false;
    for (LenientChar c = lenient_char_at(text_, at); is_closing(c.code);
         c = lenient_char_at(text_, at)) {
      closed = true;
      at += c.size;
    }
    at = past_spaced_guillemet(at);
    if (full) {
      emit(at);
      begin_ = skip_space(at);
      return begin_;
    }
    const size_t next = skip_space(at);
    if (next == at) return at;  // no white space: inside a word or number, or the end
    if (next < text_.size() && ends(first, marks, strong, closed, next)) {
      emit(at);
      begin_ = next;
    }
    return next;
  }

  bool ends(size_t first, size_t marks, bool strong, bool closed, size_t next) const {
    size_t at = next;
    LenientChar c = lenient_char_at(text_, at);
    while (is_opening(c.code) || (at > next && is_space(c.code))) {
      at += c.size;
      c = lenient_char_at(text_, at);
    }
    if (c.size == 0) return true;
    if (is_lower(c.code)) return false;
    if (strong || marks > 1 || closed) return true;
    return full_stop_ends(text_, begin_, first, text_.substr(at));
  }

  void emit(size_t end) {
    size_t last = end;
    while (last > begin_) {  // back over white space, which may be longer than a byte
      size_t previous = last - 1;
      while (previous > begin_ && (static_cast<unsigned char>(text_[previous]) & 0xC0) == 0x80)
        --previous;
      const LenientChar c = lenient_char_at(text_, previous);
      if (!is_space(c.code) || previous + c.size != last) break;
      last = previous;
    }
    if (last > begin_) spans_.push_back({begin_, last});
  }

  std::string_view text_;
  size_t begin_ = 0;
  std::vector<ByteSpan> spans_;
};

}  // namespace

std::vector<ByteSpan> split_sentences(std::string_view paragraph) {
  return Splitter(paragraph).split();
}

}  // namespace fathom
