#include "grade/set_match.h"

#include <algorithm>

#include "grade/python_text.h"

namespace fathom {
namespace {

bool is_digit(char byte) { return byte >= '0' && byte <= '9'; }

// Drops "1.", "2)", "-", "*", "•" from the start of an item.
std::string_view without_list_mark(std::string_view item) {
  size_t digits = 0;
  while (digits < item.size() && is_digit(item[digits])) ++digits;
  const bool numbered =
      digits > 0 && digits < item.size() && (item[digits] == '.' || item[digits] == ')');
  if (numbered) return python_strip(item.substr(digits + 1));
  for (const std::string_view mark : {"-", "*", "•"})
    if (item.starts_with(mark)) return python_strip(item.substr(mark.size()));
  return item;
}

std::string_view without_wrapping(std::string_view item) {
  constexpr std::string_view kWrapping = "\"'`.()[]{}*_";
  while (!item.empty() && kWrapping.find(item.front()) != std::string_view::npos)
    item.remove_prefix(1);
  while (!item.empty() && kWrapping.find(item.back()) != std::string_view::npos)
    item.remove_suffix(1);
  return python_strip(item);
}

void add_item(std::vector<std::string>& items, std::string_view text) {
  const std::string item(without_wrapping(without_list_mark(python_strip(text))));
  if (item.empty() || std::find(items.begin(), items.end(), item) != items.end()) return;
  items.push_back(item);
}

// An item that ends a list may hold the last two: "b and c".
void add_items(std::vector<std::string>& items, std::string_view text) {
  constexpr std::string_view kAnd = " and ";
  if (python_strip(text).starts_with("and ")) text = python_strip(text).substr(4);
  for (size_t at = text.find(kAnd); at != std::string_view::npos; at = text.find(kAnd)) {
    add_item(items, text.substr(0, at));
    text.remove_prefix(at + kAnd.size());
  }
  add_item(items, text);
}

std::vector<std::string> items_of(std::string_view lowered) {
  std::vector<std::string> items;
  while (!lowered.empty()) {
    const size_t end = std::min(lowered.find_first_of(",;\n"), lowered.size());
    add_items(items, lowered.substr(0, end));
    lowered.remove_prefix(std::min(end + 1, lowered.size()));
  }
  return items;
}

}  // namespace

SetMatch set_match(std::string_view answer, const std::vector<std::string>& references) {
  SetMatch match;
  match.listed = items_of(python_lower(answer));
  std::vector<std::string> wanted;
  for (const std::string& reference : references) {
    std::string item = python_lower(python_strip(reference));
    match.found.push_back(std::find(match.listed.begin(), match.listed.end(), item) !=
                          match.listed.end());
    if (std::find(wanted.begin(), wanted.end(), item) == wanted.end()) wanted.push_back(item);
  }
  const bool says_none =
      match.listed.size() == 1 && (match.listed[0] == "none" || match.listed[0] == "nothing");
  if (says_none && wanted != match.listed) match.listed.clear();
  const auto right = static_cast<double>(
      std::count_if(match.listed.begin(), match.listed.end(), [&](const std::string& item) {
        return std::find(wanted.begin(), wanted.end(), item) != wanted.end();
      }));
  if (!match.listed.empty()) match.precision = right / static_cast<double>(match.listed.size());
  if (!wanted.empty()) match.recall = right / static_cast<double>(wanted.size());
  if (right > 0) match.f1 = 2 * match.precision * match.recall / (match.precision + match.recall);
  match.exact = match.listed.size() == wanted.size() && right == static_cast<double>(wanted.size());
  return match;
}

}  // namespace fathom
