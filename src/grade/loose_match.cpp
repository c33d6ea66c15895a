#include "grade/loose_match.h"

#include <cstring>

#include "grade/whole_words.h"
#include "text/characters.h"
#include "text/normal_forms.h"
#include "text/utf8.h"

namespace fathom {
namespace {

constexpr size_t kLeastLetters = 3;

void append_letters(std::string_view text, std::string& letters) {
  for (size_t at = 0; at < text.size();) {
    const char32_t character = next_utf8(text, at);
    if (is_letter(character) || is_number(character)) append_lower_case(letters, character);
  }
}

// Letters and digits of one character.
std::string letters_of(std::string_view character) {
  std::string letters;
  append_letters(normalize(NormalForm::kNfkd, character), letters);
  return letters;
}

bool is_blank(char byte) { return byte == ' ' || byte == '\t'; }
bool is_mark_up(char byte) { return byte == '*' || byte == '_' || byte == '`' || byte == '\\'; }

// Whether the signs inside `piece` may stand inside one answer: no new line, no end of a clause
// that the reference does not have, and in a number one sign at a time ("1,234,567").
bool is_one_piece(std::string_view piece, std::string_view reference, bool is_numeric) {
  if (piece.find('\n') != std::string_view::npos) return false;
  size_t signs = 0;
  for (size_t at = 0; at < piece.size();) {
    const char first = piece[at];
    const char32_t character = next_utf8(piece, at);
    const bool clause_end = character < 0x80 && std::strchr(",;:.!?", first) != nullptr;
    const bool ends_clause = clause_end && at < piece.size() && is_blank(piece[at]);
    if (ends_clause && reference.find(first) == std::string_view::npos) return false;
    if (is_number(character)) {
      signs = 0;
    } else if (!is_mark_up(first) && ++signs > 1 && is_numeric) {
      return false;
    }
  }
  return true;
}

bool is_number_text(std::string_view text) {
  return text.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace

LooseText::LooseText(std::string_view text)
    : text_(is_valid_utf8(text) ? std::string(text) : repair_utf8(text)) {
  letters_.reserve(text_.size());
  places_.reserve(text_.size());
  for (size_t at = 0; at < text_.size();) {
    const size_t begin = at;
    const auto byte = static_cast<unsigned char>(text_[at]);
    const size_t before = letters_.size();
    if (byte < 0x80) {
      ++at;
      const unsigned char lowered = byte | 0x20;
      const bool digit = byte >= '0' && byte <= '9';
      if (digit) letters_ += static_cast<char>(byte);
      if (lowered >= 'a' && lowered <= 'z') letters_ += static_cast<char>(lowered);
    } else {
      at += utf8_size(text_[at]);
      letters_ += letters_of(std::string_view(text_).substr(begin, at - begin));
    }
    for (size_t i = before; i < letters_.size(); ++i) places_.push_back({begin, at});
  }
}

std::string LooseText::piece_like(std::string_view reference) const {
  const LooseText wanted(reference);
  const std::string& letters = wanted.letters_;
  if (letters.size() < kLeastLetters) return {};
  for (size_t from = 0; from + letters.size() <= letters_.size();) {
    const void* found =
        ::memmem(letters_.data() + from, letters_.size() - from, letters.data(), letters.size());
    if (found == nullptr) break;
    const auto at = static_cast<size_t>(static_cast<const char*>(found) - letters_.data());
    const size_t begin = places_[at].begin;
    const size_t end = places_[at + letters.size() - 1].end;
    const std::string_view piece = std::string_view(text_).substr(begin, end - begin);
    if (stands_whole(text_, begin, end, Compounds::kApart) &&
        is_one_piece(piece, reference, is_number_text(reference)))
      return std::string(piece);
    from = at + 1;
  }
  return {};
}

}  // namespace fathom
