#include "grade/phrases.h"

#include <algorithm>
#include <string>
#include <unordered_map>

#include "text/words.h"

namespace fathom {
namespace {

struct Pattern {
  PhraseKind kind;
  const char* text;  // words; alternatives are separated by |
};

#define FATHOM_FINDING "find|locate|see|identify|determine|answer|provide|tell|detect"
#define FATHOM_TEXT                                                                      \
  "text|texts|passage|document|documents|context|list|article|articles|paragraph|story|" \
  "excerpt|information|prompt|content|source|author"
#define FATHOM_HOLDING \
  "mention|contain|provide|include|specify|say|state|give|have|hold|list|reveal|tell|indicate"
#define FATHOM_HELD                                                                          \
  "mentioned|provided|given|specified|stated|found|present|included|listed|available|known|" \
  "defined|indicated|clear|disclosed"

constexpr Pattern kPatterns[] = {
    {PhraseKind::kDenial, "i|we cannot|can't|couldn't " FATHOM_FINDING},
    {PhraseKind::kDenial, "i|we can|could not " FATHOM_FINDING},
    {PhraseKind::kDenial, "i|we did|do not find|see|know|have|remember|recall"},
    {PhraseKind::kDenial, "i|we didn't|don't find|see|know|have|remember|recall"},
    {PhraseKind::kDenial, "i am|was unable|sorry"},
    {PhraseKind::kDenial, "i'm|we're sorry|unable"},
    {PhraseKind::kDenial, "unable|impossible to " FATHOM_FINDING},
    {PhraseKind::kDenial, "not able|possible to " FATHOM_FINDING},
    {PhraseKind::kDenial, FATHOM_TEXT " does|do|did not " FATHOM_HOLDING},
    {PhraseKind::kDenial, FATHOM_TEXT " doesn't|don't|didn't " FATHOM_HOLDING},
    {PhraseKind::kDenial, "is|are|was|were not " FATHOM_HELD},
    {PhraseKind::kDenial, "isn't|aren't|wasn't|weren't " FATHOM_HELD},
    {PhraseKind::kDenial, "not mentioned|provided|specified|stated|found|given|listed in|anywhere"},
    {PhraseKind::kDenial, "cannot|can't be determined|found|answered|identified|known"},
    {PhraseKind::kDenial, "can|could not be determined|found|answered|identified|known"},
    {PhraseKind::kDenial,
     "there is|are|was|were|exists no such|special|magic|mention|information|number|numbers|uuid|"
     "uuids|value|values|variable|variables|answer|answers|word|words|specific|common|reference|"
     "evidence|document|way|record|indication"},
    {PhraseKind::kDenial, "there isn't|aren't|wasn't|weren't any|a|an"},
    {PhraseKind::kDenial, "there is|are|was|were not any|a|an|enough"},
    {PhraseKind::kDenial, "no such"},
    {PhraseKind::kDenial, "no mention|information|evidence|answer of|about|on|for|is|was"},
    {PhraseKind::kDenial, "does|do not exist"},
    {PhraseKind::kDenial, "does|do not appear|occur in"},
    {PhraseKind::kDenial, "doesn't|don't exist"},
    {PhraseKind::kDenial, "doesn't|don't appear|occur in"},
    {PhraseKind::kDenial, "insufficient information"},
    {PhraseKind::kDenial, "not enough information"},
    {PhraseKind::kPlanted, "out of place|context"},
    {PhraseKind::kPlanted, "does|do not|seem to belong|fit"},
    {PhraseKind::kPlanted, "doesn't|don't belong|fit"},
    {PhraseKind::kPlanted, "does|do not belong|fit"},
    {PhraseKind::kPlanted, "unrelated|irrelevant to the"},
    {PhraseKind::kPlanted, "was|were|been|be|is inserted|planted|slipped"},
    {PhraseKind::kPlanted, "inserted|planted as|to|into|in|here|there|by"},
    {PhraseKind::kPlanted, "seems|appears|looks to be a|an test|joke|trick|insertion|injection"},
    {PhraseKind::kPlanted, "seems|appears|looks like a|an test|joke|trick|insertion|injection"},
    {PhraseKind::kPlanted, "needle in a|the haystack"},
    {PhraseKind::kPlanted, "prompt injection"},
    {PhraseKind::kPlanted, "this|it is|was a|an test|trick|joke"},
    {PhraseKind::kPlanted, "paying attention"},
    {PhraseKind::kPlanted, "random|stray|odd|strange sentence|statement|fact|line"},
    {PhraseKind::kPlanted, "not part of the"},
    {PhraseKind::kPlanted, "to test|check me|my|if|whether"},
    {PhraseKind::kDoubt, "i am|was not sure|certain"},
    {PhraseKind::kDoubt, "i'm|i am unsure|uncertain|guessing"},
    {PhraseKind::kDoubt, "i'm not sure|certain"},
    {PhraseKind::kDoubt, "not sure|certain"},
    {PhraseKind::kDoubt, "i guess|suppose|suspect|assume"},
    {PhraseKind::kDoubt, "my|best|a guess"},
    {PhraseKind::kDoubt, "hard|difficult|impossible to say|tell"},
    {PhraseKind::kDoubt, "if i had to guess"},
    {PhraseKind::kDoubt, "it is|seems possible|likely|unclear"},
    {PhraseKind::kDoubt, "it's possible|likely|unclear"},
    {PhraseKind::kMaybe, "maybe|perhaps|possibly|probably|presumably|allegedly"},
    {PhraseKind::kModal, "might|may|could be"},
    {PhraseKind::kModal, "could|might have been"},
};

#undef FATHOM_FINDING
#undef FATHOM_TEXT
#undef FATHOM_HOLDING
#undef FATHOM_HELD

// A phrase as lists of alternatives, word by word.
struct Phrase {
  PhraseKind kind;
  std::vector<std::vector<std::string_view>> words;
};

std::vector<std::string_view> parts_of(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

class PhraseTable {
 public:
  PhraseTable() {
    for (const Pattern& pattern : kPatterns) {
      Phrase phrase{pattern.kind, {}};
      for (const std::string_view word : parts_of(pattern.text, ' '))
        phrase.words.push_back(parts_of(word, '|'));
      for (const std::string_view first : phrase.words.front())
        by_first_[first].push_back(phrases_.size());
      phrases_.push_back(std::move(phrase));
    }
  }
  // Those that may start with this word.
  template <typename With>
  void each_starting(std::string_view word, With with) const {
    const auto found = by_first_.find(word);
    if (found == by_first_.end()) return;
    for (const size_t phrase : found->second) with(phrases_[phrase]);
  }

 private:
  std::vector<Phrase> phrases_;
  std::unordered_map<std::string_view, std::vector<size_t>> by_first_;
};

const PhraseTable& phrase_table() {
  static const PhraseTable table;
  return table;
}

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool lends_weight(std::string_view word) {
  return is_one_of(
      word, {"explicitly", "actually", "directly", "specifically", "really", "currently", "also",
             "simply", "clearly", "anywhere", "entirely", "to", "quite", "very", "a", "the"});
}

class Words {
 public:
  Words(std::string_view lowered, const std::vector<AnswerWord>& words)
      : lowered_(lowered), words_(words) {}

  // With a straight apostrophe.
  [[nodiscard]] std::string_view at(size_t word) {
    const ByteSpan bytes = words_[word].bytes;
    const std::string_view text = lowered_.substr(bytes.begin, bytes.end - bytes.begin);
    if (text.find(kCurved[0]) == std::string_view::npos) return text;
    const size_t curved = text.find(kCurved);
    if (curved == std::string_view::npos) return text;
    straight_ = text;
    straight_.replace(curved, 3, "'");
    return straight_;
  }
  [[nodiscard]] size_t size() const { return words_.size(); }
  [[nodiscard]] bool same_sentence(size_t a, size_t b) const {
    return words_[a].sentence == words_[b].sentence;
  }

 private:
  std::string_view lowered_;
  const std::vector<AnswerWord>& words_;
  static constexpr std::string_view kCurved = "\xE2\x80\x99";
  std::string straight_;
};

// The last word of the phrase that starts at `first`; the number of words where it does not.
size_t end_of(const Phrase& phrase, Words& words, size_t first) {
  constexpr size_t kMostSkipped = 2;
  size_t at = first;
  for (size_t i = 1; i < phrase.words.size(); ++i) {
    size_t skipped = 0;
    for (++at;; ++at) {
      if (at >= words.size() || !words.same_sentence(first, at)) return words.size();
      const std::string_view word = words.at(at);
      const auto& wanted = phrase.words[i];
      if (std::find(wanted.begin(), wanted.end(), word) != wanted.end()) break;
      if (++skipped > kMostSkipped || !lends_weight(word)) return words.size();
    }
  }
  return at;
}

// "I cannot find any other number" denies nothing that was asked for.
bool speaks_of_others(Words& words, size_t last) {
  constexpr size_t kReach = 3;
  for (size_t at = last + 1; at < words.size() && at <= last + kReach; ++at) {
    if (!words.same_sentence(last, at)) return false;
    if (is_one_of(words.at(at), {"other", "others", "another", "else", "elsewhere", "more",
                                 "further", "additional"}))
      return true;
  }
  return false;
}

bool ends_sentence(std::string_view text, size_t begin, size_t end) {
  for (size_t at = begin; at < end; ++at) {
    const char byte = text[at];
    if (byte == '\n') return true;
    const bool stop = byte == '.' || byte == '!' || byte == '?';
    if (stop && (at + 1 >= end || text[at + 1] == ' ' || text[at + 1] == '\n' ||
                 text[at + 1] == '"' || text[at + 1] == ')'))
      return at + 1 < end;
    if (text.substr(at, 3) == "。" || text.substr(at, 3) == "！" || text.substr(at, 3) == "？")
      return true;
  }
  return false;
}

}  // namespace

std::vector<AnswerWord> answer_words(std::string_view lowered) {
  std::vector<AnswerWord> words;
  uint32_t sentence = 0;
  uint64_t before = 0;
  for (const ByteSpan& span : split_words(lowered)) {
    if (!words.empty() && ends_sentence(lowered, before, span.begin)) ++sentence;
    words.push_back({span, sentence});
    before = span.end;
  }
  return words;
}

std::vector<PhrasePlace> phrases_in(std::string_view lowered,
                                    const std::vector<AnswerWord>& answer) {
  std::vector<PhrasePlace> places;
  Words words(lowered, answer);
  for (size_t first = 0; first < answer.size(); ++first) {
    phrase_table().each_starting(words.at(first), [&](const Phrase& phrase) {
      const size_t last = end_of(phrase, words, first);
      if (last == words.size()) return;
      if (phrase.kind == PhraseKind::kDenial && speaks_of_others(words, last)) return;
      places.push_back({phrase.kind, first, last});
    });
  }
  return places;
}

bool is_negated(std::string_view lowered, const std::vector<AnswerWord>& answer, size_t word) {
  if (word >= answer.size()) return false;  // a place behind the last word
  constexpr size_t kReach = 4;
  Words words(lowered, answer);
  for (size_t back = 1; back <= kReach && back <= word; ++back) {
    const size_t at = word - back;
    if (!words.same_sentence(at, word)) return false;
    const std::string_view text = words.at(at);
    if (is_one_of(text, {"not", "isn't", "wasn't", "aren't", "weren't", "never", "neither", "nor",
                         "without", "except", "excluding"}))
      return true;
    const bool two = at > 0 && words.same_sentence(at - 1, at);
    if (two && text == "than" && is_one_of(words.at(at - 1), {"rather", "other"})) return true;
    if (two && text == "of" && words.at(at - 1) == "instead") return true;
    if (!is_one_of(text, {"the", "a", "an", "number", "numbers", "word", "uuid", "value",
                          "variable", "var", "be", "called", "equal", "to"}))
      return false;
  }
  return false;
}

}  // namespace fathom
