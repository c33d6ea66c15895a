#include "grade/misses.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "grade/loose_match.h"
#include "grade/names.h"
#include "grade/python_text.h"
#include "grade/whole_words.h"
#include "grade/wrong_items.h"
#include "text/words.h"

namespace fathom {
namespace {

struct KindCount {
  Miss kind = Miss::kNotFound;
  size_t count = 0;
  std::string detail = {};  // of the first item
};

class MissFinder {
 public:
  MissFinder(Metric metric, const AnswerText& answer, const OfficialScore& official,
             const StrictReading& reading, const std::vector<std::string>& references,
             const Expectation& expectation)
      : answer_(answer),
        official_(official),
        reading_(reading),
        references_(references),
        expectation_(expectation) {
    const bool any_will_do = metric == Metric::kStringMatchPart || metric == Metric::kExactMatch;
    const auto right = std::count(reading.whole.begin(), reading.whole.end(), true);
    right_ = static_cast<size_t>(right);
    if (any_will_do && right_ > 0) return;
    for (size_t i = 0; i < references.size(); ++i)
      if (!reading.whole[i]) missing_.push_back(i);
  }

  std::vector<MissNote> find() {
    if (answer_.graded.empty() && !answer_.runs_on) return {{Miss::kEmpty, ""}};
    if (reading_.repeats_prompt) add(Miss::kRepeatedPrompt);
    taken_back();
    other_forms();
    items_ = survey_items(answer_, references_, expectation_);
    if (missing_.empty() && expectation_.form == AnswerForm::kSet) {
      beside_the_set();
    } else if (missing_.empty()) {
      if (reading_.extras.empty() && notes_.empty() && !format_.empty())
        add(Miss::kFormatOnly, format_);
      beside_the_right();
    } else {
      in_place_of_the_right();
    }
    if (!format_.empty()) add(Miss::kFormatOnly, format_);
    if (notes_.empty()) add(Miss::kNotFound);
    return std::move(notes_);
  }

 private:
  void add(Miss kind, std::string detail = "") {
    const bool known = std::any_of(notes_.begin(), notes_.end(),
                                   [&](const MissNote& note) { return note.kind == kind; });
    if (!known) notes_.push_back({kind, std::move(detail)});
  }

  void taken_back() {
    if (reading_.denies) {
      add(reading_.looks_planted ? Miss::kPlantedSuspicion : Miss::kDenial, quote(reading_.why));
    } else if (reading_.looks_planted && right_ == 0) {
      add(Miss::kPlantedSuspicion);
    }
    if (reading_.hedges && right_ > 0) add(Miss::kHedge, quote(reading_.why));
    if (reading_.swaps_keys) add(Miss::kWrongBinding, "the values stand with the wrong keys");
  }

  // References that are there but for the writing are not missing.
  void other_forms() {
    if (missing_.empty()) return;
    const LooseText loose(answer_.graded);
    std::vector<size_t> still;
    for (const size_t i : missing_) {
      const std::string piece = official_.found[i] ? "" : loose.piece_like(references_[i]);
      if (official_.found[i] && inside_word_.empty()) inside_word_ = references_[i];
      if (piece.empty()) {
        still.push_back(i);
        continue;
      }
      reformed_.push_back(i);
      if (format_.empty()) format_ = fmt::format("{} for {}", quote(piece), quote(references_[i]));
    }
    missing_ = std::move(still);
    right_ += reformed_.size();
  }

  // All is there, and more than was asked for.
  void beside_the_right() {
    if (reading_.extras.empty()) return;
    for (const WrongItem& item : items_.wrong) {
      const Miss kind = item.note.kind;
      const bool known = kind == Miss::kWrongBinding || kind == Miss::kMissingList;
      if (known && is_extra(item.text)) add(kind, item.note.detail);
    }
    add(Miss::kExtra, named(reading_.extras));
  }

  // A whole intersection with more in its list, or told in prose.
  void beside_the_set() {
    constexpr size_t kWordsOfAnItem = 3;
    std::vector<std::string> extra;
    bool prose = false;
    for (const WrongItem& item : items_.wrong) {
      if (item.note.kind == Miss::kMissingList) add(Miss::kMissingList, item.note.detail);
      prose = prose || split_words(item.text).size() > kWordsOfAnItem;
      extra.push_back(item.text);
    }
    if (!extra.empty() && !prose) add(Miss::kExtra, named(extra));
    if (notes_.empty()) add(Miss::kFormatOnly, "the words stand in prose, not as a list");
  }

  [[nodiscard]] bool is_extra(const std::string& text) const {
    return std::find(reading_.extras.begin(), reading_.extras.end(), text) != reading_.extras.end();
  }

  void in_place_of_the_right() {
    switch (expectation_.form) {
      case AnswerForm::kChain:
        chain();
        break;
      case AnswerForm::kDocuments:
        documents();
        break;
      case AnswerForm::kValues:
      case AnswerForm::kWords:
      case AnswerForm::kSet:
      case AnswerForm::kPlain:
        if (is_filled_up())
          add(Miss::kDuplicate,
              fmt::format("{} items, {} different ones", items_.total, items_.distinct));
        wrong_items();
        if (notes_.empty()) beside_the_evidence();
        break;
    }
    if (!inside_word_.empty())
      add(Miss::kPartOfWord,
          fmt::format("{} stands only inside a longer word or number", quote(inside_word_)));
    if (right_ > 0)
      add(Miss::kIncomplete,
          fmt::format("{} of {}; missing: {}", references_.size() - missing_.size(),
                      references_.size(), named(missing_texts())));
  }

  // As many items as are asked for, but the same again: once where all others are right, else
  // oftener.
  [[nodiscard]] bool is_filled_up() const {
    const size_t repeats = items_.total - items_.distinct;
    return items_.total >= references_.size() && items_.distinct < references_.size() &&
           repeats >= (items_.wrong.empty() ? 1U : 2U);
  }

  // The kind that most wrong items are of first.
  void wrong_items() {
    std::vector<KindCount> counts;
    for (const WrongItem& item : items_.wrong) {
      auto found = std::find_if(counts.begin(), counts.end(), [&](const KindCount& count) {
        return count.kind == item.note.kind;
      });
      if (found == counts.end())
        found = counts.insert(counts.end(), {item.note.kind, 0, item.note.detail});
      ++found->count;
    }
    // Of as many, what is known of the prompt's own texts goes before what is not.
    const auto rank = [](Miss kind) {
      constexpr std::array<Miss, 8> kOrder = {
          Miss::kCopiedDemonstration, Miss::kWrongBinding, Miss::kSlip,       Miss::kMissingList,
          Miss::kLocalFrequency,      Miss::kHaystackName, Miss::kOtherValue, Miss::kInvented};
      return std::find(kOrder.begin(), kOrder.end(), kind) - kOrder.begin();
    };
    std::stable_sort(counts.begin(), counts.end(), [&](const KindCount& a, const KindCount& b) {
      if (a.count != b.count) return a.count > b.count;
      return rank(a.kind) < rank(b.kind);
    });
    for (KindCount& count : counts) add(count.kind, std::move(count.detail));
  }

  void beside_the_evidence() {
    constexpr size_t kLeastNeighbour = 24;  // bytes; shorter sentences stand everywhere
    for (const std::string& neighbour : expectation_.neighbours) {
      if (neighbour.size() < kLeastNeighbour) continue;
      if (stands_in(answer_.lowered, python_lower(neighbour)))
        add(Miss::kNeighbour, quote(neighbour));
    }
  }

  void chain() {
    if (right_ == 0) {
      wrong_items();
      return;
    }
    const size_t copied = static_cast<size_t>(std::count_if(
        items_.wrong.begin(), items_.wrong.end(),
        [](const WrongItem& item) { return item.note.kind == Miss::kCopiedDemonstration; }));
    if (copied >= right_) wrong_items();
    const size_t hop = missing_.front();
    if (hop == 0) {
      add(Miss::kIncomplete,
          fmt::format("without {}, where the chain starts", references_.front()));
    } else if (hop == 1 && right_ == 1) {
      add(Miss::kFirstOnly,
          fmt::format("{} alone of {} variables", references_.front(), references_.size()));
    } else {
      add(Miss::kBrokenHop, fmt::format("hop {} of {}: from {} to {}", hop, references_.size() - 1,
                                        references_[hop - 1], references_[hop]));
    }
    wrong_items();
  }

  void documents() {
    wrong_items();
    if (right_ > 0 || !inside_word_.empty() || !notes_.empty()) return;
    const std::string answer = answer_start();
    const std::vector<std::string> terms = telling_terms(answer, expectation_.keys);
    if (terms.empty()) return;
    for (const std::string& neighbour : expectation_.neighbours) {
      if (held_by(neighbour, terms) < terms.size()) continue;
      add(Miss::kNeighbour, fmt::format("{} stands beside the answer", quote(answer)));
      return;
    }
    const bool names = has_capital_or_digit(terms.front());
    if (expectation_.text.empty() || (!names && !expectation_.every_word)) return;
    const auto held = std::count_if(terms.begin(), terms.end(), [&](const std::string& term) {
      return expectation_.text.may_hold(lower_case(term));
    });
    if (2 * static_cast<size_t>(held) < terms.size()) {
      add(Miss::kParametric, fmt::format("the documents do not hold {}", quote(answer)));
    } else {
      add(Miss::kHaystackName, fmt::format("the documents hold {} elsewhere", quote(answer)));
    }
  }

  // The first line up to its end of sentence: what a question is answered with.
  [[nodiscard]] std::string answer_start() const {
    constexpr size_t kLongest = 200;
    std::string_view line = python_strip(answer_.graded);
    line = line.substr(0, line.find('\n'));
    if (const size_t stop = line.find(". "); stop != std::string_view::npos)
      line = line.substr(0, stop);
    line = python_strip(line);
    while (!line.empty() &&
           std::string_view(".,;:!\"'").find(line.back()) != std::string_view::npos)
      line.remove_suffix(1);
    return line.size() > kLongest ? "" : std::string(line);
  }

  [[nodiscard]] std::vector<std::string> missing_texts() const {
    std::vector<std::string> texts;
    for (const size_t i : missing_) texts.push_back(references_[i]);
    return texts;
  }

  [[nodiscard]] static std::string named(const std::vector<std::string>& texts) {
    constexpr size_t kMostNamed = 4;
    std::string out;
    for (size_t i = 0; i < texts.size() && i < kMostNamed; ++i)
      out += (i == 0 ? "" : ", ") + quote(texts[i]);
    if (texts.size() > kMostNamed) out += fmt::format(" and {} more", texts.size() - kMostNamed);
    return out;
  }

  const AnswerText& answer_;
  const OfficialScore& official_;
  const StrictReading& reading_;
  const std::vector<std::string>& references_;
  const Expectation& expectation_;
  size_t right_ = 0;              // references that are there, in any writing
  std::vector<size_t> missing_;   // references that are not, where they are wanted
  std::vector<size_t> reformed_;  // references that are there in another writing
  std::string format_;            // of the first of those
  std::string inside_word_;       // a reference that stands only inside a longer word
  ItemSurvey items_;
  std::vector<MissNote> notes_;
};

}  // namespace

std::vector<MissNote> misses_of(Metric metric, const AnswerText& answer,
                                const OfficialScore& official, const StrictReading& reading,
                                const std::vector<std::string>& references,
                                const Expectation& expectation) {
  return MissFinder(metric, answer, official, reading, references, expectation).find();
}

}  // namespace fathom
