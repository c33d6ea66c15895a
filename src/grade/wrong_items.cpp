#include "grade/wrong_items.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "grade/listed_items.h"
#include "grade/python_text.h"
#include "grade/set_match.h"
#include "grade/value_shape.h"
#include "grade/whole_words.h"
#include "text/utf8.h"

namespace fathom {
namespace {

constexpr size_t kMostExamined = 64;

std::string_view text_at(std::string_view text, ByteSpan span) {
  return text.substr(span.begin, span.end - span.begin);
}

class Surveyor {
 public:
  Surveyor(const AnswerText& answer, const std::vector<std::string>& references,
           const Expectation& expectation)
      : answer_(answer), expectation_(expectation), shape_(shape_of(references)) {
    for (const std::string& reference : references) references_.push_back(python_lower(reference));
    for (const std::string& key : expectation.keys) keys_.insert(python_lower(key));
    for (const Decoy& decoy : expectation.decoys) decoys_.emplace(python_lower(decoy.text), &decoy);
  }

  ItemSurvey survey() {
    switch (expectation_.form) {
      case AnswerForm::kValues:
        values(answer_.lowered);
        break;
      case AnswerForm::kChain:
        values(answer_.graded);
        break;
      case AnswerForm::kWords:
        words();
        break;
      case AnswerForm::kSet:
        for (const std::string& item : set_match(answer_.graded, {}).listed) add(item);
        break;
      case AnswerForm::kDocuments:
        titles();
        break;
      case AnswerForm::kPlain:
        break;
    }
    return std::move(survey_);
  }

 private:
  void add(std::string item) {
    ++survey_.total;
    if (!seen_.insert(item).second) return;
    ++survey_.distinct;
    if (std::find(references_.begin(), references_.end(), item) != references_.end()) return;
    if (survey_.wrong.size() < kMostExamined) {
      MissNote note = origin_of(item);
      survey_.wrong.push_back({std::move(item), std::move(note)});
    }
  }

  // Values of about the right shape, and suggested ones in any place.
  void values(std::string_view text) {
    std::vector<ByteSpan> places = near_values_of(text, shape_);
    for (const ByteSpan& place : places) {
      std::string item = python_lower(text_at(text, place));
      const bool cut_off = place.end == text.size() && starts_reference(item);
      if (!keys_.contains(item) && !cut_off) add(std::move(item));
    }
    for (const Decoy& decoy : expectation_.decoys) {
      std::string item = python_lower(decoy.text);
      if (!seen_.contains(item) &&
          !whole_places(answer_.lowered, item, Compounds::kOneWord).empty())
        add(std::move(item));
    }
    if (shape_.kind != ShapeKind::kNone) return;
    for (const std::string& reference : references_)
      survey_.total += whole_places(answer_.lowered, reference, Compounds::kOneWord).size();
  }

  // At an answer's end: cut at the output limit.
  [[nodiscard]] bool starts_reference(const std::string& item) const {
    return std::any_of(references_.begin(), references_.end(), [&](const std::string& reference) {
      return item.size() < reference.size() && reference.starts_with(item);
    });
  }

  void words() {
    constexpr size_t kWordsOfAnItem = 2;
    const ListedItems list = listed_items(answer_.lowered, kWordsOfAnItem);
    for (const std::string& item : list.items) add(item);
    if (list.form != ListForm::kNone) return;
    for (const AnswerWord& word : answer_.words) {
      std::string item(text_at(answer_.lowered, word.bytes));
      if (decoys_.contains(item)) add(std::move(item));
    }
  }

  void titles() {
    for (const Decoy& decoy : expectation_.decoys) {
      std::string item = python_lower(decoy.text);
      if (!whole_places(answer_.lowered, item, Compounds::kApart).empty()) add(std::move(item));
    }
  }

  // Where a wrong item comes from.
  [[nodiscard]] MissNote origin_of(const std::string& item) const {
    if (const auto found = decoys_.find(item); found != decoys_.end())
      return note_of(*found->second);
    for (const Decoy& decoy : expectation_.decoys)
      if (decoy.kind == DecoyKind::kOtherValue && python_lower(decoy.of) == item)
        return {Miss::kWrongBinding, quote(item) + " is the key of another value"};
    for (const std::string& reference : references_)
      if (is_slip_of(item, reference, shape_))
        return {Miss::kSlip, fmt::format("{} for {}", quote(item), quote(reference))};
    if (expectation_.form == AnswerForm::kSet) return {Miss::kExtra, quote(item)};
    if (!expectation_.text.empty()) return by_filter(item);
    if (expectation_.form == AnswerForm::kWords)
      return {Miss::kHaystackName, quote(item) + " is not among the most frequent words"};
    if (!expectation_.all_decoys) return {Miss::kOtherValue, quote(item)};
    return {Miss::kInvented, quote(item) + " stands nowhere in the text"};
  }

  [[nodiscard]] MissNote by_filter(const std::string& item) const {
    if (!expectation_.text.may_hold(item))
      return {Miss::kInvented, quote(item) + " stands nowhere in the text"};
    if (expectation_.form == AnswerForm::kWords)
      return {Miss::kHaystackName,
              quote(item) + " stands in the text, but is not among the most frequent words"};
    return {Miss::kWrongBinding, quote(item) + " is another value of the text"};
  }

  [[nodiscard]] static MissNote note_of(const Decoy& decoy) {
    const std::string text = quote(decoy.text);
    const std::string of = quote(decoy.of);
    switch (decoy.kind) {
      case DecoyKind::kOtherValue:
        return {Miss::kWrongBinding, of.empty() ? text + " is another value of the text"
                                                : fmt::format("{} is the value of {}", text, of)};
      case DecoyKind::kOtherChain:
        return {Miss::kWrongBinding, fmt::format("{} belongs to the chain of {}", text, of)};
      case DecoyKind::kDemonstration:
        return {Miss::kCopiedDemonstration, text + " is of the solved example"};
      case DecoyKind::kPartOfLists:
        return {Miss::kMissingList, fmt::format("{} is missing from list {}", text, of)};
      case DecoyKind::kFrequent:
        return {Miss::kLocalFrequency, fmt::format("{}: {}", text, of)};
      case DecoyKind::kTitle:
        return {Miss::kHaystackName, fmt::format("{} is the title of document {}", text, of)};
    }
    return {};
  }

  const AnswerText& answer_;
  const Expectation& expectation_;
  ValueShape shape_;
  std::vector<std::string> references_;  // lower case, as all texts here
  std::unordered_set<std::string> keys_;
  std::unordered_map<std::string, const Decoy*> decoys_;
  std::unordered_set<std::string> seen_;
  ItemSurvey survey_;
};

}  // namespace

ItemSurvey survey_items(const AnswerText& answer, const std::vector<std::string>& references,
                        const Expectation& expectation) {
  return Surveyor(answer, references, expectation).survey();
}

std::string quote(std::string_view text) {
  constexpr size_t kLongest = 60;
  std::string line = repair_utf8(text.substr(0, kLongest + 4));
  std::replace_if(
      line.begin(), line.end(), [](unsigned char byte) { return byte < 0x20; }, ' ');
  if (line.size() <= kLongest) return line;
  size_t end = kLongest;
  while (end > 0 && (static_cast<unsigned char>(line[end]) & 0xC0) == 0x80) --end;
  return line.substr(0, end) + "…";
}

}  // namespace fathom
