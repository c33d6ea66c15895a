#include "grade/whole_words.h"

#include <cstring>

#include "text/characters.h"
#include "text/lenient_char.h"
#include "text/words.h"

namespace fathom {
namespace {

bool is_digit(char byte) { return byte >= '0' && byte <= '9'; }

bool is_word(int32_t code) {
  if (code < 0x80)
    return (code >= '0' && code <= '9') || ((code | 32) >= 'a' && (code | 32) <= 'z');
  const auto character = static_cast<char32_t>(code);
  return is_letter(character) || is_mark(character) || is_number(character);
}

bool is_hangul(int32_t code) {
  return (code >= 0x1100 && code <= 0x11FF) || (code >= 0xAC00 && code <= 0xD7FF);
}

// A letter that may touch another word.
bool is_free(int32_t code) {
  return code >= 0x80 && (is_hangul(code) || writes_without_spaces(static_cast<char32_t>(code)));
}

int32_t code_at(std::string_view text, size_t at) { return lenient_char_at(text, at).code; }

// The character that ends right before `end`, and where it begins. Requires: end > 0.
int32_t code_before(std::string_view text, size_t end, size_t& begin) {
  begin = end - 1;
  for (int i = 0; i < 3 && begin > 0; ++i) {
    if ((static_cast<unsigned char>(text[begin]) & 0xC0) != 0x80) break;
    --begin;
  }
  const LenientChar found = lenient_char_at(text, begin);
  if (begin + found.size == end) return found.code;
  begin = end - 1;
  return -1;
}

bool joins_words(int32_t code, Compounds compounds) {
  if (code == '_' || code == '\'' || code == 0x2019) return true;
  return compounds == Compounds::kOneWord && (code == '-' || code == 0x2010 || code == 0x2011);
}

bool three_digits_alone(std::string_view text, size_t at) {
  for (size_t i = 0; i < 3; ++i)
    if (at + i >= text.size() || !is_digit(text[at + i])) return false;
  return at + 3 >= text.size() || !is_digit(text[at + 3]);
}

// Digits of `text` from `at` on, up to four.
size_t leading_digits(std::string_view text, size_t at, size_t end) {
  size_t count = 0;
  while (count < 4 && at + count < end && is_digit(text[at + count])) ++count;
  return count;
}

bool number_goes_on_left(std::string_view text, size_t begin, size_t end) {
  if (begin < 2 || !is_digit(text[begin]) || !is_digit(text[begin - 2])) return false;
  if (text[begin - 1] == '.') return true;
  return text[begin - 1] == ',' && leading_digits(text, begin, end) == 3;
}

bool number_goes_on_right(std::string_view text, size_t end) {
  if (end + 1 >= text.size() || !is_digit(text[end - 1]) || !is_digit(text[end + 1])) return false;
  if (text[end] == '.') return true;
  return text[end] == ',' && three_digits_alone(text, end + 1);
}

// "dog's": the word is "dog".
bool is_possessive(std::string_view text, size_t letter) {
  if (letter >= text.size() || (text[letter] | 32) != 's') return false;
  return letter + 1 >= text.size() || !is_word(code_at(text, letter + 1));
}

bool bounded_left(std::string_view text, size_t begin, size_t end, Compounds compounds) {
  const int32_t own = code_at(text, begin);
  if (begin == 0 || !is_word(own)) return true;
  size_t before = 0;
  const int32_t code = code_before(text, begin, before);
  if (is_word(code)) return is_free(code) || is_free(own);
  if (number_goes_on_left(text, begin, end)) return false;
  const bool elided =
      compounds == Compounds::kApart && (code == '\'' || code == 0x2019);  // l'Italie
  if (elided || !joins_words(code, compounds) || before == 0) return true;
  size_t ignored = 0;
  return !is_word(code_before(text, before, ignored));
}

bool bounded_right(std::string_view text, size_t end, Compounds compounds) {
  size_t ignored = 0;
  const int32_t own = code_before(text, end, ignored);
  if (end == text.size() || !is_word(own)) return true;
  const LenientChar after = lenient_char_at(text, end);
  if (is_word(after.code)) {
    if (is_mark(static_cast<char32_t>(after.code))) return false;
    return is_free(after.code) || is_free(own);
  }
  if (number_goes_on_right(text, end)) return false;
  if (!joins_words(after.code, compounds)) return true;
  const size_t next = end + after.size;
  if (next >= text.size() || !is_word(code_at(text, next))) return true;
  const bool apostrophe = after.code == '\'' || after.code == 0x2019;
  return apostrophe && is_possessive(text, next);
}

}  // namespace

bool stands_in(std::string_view text, std::string_view part) {
  return ::memmem(text.data(), text.size(), part.data(), part.size()) != nullptr;
}

bool stands_whole(std::string_view text, size_t begin, size_t end, Compounds compounds) {
  return bounded_left(text, begin, end, compounds) && bounded_right(text, end, compounds);
}

std::vector<ByteSpan> whole_places(std::string_view text, std::string_view phrase,
                                   Compounds compounds) {
  std::vector<ByteSpan> places;
  if (phrase.empty()) return places;
  size_t from = 0;
  while (from + phrase.size() <= text.size()) {
    const void* found =
        ::memmem(text.data() + from, text.size() - from, phrase.data(), phrase.size());
    if (found == nullptr) break;
    const auto begin = static_cast<size_t>(static_cast<const char*>(found) - text.data());
    if (stands_whole(text, begin, begin + phrase.size(), compounds))
      places.push_back({begin, begin + phrase.size()});
    from = begin + 1;
  }
  return places;
}

}  // namespace fathom
