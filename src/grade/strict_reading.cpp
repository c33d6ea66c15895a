#include "grade/strict_reading.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "grade/python_text.h"
#include "grade/value_shape.h"
#include "grade/whole_words.h"

namespace fathom {
namespace {

constexpr size_t kLeastNeighbour = 24;  // bytes; shorter sentences stand everywhere
constexpr size_t kLeastOpening = 24;
constexpr size_t kModalReach = 6;  // words from "might be" to what it speaks of

std::string_view text_at(std::string_view text, ByteSpan span) {
  return text.substr(span.begin, span.end - span.begin);
}

// Number of the first word that ends behind `byte`.
size_t word_at(const std::vector<AnswerWord>& words, uint64_t byte) {
  const auto found = std::partition_point(
      words.begin(), words.end(), [&](const AnswerWord& word) { return word.bytes.end <= byte; });
  return static_cast<size_t>(found - words.begin());
}

// White space as single spaces.
std::string squeezed(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char byte : text) {
    const bool blank = byte == ' ' || byte == '\n' || byte == '\t' || byte == '\r';
    if (!blank) {
      out += byte;
    } else if (!out.empty() && out.back() != ' ') {
      out += ' ';
    }
  }
  return out;
}

// Whether `text` lowered and squeezed is surely longer than `bytes`: each of its characters that is
// no blank leaves a byte at least.
bool stays_longer(std::string_view text, size_t bytes) {
  size_t characters = 0;
  for (const char byte : text) {
    characters += static_cast<unsigned char>(byte) > ' ' && (byte & 0xC0) != 0x80 ? 1 : 0;
    if (characters > bytes) return true;
  }
  return false;
}

bool speaks_of_nothing(const std::string& reference) {
  static const std::set<std::string, std::less<>> kNothing = {
      "no", "none", "not", "never", "nobody", "nothing", "unknown", "no one", "neither"};
  return kNothing.contains(python_lower(reference));
}

class StrictReader {
 public:
  StrictReader(Metric metric, const AnswerText& answer, const OfficialScore& official,
               const std::vector<std::string>& references, const Expectation& expectation)
      : metric_(metric),
        answer_(answer),
        official_(official),
        references_(references),
        expectation_(expectation),
        compounds_(expectation.form == AnswerForm::kDocuments ? Compounds::kApart
                                                              : Compounds::kOneWord) {
    for (const std::string& reference : references_) lowered_.push_back(python_lower(reference));
  }

  StrictReading read() {
    find_references();
    read_phrases();
    reading_.repeats_prompt = repeats_prompt();
    switch (expectation_.form) {
      case AnswerForm::kValues:
        read_values();
        break;
      case AnswerForm::kChain:
        read_names();
        break;
      case AnswerForm::kWords:
        read_list();
        break;
      case AnswerForm::kDocuments:
        read_alternatives();
        break;
      case AnswerForm::kSet:
      case AnswerForm::kPlain:
        break;
    }
    reading_.score = score();
    return std::move(reading_);
  }

 private:
  // --- what is asked for

  void find_references() {
    places_.resize(references_.size());
    reading_.whole.assign(references_.size(), false);
    for (size_t i = 0; i < references_.size(); ++i) {
      if (!official_.found[i] && metric_ != Metric::kSetMatch) continue;
      for (const ByteSpan& place : whole_places(answer_.lowered, lowered_[i], compounds_)) {
        const size_t word = word_at(answer_.words, place.begin);
        if (is_negated(answer_.lowered, answer_.words, word)) continue;
        places_[i].push_back(place);
        starts_.insert(word);
        ends_.insert(word_at(answer_.words, place.end));
      }
      reading_.whole[i] = !places_[i].empty();
    }
  }

  // --- whether the answer stands by it

  void read_phrases() {
    const bool nothing_asked =
        std::any_of(references_.begin(), references_.end(), speaks_of_nothing);
    bool doubts = false;
    for (const PhrasePlace& phrase : answer_.phrases) {
      switch (phrase.kind) {
        case PhraseKind::kDenial:
          if (!nothing_asked && !reading_.denies) {
            reading_.denies = true;
            reading_.why = words_of(phrase);
          }
          break;
        case PhraseKind::kPlanted:
          reading_.looks_planted = true;
          break;
        case PhraseKind::kDoubt:
          doubts = true;
          note(phrase);
          break;
        case PhraseKind::kMaybe:
          maybe_.try_emplace(answer_.words[phrase.first_word].sentence, phrase);
          after_maybe_.insert(phrase.last_word);
          break;
        case PhraseKind::kModal:
          modals_.insert(phrase.last_word);
          break;
      }
    }
    reading_.hedges = doubts || any_reference_is_hedged();
  }

  void note(const PhrasePlace& phrase) {
    if (reading_.why.empty()) reading_.why = words_of(phrase);
  }
  [[nodiscard]] std::string words_of(const PhrasePlace& phrase) const {
    const uint64_t begin = answer_.words[phrase.first_word].bytes.begin;
    const uint64_t end = answer_.words[phrase.last_word].bytes.end;
    return answer_.lowered.substr(begin, end - begin);
  }

  // A reference whose every place is hedged is not committed to.
  bool any_reference_is_hedged() {
    bool any = false;
    for (const std::vector<ByteSpan>& places : places_) {
      const bool hedged = !places.empty() && std::all_of(places.begin(), places.end(),
                                                         [&](ByteSpan p) { return is_hedged(p); });
      any = any || hedged;
    }
    return any;
  }

  [[nodiscard]] std::string_view word(size_t number) const {
    return text_at(answer_.lowered, answer_.words[number].bytes);
  }
  [[nodiscard]] bool is_word(size_t number, size_t beside, std::string_view text) const {
    return number < answer_.words.size() &&
           answer_.words[number].sentence == answer_.words[beside].sentence && word(number) == text;
  }

  bool is_hedged(ByteSpan place) {
    const size_t first = word_at(answer_.words, place.begin);
    if (first >= answer_.words.size()) return false;
    const size_t behind = word_at(answer_.words, place.end);
    const uint32_t sentence = answer_.words[first].sentence;
    if (const auto found = maybe_.find(sentence);
        found != maybe_.end() && found->second.first_word < first) {
      note(found->second);
      return true;
    }
    if (after_maybe_.contains(behind) && answer_.words[behind].sentence == sentence) return true;
    const auto modal = modals_.lower_bound(first > kModalReach ? first - kModalReach : 0);
    if (modal != modals_.end() && *modal < first && answer_.words[*modal].sentence == sentence)
      return true;
    return is_alternative(first, behind);
  }

  // "A or B", unless both are asked for.
  bool is_alternative(size_t first, size_t behind) {
    const bool before = first > 0 && is_word(first - 1, first, "or");
    const bool after = is_word(behind, first, "or");
    if (after && !starts_.contains(behind + 1) && !starts_.contains(behind + 2)) return true;
    return before && !ends_.contains(first - 1);
  }

  // --- what else stands there

  // The instruction before anything that was asked for, or the evidence with what stands around it.
  [[nodiscard]] bool repeats_prompt() const {
    const bool right =
        std::find(reading_.whole.begin(), reading_.whole.end(), true) != reading_.whole.end();
    if (answer_.runs_on && !right) return true;
    const size_t enough = expectation_.form == AnswerForm::kDocuments ? 3 : 2;
    if (expectation_.neighbours.size() < enough) return false;
    const std::string text = squeezed(answer_.lowered);
    size_t neighbours = 0;
    for (const std::string& neighbour : expectation_.neighbours) {
      if (neighbour.size() < kLeastNeighbour || stays_longer(neighbour, text.size())) continue;
      neighbours += stands_in(text, squeezed(python_lower(neighbour))) ? 1 : 0;
    }
    return neighbours >= enough;
  }

  [[nodiscard]] bool is_reference(const std::string& lowered) const {
    return std::find(lowered_.begin(), lowered_.end(), lowered) != lowered_.end();
  }

  // Requires: `text` in lower case.
  void add_extra(std::string text, uint64_t at) {
    if (is_reference(text) || extras_.contains(text)) return;
    if (is_negated(answer_.lowered, answer_.words, word_at(answer_.words, at))) return;
    extras_.insert(text);
    reading_.extras.push_back(std::move(text));
  }

  void add_decoys(std::initializer_list<DecoyKind> kinds) {
    for (const Decoy& decoy : expectation_.decoys) {
      if (std::find(kinds.begin(), kinds.end(), decoy.kind) == kinds.end()) continue;
      const std::string lowered = python_lower(decoy.text);
      for (const ByteSpan& place : whole_places(answer_.lowered, lowered, compounds_))
        add_extra(lowered, place.begin);
    }
  }

  void read_values() {
    std::vector<std::string> keys;
    for (const std::string& key : expectation_.keys) keys.push_back(python_lower(key));
    for (const ByteSpan& span : values_of(answer_.lowered, shape_of(references_))) {
      std::string value(text_at(answer_.lowered, span));
      if (std::find(keys.begin(), keys.end(), value) == keys.end())
        add_extra(std::move(value), span.begin);
    }
    add_decoys({DecoyKind::kOtherValue});
    reading_.swaps_keys = swaps_keys(keys);
  }

  // A place of a key that is asked for, or of a value.
  struct Turn {
    bool is_key = false;
    size_t which = 0;
  };
  using Turns = std::map<uint64_t, Turn>;  // by place

  // Keys and values that take turns, a key first, in the whole answer or in a line that has one of
  // each: pairs. Any other order says nothing of who belongs to whom.
  [[nodiscard]] bool swaps_keys(const std::vector<std::string>& keys) const {
    if (keys.size() != references_.size()) return false;
    Turns turns;
    for (size_t i = 0; i < keys.size(); ++i) {
      for (const ByteSpan& place : whole_places(answer_.lowered, keys[i], Compounds::kOneWord))
        turns.emplace(place.begin, Turn{true, i});
      for (const ByteSpan& place : places_[i]) turns.emplace(place.begin, Turn{false, i});
    }
    if (take_turns(turns.begin(), turns.end()) && any_swap(turns.begin(), turns.end(), keys))
      return true;
    for (auto first = turns.begin(); first != turns.end();) {
      const size_t line_end =
          std::min(answer_.lowered.find('\n', first->first), answer_.lowered.size());
      // This turn at least: where nothing is asked for, it stands at the line's very end.
      auto last = std::next(first);
      while (last != turns.end() && last->first < line_end) ++last;
      const bool one_pair = std::distance(first, last) == 2 && take_turns(first, last);
      if (one_pair && any_swap(first, last, keys)) return true;
      first = last;
    }
    return false;
  }

  [[nodiscard]] static bool take_turns(Turns::const_iterator first, Turns::const_iterator last) {
    bool key_next = true;
    for (; first != last; ++first, key_next = !key_next)
      if (first->second.is_key != key_next) return false;
    return key_next;
  }

  // Requires: they take turns.
  [[nodiscard]] static bool any_swap(Turns::const_iterator first, Turns::const_iterator last,
                                     const std::vector<std::string>& keys) {
    size_t key = 0;
    for (; first != last; ++first) {
      if (first->second.is_key) key = first->second.which;
      if (!first->second.is_key && keys[first->second.which] != keys[key]) return true;
    }
    return false;
  }

  void read_names() {
    // Capital letters are looked for as they were written; the lower-case text has the same places
    // only where it is as long.
    const ValueShape shape = shape_of(references_);
    if (shape.kind == ShapeKind::kName && answer_.graded.size() == answer_.lowered.size()) {
      for (const ByteSpan& span : values_of(answer_.graded, shape))
        add_extra(python_lower(text_at(answer_.graded, span)), span.begin);
    }
    add_decoys({DecoyKind::kOtherChain, DecoyKind::kDemonstration});
  }

  // Items beyond the number asked for; wrong ones among that number are misses already.
  void read_list() {
    constexpr size_t kWordsOfAnItem = 2;
    const ListedItems list = listed_items(answer_.lowered, kWordsOfAnItem);
    std::unordered_set<std::string> seen;
    std::vector<std::string> wrong;
    for (const std::string& item : list.items)
      if (seen.insert(item).second && !is_reference(item)) wrong.push_back(item);
    const size_t asked = references_.size();
    if (seen.size() <= asked) return;
    const size_t beyond = std::min(seen.size() - asked, wrong.size());
    reading_.extras.assign(wrong.end() - static_cast<ptrdiff_t>(beyond), wrong.end());
  }

  // A list of answers to a question that has one.
  void read_alternatives() {
    constexpr size_t kWordsOfAnItem = 6;
    constexpr size_t kFewestCommas = 4;  // "Paris, Île-de-France, France" is one answer
    const ListedItems list = listed_items(answer_.lowered, kWordsOfAnItem);
    const bool marked = list.form == ListForm::kNumbered || list.form == ListForm::kBulleted;
    const bool commas = list.form == ListForm::kCommas && list.items.size() >= kFewestCommas;
    if (!marked && !commas) return;  // lines may be another question that the model goes on with
    const auto holds_reference = [&](const std::string& item) {
      return std::any_of(lowered_.begin(), lowered_.end(), [&](const std::string& reference) {
        return !whole_places(item, reference, compounds_).empty();
      });
    };
    const bool among_items = std::any_of(list.items.begin(), list.items.end(), holds_reference);
    if (!among_items) return;
    for (const std::string& item : list.items) {
      if (holds_reference(item) || !extras_.insert(item).second) continue;
      reading_.extras.push_back(item);
    }
  }

  // --- the sum

  [[nodiscard]] double score() const {
    if (references_.empty() || official_.score <= 0) return 0;
    if (metric_ == Metric::kExactMatch) return official_.score;
    if (reading_.denies || reading_.hedges || reading_.repeats_prompt || reading_.swaps_keys)
      return 0;
    if (metric_ == Metric::kSetMatch) return official_.score;
    const auto right = std::count(reading_.whole.begin(), reading_.whole.end(), true);
    const auto wrong = static_cast<std::ptrdiff_t>(reading_.extras.size());
    if (metric_ == Metric::kStringMatchPart) return right > 0 && wrong == 0 ? 1 : 0;
    return static_cast<double>(std::max<std::ptrdiff_t>(right - wrong, 0)) /
           static_cast<double>(references_.size());
  }

  Metric metric_;
  const AnswerText& answer_;
  const OfficialScore& official_;
  const std::vector<std::string>& references_;
  const Expectation& expectation_;
  Compounds compounds_;
  std::vector<std::string> lowered_;           // the references
  std::vector<std::vector<ByteSpan>> places_;  // of each reference, whole and not negated
  std::unordered_set<size_t> starts_;          // words at which a reference begins
  std::unordered_set<size_t> ends_;            // words that follow one
  std::unordered_set<std::string> extras_;
  std::unordered_map<uint32_t, PhrasePlace> maybe_;  // the first of each sentence
  std::set<size_t> after_maybe_;                     // words that are a "maybe"
  std::set<size_t> modals_;                          // last words of "might be" and the like
  StrictReading reading_;
};

}  // namespace

AnswerText take_apart(std::string graded, const std::string& opening) {
  AnswerText text;
  text.graded = std::move(graded);
  if (opening.size() >= kLeastOpening) {
    const void* found =
        ::memmem(text.graded.data(), text.graded.size(), opening.data(), opening.size());
    text.runs_on = found != nullptr;
    if (text.runs_on) {
      const auto end = static_cast<size_t>(static_cast<const char*>(found) - text.graded.data());
      text.graded = std::string(python_strip(std::string_view(text.graded).substr(0, end)));
    }
  }
  text.lowered = python_lower(text.graded);
  text.words = answer_words(text.lowered);
  text.phrases = phrases_in(text.lowered, text.words);
  return text;
}

StrictReading read_strictly(Metric metric, const AnswerText& answer, const OfficialScore& official,
                            const std::vector<std::string>& references,
                            const Expectation& expectation) {
  return StrictReader(metric, answer, official, references, expectation).read();
}

}  // namespace fathom
