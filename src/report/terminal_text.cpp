#include "report/terminal_text.h"

#include <fmt/format.h>
#include <utf8proc.h>

#include <algorithm>
#include <iterator>

#include "text/utf8.h"

namespace fathom {
namespace {

bool is_control(char32_t character) {
  return character < 0x20 || (character >= 0x7F && character < 0xA0);
}

// Line separators and the marks that turn the direction of text around.
bool moves_text(char32_t character) {
  return character == 0x061C || character == 0x200E || character == 0x200F ||
         (character >= 0x2028 && character <= 0x202E) ||
         (character >= 0x2066 && character <= 0x2069) || character == 0xFEFF;
}

struct AsciiSign {
  char32_t sign;
  const char* ascii;
};
constexpr AsciiSign kAsciiSigns[] = {
    {U'─', "-"},  {U'–', "-"},  {U'—', "-"},      {U'−', "-"},      {U'…', "~"},  {U'·', "."},
    {U'×', "x"},  {U'≤', "<="}, {U'≥', ">="},     {U'±', "+-"},     {U'→', "->"}, {U'“', "\""},
    {U'”', "\""}, {U'’', "'"},  {U'\u00a0', " "}, {U'\u202f', " "}, {U'▁', "_"},  {U'▂', ","},
    {U'▃', "-"},  {U'▄', "~"},  {U'▅', "="},      {U'▆', "+"},      {U'▇', "*"},  {U'█', "#"},
    {U'✓', "+"},  {U'✗', "x"}};

size_t width_of(char32_t character) {
  return static_cast<size_t>(std::max(0, utf8proc_charwidth(static_cast<int32_t>(character))));
}

}  // namespace

std::string terminal_safe(std::string_view text) {
  const std::string valid = repair_utf8(text);
  std::string out;
  out.reserve(valid.size());
  for (size_t at = 0; at < valid.size();) {
    const size_t start = at;
    const char32_t character = next_utf8(valid, at);
    if (character == '\t' || character == '\n') {
      out += ' ';
    } else if (is_control(character)) {
      fmt::format_to(std::back_inserter(out), "\\x{:02x}", static_cast<uint32_t>(character));
    } else if (moves_text(character)) {
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<uint32_t>(character));
    } else {
      out.append(valid, start, at - start);
    }
  }
  return out;
}

std::string as_ascii(std::string_view text) {
  const std::string valid = repair_utf8(text);
  std::string out;
  out.reserve(valid.size());
  for (size_t at = 0; at < valid.size();) {
    const char32_t character = next_utf8(valid, at);
    if (character < 0x80) {
      out += static_cast<char>(character);
      continue;
    }
    const auto* const known =
        std::find_if(std::begin(kAsciiSigns), std::end(kAsciiSigns),
                     [&](const AsciiSign& each) { return each.sign == character; });
    if (known != std::end(kAsciiSigns)) {
      out += known->ascii;
    } else {
      out.append(width_of(character), '?');
    }
  }
  return out;
}

size_t display_width(std::string_view text) {
  const std::string valid = repair_utf8(text);
  size_t width = 0;
  for (size_t at = 0; at < valid.size();) width += width_of(next_utf8(valid, at));
  return width;
}

std::string cut_to_width(std::string_view text, size_t columns) {
  if (display_width(text) <= columns) return std::string(text);
  if (columns == 0) return "";
  const std::string valid = repair_utf8(text);
  size_t width = 0;
  size_t end = 0;
  for (size_t at = 0; at < valid.size();) {
    width += width_of(next_utf8(valid, at));
    if (width > columns - 1) break;
    end = at;
  }
  return valid.substr(0, end) + "…";
}

std::string padded_left(std::string_view text, size_t columns) {
  const std::string shown = cut_to_width(text, columns);
  return shown + std::string(columns - display_width(shown), ' ');
}

std::string padded_right(std::string_view text, size_t columns) {
  const std::string shown = cut_to_width(text, columns);
  return std::string(columns - display_width(shown), ' ') + shown;
}

}  // namespace fathom
