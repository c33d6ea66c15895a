// Words that stand out in a list or coded text without being among its most frequent.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_map>

#include "grade/expectation_parts.h"
#include "grade/python_text.h"
#include "text/words.h"

namespace fathom {
namespace {

constexpr size_t kParts = 10;       // a part of the text is a tenth of its words
constexpr size_t kMostOfEach = 10;  // decoys of each kind
constexpr size_t kEndWords = 10;    // at the start and at the end

struct WordUse {
  std::string_view word;
  size_t count = 0;
  std::array<uint32_t, kParts> in_part = {};
  size_t first = 0;  // place of its first use

  [[nodiscard]] size_t densest() const {
    return static_cast<size_t>(std::max_element(in_part.begin(), in_part.end()) - in_part.begin());
  }
};

std::string times(size_t count) { return count == 1 ? "once" : fmt::format("{} times", count); }

class WordExpectation {
 public:
  WordExpectation(const SampleText& text, Expectation& expectation)
      : text_(text), expectation_(expectation), decoys_(text.sample, expectation) {
    for (const ByteSpan& span : split_words(text.context)) {
      const std::string_view word = text.context.substr(span.begin, span.end - span.begin);
      if (word.find_first_not_of("0123456789") != std::string_view::npos) order_.push_back(word);
    }
    count_words();
  }

  void fill() {
    for (const std::string& item : demonstrated_items(text_.before, text_.sample.references))
      decoys_.add({item, DecoyKind::kDemonstration, {}});
    if (uses_.empty()) return;
    add_clustered();
    add_next_in_rank();
    add_ends();
    std::vector<std::string> words;
    for (const WordUse& use : uses_) words.push_back(python_lower(use.word));
    expectation_.text = TextFilter::of(words);
    expectation_.all_decoys = false;  // other words of the text are no decoys, but stand in it
  }

 private:
  void count_words() {
    std::unordered_map<std::string_view, size_t> place;
    for (size_t i = 0; i < order_.size(); ++i) {
      const auto [found, is_first] = place.emplace(order_[i], uses_.size());
      if (is_first) uses_.push_back({.word = order_[i], .first = i});
      WordUse& use = uses_[found->second];
      ++use.count;
      ++use.in_part[i * kParts / order_.size()];
    }
    rarest_answer_ = SIZE_MAX;
    for (const std::string& reference : text_.sample.references) {
      const auto found = place.find(reference);
      rarest_answer_ =
          std::min(rarest_answer_, found == place.end() ? 0 : uses_[found->second].count);
    }
  }

  void add(const WordUse& use, std::string of) {
    decoys_.add({std::string(use.word), DecoyKind::kFrequent, std::move(of)});
  }

  // The best `kMostOfEach` of those that `value` gives more than `least`, ties by first use.
  template <typename Value, typename Words>
  void add_best(size_t least, Value value, Words words) {
    std::vector<const WordUse*> best;
    for (const WordUse& use : uses_)
      if (value(use) > least && !is_reference(use.word)) best.push_back(&use);
    std::stable_sort(best.begin(), best.end(),
                     [&](const WordUse* a, const WordUse* b) { return value(*a) > value(*b); });
    if (best.size() > kMostOfEach) best.resize(kMostOfEach);
    for (const WordUse* use : best) add(*use, words(*use));
  }

  // At least twice, and more than half of its uses, in one part.
  void add_clustered() {
    const auto value = [](const WordUse& use) -> size_t {
      const size_t most = use.in_part[use.densest()];
      return 2 * most > use.count ? most : 0;
    };
    add_best(1, value, [](const WordUse& use) {
      const size_t part = use.densest();
      return fmt::format("{} of its {} uses are in tenth {} of the text", use.in_part[part],
                         use.count, part + 1);
    });
  }

  void add_next_in_rank() {
    std::vector<size_t> counts;
    for (const WordUse& use : uses_) counts.push_back(use.count);
    const auto middle = counts.begin() + static_cast<ptrdiff_t>(counts.size() / 2);
    std::nth_element(counts.begin(), middle, counts.end());
    add_best(
        *middle, [](const WordUse& use) { return use.count; },
        [&](const WordUse& use) {
          return fmt::format("it occurs {}, the rarest answer {}", times(use.count),
                             times(rarest_answer_));
        });
  }

  void add_ends() {
    const size_t ends = std::min(kEndWords, order_.size());
    for (size_t i = 0; i < ends; ++i)
      decoys_.add({std::string(order_[i]), DecoyKind::kFrequent, "it stands at the text's start"});
    for (size_t i = 0; i < ends; ++i)
      decoys_.add({std::string(order_[order_.size() - 1 - i]), DecoyKind::kFrequent,
                   "it stands at the text's end"});
  }

  [[nodiscard]] bool is_reference(std::string_view word) const {
    const std::vector<std::string>& all = text_.sample.references;
    return std::find(all.begin(), all.end(), word) != all.end();
  }

  const SampleText& text_;
  Expectation& expectation_;
  DecoyList decoys_;
  std::vector<std::string_view> order_;  // all words as they stand
  std::vector<WordUse> uses_;            // different words, in the order of their first use
  size_t rarest_answer_ = 0;             // uses of the least frequent reference
};

}  // namespace

void expect_words(const SampleText& text, Expectation& expectation) {
  WordExpectation(text, expectation).fill();
}

}  // namespace fathom
