#include "report/inked_lines.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/terminal_text.h"

namespace fathom {
namespace {

int code_of(LineInk ink) {
  switch (ink) {
    case LineInk::kGood:
      return 32;
    case LineInk::kOpen:
      return 33;
    case LineInk::kBad:
      return 31;
    case LineInk::kFaint:
      return 2;
    case LineInk::kStrong:
      return 1;
    case LineInk::kNone:
      return 0;
  }
  return 0;
}

}  // namespace

void InkedLines::add(const std::string& text, LineInk ink) {
  const bool plain = !colour_ || ink == LineInk::kNone || text.empty();
  out_ += plain ? text : fmt::format("\x1b[{}m{}\x1b[0m", code_of(ink), text);
}

void InkedLines::end_line() {
  while (!out_.empty() && out_.back() == ' ') out_.pop_back();
  out_ += '\n';
}

void InkedLines::paragraph(const std::string& text, size_t width, LineInk ink, size_t indent) {
  const size_t room = std::max<size_t>(width, indent + 10) - indent;
  const size_t lead = std::min({text.find_first_not_of(' '), text.size(), indent});
  bool first = true;
  for (const std::string& line : broken_at_width(terminal_safe(text.substr(lead)), room)) {
    add(std::string(first ? lead : indent, ' '));
    add(line, ink);
    end_line();
    first = false;
  }
}

std::vector<std::string> broken_at_width(const std::string& text, size_t width) {
  std::vector<std::string> lines;
  std::string line;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find(' ', at), text.size());
    const std::string word = cut_to_width(text.substr(at, end - at), width);
    if (!line.empty() && display_width(line) + 1 + display_width(word) > width) {
      lines.push_back(std::move(line));
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
    at = end + 1;
  }
  if (!line.empty()) lines.push_back(std::move(line));
  return lines;
}

}  // namespace fathom
