#include "grade/listed_items.h"

#include <algorithm>
#include <array>

#include "grade/python_text.h"
#include "text/words.h"

namespace fathom {
namespace {

bool is_digit(char byte) { return byte >= '0' && byte <= '9'; }
bool is_blank(char byte) { return byte == ' ' || byte == '\t' || byte == '\n'; }

std::string_view without_wrapping(std::string_view item) {
  constexpr std::string_view kWrapping = " \t\n\"'`.,;:!()[]{}*_";
  const size_t first = item.find_first_not_of(kWrapping);
  if (first == std::string_view::npos) return {};
  return item.substr(first, item.find_last_not_of(kWrapping) - first + 1);
}

// Before what is only said of the item: "apple (30 times)", "apple - a fruit", "apple: a fruit".
std::string_view head_of(std::string_view item) {
  constexpr std::array<std::string_view, 7> kEnds = {":", " -", " –", " —", "(", ". ", "\n"};
  for (const std::string_view end : kEnds) {
    const size_t at = item.find(end, 1);
    if (at != std::string_view::npos) item = item.substr(0, at);
  }
  return item;
}

size_t count_words(std::string_view text) { return split_words(text).size(); }

// The next line from `at` on that is not blank, which moves behind it; empty at the end.
std::string_view next_line(std::string_view text, size_t& at) {
  while (at < text.size()) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = python_strip(text.substr(at, end - at));
    at = std::min(end + 1, text.size());
    if (!line.empty()) return line;
  }
  return {};
}

std::string_view bullet_of(std::string_view line) {
  for (const std::string_view mark : {"- ", "* ", "• ", "– "})
    if (line.starts_with(mark)) return mark;
  return {};
}

struct ListMark {
  size_t begin = 0;
  size_t end = 0;  // behind the point or bracket
  uint64_t number = 0;
};

// "12." or "12)" at the start of a word, before a blank.
bool mark_at(std::string_view text, size_t at, ListMark& mark) {
  constexpr size_t kMostDigits = 4;
  if (at > 0 && !is_blank(text[at - 1])) return false;
  size_t end = at;
  uint64_t number = 0;
  while (end < text.size() && end - at < kMostDigits && is_digit(text[end]))
    number = number * 10 + static_cast<uint64_t>(text[end++] - '0');
  if (end == at || end >= text.size() || (text[end] != '.' && text[end] != ')')) return false;
  if (end + 1 < text.size() && !is_blank(text[end + 1])) return false;
  mark = {at, end + 1, number};
  return true;
}

// Consecutive numbers, from the first mark on.
std::vector<ListMark> marks_in(std::string_view text) {
  std::vector<ListMark> marks;
  for (size_t at = 0; at < text.size(); ++at) {
    ListMark mark;
    if (!is_digit(text[at]) || !mark_at(text, at, mark)) continue;
    if (marks.empty() || mark.number == marks.back().number + 1) marks.push_back(mark);
    at = mark.end - 1;
  }
  return marks;
}

class ListReader {
 public:
  ListReader(std::string_view lowered, size_t most_words)
      : text_(lowered), most_words_(most_words) {}

  ListedItems read() {
    size_t at = 0;
    std::string_view line = next_line(text_, at);
    while (line.ends_with(':')) line = next_line(text_, at);
    if (line.empty()) return {};
    first_ = static_cast<size_t>(line.data() - text_.data());
    if (!bullet_of(line).empty()) return bulleted();
    if (numbered(line)) return std::move(list_);
    if (commas(line)) return std::move(list_);
    if (lines()) return std::move(list_);
    if (spaces(line)) return std::move(list_);
    return {};
  }

 private:
  bool add(std::string_view item) {
    item = without_wrapping(item);
    if (item.empty() || count_words(item) > most_words_) return false;
    list_.items.emplace_back(item);
    return true;
  }

  ListedItems bulleted() {
    list_.form = ListForm::kBulleted;
    for (size_t at = first_; at < text_.size();) {
      const std::string_view line = next_line(text_, at);
      const std::string_view bullet = bullet_of(line);
      if (bullet.empty()) break;
      add(head_of(line.substr(bullet.size())));
    }
    return std::move(list_);
  }

  bool numbered(std::string_view line) {
    const std::vector<ListMark> marks = marks_in(text_.substr(first_));
    if (marks.empty() || marks.front().begin >= line.size()) return false;
    if (marks.size() == 1 && marks.front().begin > 0) return false;
    for (size_t i = 0; i < marks.size(); ++i) {
      const size_t begin = first_ + marks[i].end;
      const size_t end = i + 1 < marks.size() ? first_ + marks[i + 1].begin : text_.size();
      std::string_view item = text_.substr(begin, end - begin);
      item = python_strip(item);
      add(head_of(item));
    }
    list_.form = ListForm::kNumbered;
    return !list_.items.empty();
  }

  bool commas(std::string_view line) {
    constexpr std::string_view kAnd = " and ";
    if (const size_t colon = line.rfind(": "); colon != std::string_view::npos)
      line.remove_prefix(colon + 2);
    if (const size_t stop = line.find(". "); stop != std::string_view::npos)
      line = line.substr(0, stop);
    if (line.find_first_of(",;") == std::string_view::npos) return false;
    bool short_ones = true;
    while (!line.empty()) {
      const size_t end = std::min(line.find_first_of(",;"), line.size());
      std::string_view part = python_strip(line.substr(0, end));
      if (part.starts_with("and ")) part.remove_prefix(4);
      for (size_t both = part.find(kAnd); both != std::string_view::npos; both = part.find(kAnd)) {
        short_ones = add(part.substr(0, both)) && short_ones;
        part.remove_prefix(both + kAnd.size());
      }
      if (!part.empty()) short_ones = add(part) && short_ones;
      line.remove_prefix(std::min(end + 1, line.size()));
    }
    return finish(ListForm::kCommas, short_ones);
  }

  bool lines() {
    for (size_t at = first_; at < text_.size();)
      if (!add(next_line(text_, at))) break;
    return finish(ListForm::kLines, true);
  }

  bool spaces(std::string_view line) {
    if (const size_t colon = line.rfind(": "); colon != std::string_view::npos)
      line.remove_prefix(colon + 2);
    bool words_only = true;
    for (const ByteSpan& span : split_words(line)) {
      const std::string_view word = line.substr(span.begin, span.end - span.begin);
      constexpr std::array<std::string_view, 14> kProse = {"the", "a",    "an", "is",   "are",
                                                           "of",  "in",   "to", "that", "it",
                                                           "was", "were", "i",  "this"};
      words_only = words_only && std::find(kProse.begin(), kProse.end(), word) == kProse.end();
      if (word != "and") add(word);
    }
    return finish(ListForm::kSpaces, words_only);
  }

  bool finish(ListForm form, bool is_list) {
    if (is_list && list_.items.size() >= 2) {
      list_.form = form;
      return true;
    }
    list_.items.clear();
    return false;
  }

  std::string_view text_;
  size_t most_words_;
  size_t first_ = 0;
  ListedItems list_;
};

}  // namespace

ListedItems listed_items(std::string_view lowered, size_t most_words) {
  return ListReader(lowered, most_words).read();
}

}  // namespace fathom
