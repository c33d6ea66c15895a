// Frequent words: coded words whose frequencies follow a zeta law; which are the most frequent?
#include <algorithm>
#include <cmath>
#include <utility>

#include "corpus/random_texts.h"
#include "task/families.h"

namespace fathom {
namespace {

constexpr int64_t kReserve = 50;
constexpr size_t kNoiseClosers = 64;
constexpr size_t kWordClosers = 48;
constexpr size_t kOddClosers = 24;
constexpr size_t kMostEvidence = 300;  // occurrences listed for each answer

struct Law {
  double alpha = 2;
  double zeta = 1;
  size_t words = SIZE_MAX;  // ranks there are, noise included

  // Share of all words that rank `rank` (from 1: the noise) has.
  [[nodiscard]] double share(size_t rank) const {
    return std::pow(static_cast<double>(rank), -alpha) / zeta;
  }
};

// Riemann's zeta(s), for s > 1: the first terms and Euler and Maclaurin's correction for the rest.
double zeta(double s) {
  constexpr int kTerms = 50;
  double sum = 0;
  for (int k = 1; k < kTerms; ++k) sum += std::pow(k, -s);
  const double n = kTerms;
  return sum + std::pow(n, 1 - s) / (s - 1) + 0.5 * std::pow(n, -s) + s * std::pow(n, -s - 1) / 12 -
         s * (s + 1) * (s + 2) * std::pow(n, -s - 3) / 720;
}

// Rank 1 is the noise token. Each occurrence has a fixed random place among all that may ever be
// there, so that a longer text is a shorter one with words put in between.
class CodedText : public GrowingContext {
 public:
  CodedText(const TaskInputs& inputs, Law law, size_t answers, std::string noise)
      : law_(law),
        answers_(answers),
        letters_(static_cast<int>(inputs.parameters.integer("coded_wordlen"))),
        noise_(std::move(noise)),
        key_(inputs.key),
        texts_(inputs.corpora.words),
        words_random_(inputs.entities(), "coded words") {
    draw_words(answers + 1);
    Random closers(key_, "closers");
    for (size_t i = 0; i < kNoiseClosers; ++i) closers_.push_back({noise_, closers.next()});
    // Words of another size come last: they are only wanted where noise and coded words cost too
    // much alike for a length.
    for (size_t i = 0; i < kWordClosers + kOddClosers; ++i) {
      const int more = i < kWordClosers ? 0 : 1 + static_cast<int>(i % 4);
      auto word = texts_.lower_word(letters_ + more, closers);
      if (!word) break;
      closers_.push_back({std::move(*word), closers.next()});
    }
    for (size_t rank = 2; rank <= answers + 1; ++rank) {
      const double gap = share(rank) - share(rank + 1);
      least_ = std::max(least_, static_cast<size_t>(std::ceil(1 / gap)) + 1);
    }
  }

  // From here on no two of the answers, nor the last of them and the next word, can tie.
  size_t least_units() const override { return least_; }
  void append_unit(size_t unit, std::string& out) const override {
    for (size_t rank = 1; occurrences(rank, unit + 1) > 0; ++rank) {
      const size_t more = occurrences(rank, unit + 1) - occurrences(rank, unit);
      if (more == 0 || !draw_words(rank)) continue;
      for (size_t i = 0; i < more; ++i) (out += ' ') += word(rank);
    }
  }
  size_t closers() const override { return closers_.size(); }
  size_t preferred_closers() const override {
    return std::min(kNoiseClosers + kWordClosers, closers_.size());
  }
  void append_closer(size_t closer, size_t, std::string& out) const override {
    (out += ' ') += closers_[closer].word;
  }

  Result<BuiltContext> build(const ContextSize& size, double) const override {
    size_t ranks = 0;
    while (occurrences(ranks + 1, size.units) > 0) ++ranks;
    if (!draw_words(ranks)) return fail(failure_);  // before pointing at any of them
    std::vector<Entry> entries;
    for (size_t rank = 1; rank <= ranks; ++rank) {
      const std::vector<uint64_t>& places = places_of(rank, occurrences(rank, size.units));
      for (size_t i = 0; i < occurrences(rank, size.units); ++i) {
        entries.push_back({places[i], &word(rank), rank});
      }
    }
    for (const size_t closer : size.closers) {
      entries.push_back({closers_[closer].place, &closers_[closer].word, 0});
    }
    std::sort(entries.begin(), entries.end(),
              [](const Entry& a, const Entry& b) { return a.place < b.place; });
    return write(entries, size.units);
  }

  [[nodiscard]] std::vector<std::string> answers() const {
    std::vector<std::string> words;
    for (size_t rank = 2; rank <= answers_ + 1; ++rank) words.push_back(word(rank));
    return words;
  }
  [[nodiscard]] const Error* failure() const { return failed_ ? &failure_ : nullptr; }

 private:
  struct Entry {
    uint64_t place = 0;
    const std::string* word = nullptr;
    size_t rank = 0;  // 0: a closer
  };
  struct Single {
    std::string word;
    uint64_t place = 0;
  };

  [[nodiscard]] double share(size_t rank) const {
    if (rank > law_.words) return 0;
    while (shares_.size() < rank) shares_.push_back(law_.share(shares_.size() + 1));
    return shares_[rank - 1];
  }
  [[nodiscard]] size_t occurrences(size_t rank, size_t units) const {
    return static_cast<size_t>(static_cast<double>(units) * share(rank));
  }
  [[nodiscard]] const std::string& word(size_t rank) const {
    return rank == 1 ? noise_ : words_[rank - 2];
  }

  bool draw_words(size_t rank) const {
    while (words_.size() + 1 < rank && !failed_) {
      auto drawn = texts_.lower_word(letters_, words_random_);
      if (!drawn) {
        failed_ = true;
        failure_ = drawn.error();
        break;
      }
      words_.push_back(std::move(*drawn));
    }
    return words_.size() + 1 >= rank;
  }

  const std::vector<uint64_t>& places_of(size_t rank, size_t count) const {
    while (streams_.size() < rank) {
      streams_.emplace_back(Random(key_.with(streams_.size()), "layout"), std::vector<uint64_t>());
    }
    auto& [random, places] = streams_[rank - 1];
    while (places.size() < count) places.push_back(random.next());
    return places;
  }

  BuiltContext write(const std::vector<Entry>& entries, size_t units) const {
    BuiltContext built;
    built.text.reserve(entries.size() * static_cast<size_t>(letters_ + 1));
    std::vector<size_t> seen(answers_, 0);
    std::vector<size_t> listed(answers_, 0);
    for (const Entry& entry : entries) {
      if (!built.text.empty()) built.text += ' ';
      built.text += *entry.word;
      if (entry.rank < 2 || entry.rank > answers_ + 1) continue;
      const size_t answer = entry.rank - 2;
      // Thinned evenly where there are more than are listed.
      const size_t all = occurrences(entry.rank, units);
      const size_t due = std::min(all, kMostEvidence) * ++seen[answer] / all;
      if (due == listed[answer]) continue;
      listed[answer] = due;
      Evidence evidence;
      evidence.role = "frequent word";
      evidence.order = static_cast<int>(answer);
      evidence.bytes = {built.text.size() - entry.word->size(), built.text.size()};
      evidence.answer_bytes = evidence.bytes;
      built.evidence.push_back(std::move(evidence));
    }
    for (size_t answer = 0; answer < answers_; ++answer) {
      const size_t all = occurrences(answer + 2, units);
      built.notes.push_back(
          fmt::format("\"{}\" occurs {} times{}", word(answer + 2), all,
                      all > kMostEvidence ? fmt::format("; {} are listed", kMostEvidence) : ""));
    }
    return built;
  }

  Law law_;
  size_t answers_;
  int letters_;
  std::string noise_;
  RandomKey key_;
  size_t least_ = 1;
  std::vector<Single> closers_;
  mutable DistinctTexts texts_;
  mutable Random words_random_;
  mutable std::vector<std::string> words_;  // of rank 2 and up
  mutable std::vector<double> shares_;
  mutable std::vector<std::pair<Random, std::vector<uint64_t>>> streams_;  // by rank
  mutable bool failed_ = false;
  mutable Error failure_;
};

class FrequentWordsTask : public Task {
 public:
  FrequentWordsTask() {
    info_.name = "fwe";
    info_.family = "frequent_words";
    info_.description = "the most frequent coded words of a text";
    info_.spec = {"T1", "T3"};
    info_.parameters = {
        {"alpha",
         "exponent of the frequencies: rank k occurs k^-alpha as often as the first",
         2.0,
         1.05,
         8,
         {}},
        {"coded_wordlen", "letters of a coded word", int64_t{6}, 3, 20, {}},
        {"vocab_size",
         "most different words, noise included; -1: as many as occur",
         int64_t{-1},
         -1,
         1000000,
         {}},
        {"answers", "how many of the most frequent words are asked for", int64_t{3}, 1, 50, {}},
        {"reserve", "tokens kept for the answer", kReserve, 0, 1000000, {}},
    };
    info_.metric = Metric::kStringMatchAll;
    info_.entity_sets = true;
    info_.texts = {
        {"fwe.prompt", {"context", "count", "noise"}, ""},
        {"fwe.question", {"count"}, ""},
        {"fwe.answer_prefix", {"count"}, ""},
        {"fwe.noise", {}, ""},
    };
  }

  const TaskInfo& info() const override { return info_; }

  Result<Draft> draft(const TaskInputs& inputs) const override {
    const Parameters& parameters = inputs.parameters;
    const int64_t answers = parameters.integer("answers");
    const int64_t vocabulary = parameters.integer("vocab_size");
    if (vocabulary >= 0 && vocabulary <= answers) {
      return fail(ErrorCode::kInput,
                  "task fwe: vocab_size {} holds no {} words beside the noise; use {} or more",
                  vocabulary, answers, answers + 1);
    }
    const double alpha = parameters.number("alpha");
    const Law law{alpha, zeta(alpha), vocabulary < 0 ? SIZE_MAX : static_cast<size_t>(vocabulary)};
    const std::string noise = inputs.wording.text("fwe.noise", {});
    auto context = std::make_unique<CodedText>(inputs, law, static_cast<size_t>(answers), noise);
    if (context->failure() != nullptr) return fail(*context->failure());
    const std::string count = std::to_string(answers);
    Draft draft;
    std::tie(draft.before, draft.after) =
        inputs.wording.around_context("fwe.prompt", {{"count", count}, {"noise", noise}}, answers);
    draft.question = inputs.wording.text("fwe.question", {{"count", count}}, answers);
    draft.answer_prefix = inputs.wording.text("fwe.answer_prefix", {{"count", count}}, answers);
    draft.references = context->answers();
    draft.reserve = parameters.integer("reserve");
    draft.haystack = fmt::format("coded:{:016x}", inputs.key.value());
    draft.context = std::move(context);
    return draft;
  }

 private:
  TaskInfo info_;
};

}  // namespace

TaskList frequent_words_tasks() {
  TaskList list;
  list.push_back(std::make_unique<FrequentWordsTask>());
  return list;
}

}  // namespace fathom
