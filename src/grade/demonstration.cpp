// The answers of the solved examples before a task (vt, cwe).
#include <algorithm>
#include <unordered_map>

#include "grade/expectation_parts.h"
#include "grade/value_shape.h"
#include "text/words.h"

namespace fathom {
namespace {

using Counts = std::unordered_map<std::string_view, size_t>;

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for (const ByteSpan& span : split_words(text)) {
    const std::string_view word = text.substr(span.begin, span.end - span.begin);
    if (word.find_first_not_of("0123456789") != std::string_view::npos) words.push_back(word);
  }
  return words;
}

Counts count(const std::vector<std::string_view>& words) {
  Counts counts;
  for (const std::string_view word : words) ++counts[word];
  return counts;
}

std::vector<std::string> closing_words(std::string_view paragraph, const Counts& everywhere,
                                       const std::vector<std::string>& references) {
  const std::vector<std::string_view> words = words_of(paragraph);
  if (words.size() <= references.size()) return {};
  const Counts here = count(words);
  const ValueShape shape = shape_of(references);
  std::vector<std::string> items;
  for (size_t i = words.size() - references.size(); i < words.size(); ++i) {
    const bool fits = shape.kind == ShapeKind::kNone || has_shape(words[i], shape);
    if (!fits || here.at(words[i]) != 1 || everywhere.at(words[i]) < 2) return {};
    items.emplace_back(words[i]);
  }
  return items;
}

std::vector<std::string_view> paragraphs_of(std::string_view text) {
  std::vector<std::string_view> paragraphs;
  while (true) {
    const size_t end = text.find("\n\n");
    paragraphs.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return paragraphs;
    text.remove_prefix(end + 2);
  }
}

}  // namespace

std::vector<std::string> demonstrated_items(std::string_view before,
                                            const std::vector<std::string>& references) {
  std::vector<std::string> items;
  if (references.empty()) return items;
  const Counts everywhere = count(words_of(before));
  const std::vector<std::string_view> paragraphs = paragraphs_of(before);
  for (const std::string_view paragraph : paragraphs) {
    if (std::count(paragraphs.begin(), paragraphs.end(), paragraph) > 1) continue;
    for (std::string& item : closing_words(paragraph, everywhere, references))
      items.push_back(std::move(item));
  }
  return items;
}

}  // namespace fathom
