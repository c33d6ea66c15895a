// The text around the answer, the titles of other documents, and the names of all.
#include <algorithm>

#include "grade/expectation_parts.h"
#include "grade/names.h"
#include "grade/python_text.h"
#include "text/sentences.h"

namespace fathom {
namespace {

constexpr size_t kMostBytes = 600;  // of sentences kept of a gold document
constexpr size_t kLongestTitle = 80;

std::string_view text_at(std::string_view text, ByteSpan span) {
  return text.substr(span.begin, span.end - span.begin);
}

bool touches(ByteSpan a, uint64_t begin, uint64_t end) { return a.begin < end && begin < a.end; }

// The sentences with the evidence of a gold document, then the others by their distance from them.
void add_sentences(const SampleText& text, const Evidence& gold, Expectation& expectation) {
  const std::string_view document = text.text(gold.bytes);
  const std::vector<ByteSpan> sentences = split_sentences(document);
  std::vector<size_t> telling;
  for (size_t i = 0; i < sentences.size(); ++i) {
    const uint64_t begin = gold.bytes.begin + sentences[i].begin;
    const uint64_t end = gold.bytes.begin + sentences[i].end;
    const auto rests_on = [&](const Evidence& evidence) {
      const ByteSpan place = evidence.role == "support" ? evidence.bytes : evidence.answer_bytes;
      return !evidence.distractor && place.begin < place.end && touches(place, begin, end);
    };
    if (std::any_of(text.sample.evidence.begin(), text.sample.evidence.end(), rests_on))
      telling.push_back(i);
  }
  size_t bytes = 0;
  const auto add = [&](size_t i) {
    if (i >= sentences.size()) return;
    std::string sentence(text_at(document, sentences[i]));
    bytes += sentence.size();
    std::vector<std::string>& all = expectation.neighbours;
    const bool known = std::find(all.begin(), all.end(), sentence) != all.end();
    if (!known && bytes <= kMostBytes) all.push_back(std::move(sentence));
  };
  for (const size_t i : telling) add(i);
  for (size_t away = 1; away < sentences.size() && bytes < kMostBytes; ++away) {
    for (const size_t i : telling) {
      if (i >= away) add(i - away);
      add(i + away);
    }
  }
}

// A document's second line where it has three or more: number, title, text.
std::string_view title_of(std::string_view document) {
  const size_t first = document.find('\n');
  if (first == std::string_view::npos) return {};
  const size_t second = document.find('\n', first + 1);
  if (second == std::string_view::npos) return {};
  const std::string_view title = python_strip(document.substr(first + 1, second - first - 1));
  return title.size() > kLongestTitle ? std::string_view() : title;
}

void add_titles(const SampleText& text, Expectation& expectation) {
  DecoyList decoys(text.sample, expectation);
  const std::string question = python_lower(text.sample.question);
  std::string_view rest = text.context;
  for (size_t number = 1; !rest.empty(); ++number) {
    const size_t end = std::min(rest.find("\n\n"), rest.size());
    const std::string_view document = rest.substr(0, end);
    const auto begin = static_cast<uint64_t>(document.data() - text.full.data());
    rest.remove_prefix(std::min(end + 2, rest.size()));
    const bool is_gold = std::any_of(
        text.sample.evidence.begin(), text.sample.evidence.end(), [&](const Evidence& evidence) {
          return touches(evidence.bytes, begin, begin + document.size());
        });
    const std::string_view title = title_of(document);
    if (is_gold || title.empty() || question.find(python_lower(title)) != std::string::npos)
      continue;
    if (!decoys.add({std::string(title), DecoyKind::kTitle, std::to_string(number)})) return;
  }
}

}  // namespace

void expect_documents(const SampleText& text, Expectation& expectation) {
  for (const Evidence& evidence : text.sample.evidence)
    if (evidence.role == "gold document") add_sentences(text, evidence, expectation);
  add_titles(text, expectation);
  expectation.keys = content_words_in(text.sample.question);
  const std::vector<std::string> words = content_words_in(text.context);
  expectation.every_word = words.size() <= TextFilter::kMostEntries;
  expectation.text = TextFilter::of(expectation.every_word ? words : names_in(text.context));
}

}  // namespace fathom
