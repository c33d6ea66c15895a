#include "grade/names.h"

#include <algorithm>
#include <set>

#include "grade/whole_words.h"
#include "text/lenient_char.h"
#include "text/words.h"

namespace fathom {
namespace {

constexpr size_t kShortestContentWord = 3;  // bytes

bool is_capital(int32_t code) {
  if (code < 0x80) return code >= 'A' && code <= 'Z';
  const auto category = utf8proc_category(code);
  return category == UTF8PROC_CATEGORY_LU || category == UTF8PROC_CATEGORY_LT;
}

bool is_function_word(std::string_view word) {
  static const std::set<std::string, std::less<>> kWords = {
      "a",     "about", "after",    "all",   "also",     "an",        "and",   "answer",   "are",
      "as",    "at",    "be",       "been",  "before",   "but",       "by",    "called",   "can",
      "did",   "do",    "document", "does",  "during",   "for",       "from",  "had",      "has",
      "have",  "he",    "her",      "here",  "his",      "how",       "i",     "if",       "in",
      "is",    "it",    "its",      "known", "many",     "most",      "my",    "named",    "no",
      "not",   "of",    "on",       "one",   "or",       "our",       "she",   "since",    "so",
      "some",  "such",  "than",     "that",  "the",      "their",     "them",  "there",    "these",
      "they",  "this",  "those",    "to",    "was",      "we",        "were",  "what",     "when",
      "where", "which", "while",    "who",   "whom",     "whose",     "why",   "will",     "with",
      "would", "yes",   "you",      "your",  "question", "according", "based", "documents"};
  return kWords.contains(word);
}

// A word in lower case without a possessive end.
std::string plain(std::string_view word) {
  std::string text = lower_case(word);
  for (const std::string_view end : {"'s", "’s"})
    if (text.ends_with(end)) text.resize(text.size() - end.size());
  return text;
}

template <typename Wanted>
std::vector<std::string> distinct_words(std::string_view text, Wanted wanted) {
  std::vector<std::string> words;
  for (const ByteSpan& span : split_words(text)) {
    const std::string_view word = text.substr(span.begin, span.end - span.begin);
    if (!wanted(word)) continue;
    std::string lowered = plain(word);
    if (!is_function_word(lowered)) words.push_back(std::move(lowered));
  }
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  return words;
}

}  // namespace

bool has_capital_or_digit(std::string_view word) {
  return word.find_first_of("0123456789") != std::string_view::npos ||
         is_capital(lenient_char_at(word, 0).code);
}

std::vector<std::string> names_in(std::string_view text) {
  return distinct_words(text, has_capital_or_digit);
}

std::vector<std::string> content_words_in(std::string_view text) {
  return distinct_words(text, [](std::string_view word) {
    return word.size() >= kShortestContentWord || has_capital_or_digit(word);
  });
}

std::vector<std::string> telling_terms(std::string_view answer,
                                       const std::vector<std::string>& known) {
  std::vector<std::string> names;
  std::vector<std::string> words;
  for (const ByteSpan& span : split_words(answer)) {
    const std::string_view word = answer.substr(span.begin, span.end - span.begin);
    const std::string lowered = plain(word);
    const bool tells =
        !is_function_word(lowered) && std::find(known.begin(), known.end(), lowered) == known.end();
    if (!tells) continue;
    if (has_capital_or_digit(word)) {
      names.emplace_back(word);
    } else if (word.size() >= kShortestContentWord) {
      words.emplace_back(word);
    }
  }
  return names.empty() ? words : names;
}

size_t held_by(std::string_view text, const std::vector<std::string>& terms) {
  const std::string lowered = lower_case(text);
  return static_cast<size_t>(
      std::count_if(terms.begin(), terms.end(), [&](const std::string& term) {
        return !whole_places(lowered, plain(term), Compounds::kApart).empty();
      }));
}

}  // namespace fathom
