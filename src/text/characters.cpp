#include "text/characters.h"

#include <utf8proc.h>

#include "text/utf8.h"

namespace fathom {
namespace {

utf8proc_category_t category(char32_t character) {
  return utf8proc_category(static_cast<utf8proc_int32_t>(character));
}

bool within(char32_t character, char32_t first, char32_t last) {
  return character >= first && character <= last;
}

}  // namespace

bool is_white_space(char32_t character) {
  if (character < 0x80) return character == ' ' || within(character, '\t', '\r');
  return character == 0x85 || character == 0xA0 || character == 0x1680 ||
         within(character, 0x2000, 0x200A) || within(character, 0x2028, 0x2029) ||
         character == 0x202F || character == 0x205F || character == 0x3000;
}

bool is_letter(char32_t character) {
  const auto kind = category(character);
  return kind >= UTF8PROC_CATEGORY_LU && kind <= UTF8PROC_CATEGORY_LO;
}

bool is_number(char32_t character) {
  const auto kind = category(character);
  return kind >= UTF8PROC_CATEGORY_ND && kind <= UTF8PROC_CATEGORY_NO;
}

bool is_mark(char32_t character) {
  const auto kind = category(character);
  return kind >= UTF8PROC_CATEGORY_MN && kind <= UTF8PROC_CATEGORY_ME;
}

bool is_nonspacing_mark(char32_t character) { return category(character) == UTF8PROC_CATEGORY_MN; }

bool is_punctuation(char32_t character) {
  const auto kind = category(character);
  return kind >= UTF8PROC_CATEGORY_PC && kind <= UTF8PROC_CATEGORY_PO;
}

bool is_ascii_punctuation(char32_t character) {
  return within(character, '!', '/') || within(character, ':', '@') ||
         within(character, '[', '`') || within(character, '{', '~');
}

bool is_other(char32_t character) {
  const auto kind = category(character);
  return kind >= UTF8PROC_CATEGORY_CC && kind <= UTF8PROC_CATEGORY_CO;
}

bool is_word_character(char32_t character) {
  const auto kind = category(character);
  if (is_letter(character) || is_mark(character) || kind == UTF8PROC_CATEGORY_ND ||
      kind == UTF8PROC_CATEGORY_NL || kind == UTF8PROC_CATEGORY_PC) {
    return true;
  }
  // Joiners, and the circled and squared letters that are alphabetic though they are symbols.
  return within(character, 0x200C, 0x200D) || within(character, 0x24B6, 0x24E9) ||
         within(character, 0x1F130, 0x1F149) || within(character, 0x1F150, 0x1F169) ||
         within(character, 0x1F170, 0x1F189);
}

bool is_cjk_ideograph(char32_t character) {
  return within(character, 0x4E00, 0x9FFF) || within(character, 0x3400, 0x4DBF) ||
         within(character, 0x20000, 0x2A6DF) || within(character, 0x2A700, 0x2B73F) ||
         within(character, 0x2B740, 0x2B81F) || within(character, 0x2B920, 0x2CEAF) ||
         within(character, 0xF900, 0xFAFF) || within(character, 0x2F800, 0x2FA1F);
}

void append_lower_case(std::string& out, char32_t character) {
  if (character ==
      0x130) {  // the one character whose lower case is two characters: i and a combining dot
    out += "i\xCC\x87";
    return;
  }
  append_utf8(out,
              static_cast<char32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(character))));
}

}  // namespace fathom
