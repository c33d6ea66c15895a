// Common words: a numbered list in which some words occur more often than all others.
#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "task/families.h"

namespace fathom {
namespace {

constexpr int64_t kReserve = 120;
constexpr size_t kClosers = 64;
constexpr size_t kPairClosers = 32;
constexpr size_t kDemonstrationWords = 40;  // RULER's example; in short samples 20
constexpr size_t kShortDemonstrationWords = 20;
constexpr int kMostDraws = 100000;

struct Frequencies {
  int64_t common = 0;
  int64_t uncommon = 0;
};

// A sample's words, each once: of the pool in an order of the sample's own, then invented ones.
// None is a part of an answer, nor an answer of it, so that a word in a reply counts for one word
// only.
class WordSource {
 public:
  explicit WordSource(const TaskInputs& inputs)
      : pool_(inputs.corpora.words), key_(inputs.entities()) {}

  Result<std::string> answer() {
    TRY(std::string word, next());
    answers_.push_back(word);
    return word;
  }
  Result<std::string> next() {
    for (int draw = 0; draw < kMostDraws; ++draw) {
      if (used_ == words_.size()) more();
      const std::string& word = words_[used_++];
      if (word.find(' ') == std::string::npos && is_apart(word)) return word;
    }
    return fail(ErrorCode::kInput,
                "no further word was found that holds none of the {} common words; use a larger "
                "word pool",
                answers_.size());
  }
  // An adjective and a noun as one word, given out once.
  std::optional<std::string> pair(Random& random) {
    std::string word = pool_->pair(random.below(pool_->pair_count()));
    if (!is_apart(word) || !pairs_.insert(word).second) return std::nullopt;
    return word;
  }
  [[nodiscard]] const std::vector<std::string>& answers() const { return answers_; }

 private:
  // A shorter draw is the start of a longer one.
  void more() {
    Random random(key_, "word list");
    words_ = pool_->draw_words(std::max(pool_->words().size(), 2 * words_.size()), random);
  }
  [[nodiscard]] bool is_apart(const std::string& word) const {
    return std::none_of(answers_.begin(), answers_.end(), [&](const std::string& answer) {
      return word.find(answer) != std::string::npos || answer.find(word) != std::string::npos;
    });
  }

  std::shared_ptr<const WordPool> pool_;
  RandomKey key_;
  std::vector<std::string> words_;
  size_t used_ = 0;
  std::set<std::string> pairs_;
  std::vector<std::string> answers_;
};

// Each entry has a fixed random rank among all entries that may ever be there, so that a longer
// list is a shorter one with entries put in between.
class WordListContext : public GrowingContext {
 public:
  WordListContext(WordSource source, RandomKey key, Frequencies frequencies)
      : source_(std::move(source)), frequencies_(frequencies), ranks_random_(key, "layout") {
    Random ranks(key, "common layout");
    for (size_t i = 0; i < source_.answers().size() * static_cast<size_t>(frequencies.common);
         ++i) {
      common_ranks_.push_back(ranks.next());
    }
    Random closers(key, "single words");
    while (closers_.size() < kClosers) {
      auto word = source_.next();
      if (!word) break;
      closers_.push_back({std::move(*word), closers.next()});
    }
    // Words of two parts come last: they are only wanted where all words cost alike.
    for (size_t i = 0; i < kPairClosers; ++i) {
      auto pair = source_.pair(closers);
      if (pair) closers_.push_back({std::move(*pair), closers.next()});
    }
  }

  size_t least_units() const override { return 1; }
  void append_unit(size_t unit, std::string& out) const override {
    if (!draw(unit + 1)) return;
    size_t number = common_ranks_.size() + unit * uncommon_times();
    for (size_t i = 0; i < uncommon_times(); ++i) {
      append_entry(++number, words_[unit], out);
    }
  }
  size_t closers() const override { return closers_.size(); }
  size_t preferred_closers() const override { return std::min(kClosers, closers_.size()); }
  void append_closer(size_t closer, size_t units, std::string& out) const override {
    append_entry(common_ranks_.size() + units * uncommon_times() + 1, closers_[closer].word, out);
  }

  Result<BuiltContext> build(const ContextSize& size, double) const override {
    if (!draw(size.units)) return fail(failure_);
    std::vector<Entry> entries;
    const auto common_times = static_cast<size_t>(frequencies_.common);
    for (size_t i = 0; i < common_ranks_.size(); ++i) {
      entries.push_back({common_ranks_[i], &source_.answers()[i / common_times],
                         static_cast<int>(i / common_times)});
    }
    for (size_t i = 0; i < size.units * uncommon_times(); ++i) {
      entries.push_back({ranks_[i], &words_[i / uncommon_times()], -1});
    }
    for (const size_t closer : size.closers) {
      entries.push_back({closers_[closer].rank, &closers_[closer].word, -1});
    }
    std::sort(entries.begin(), entries.end(),
              [](const Entry& a, const Entry& b) { return a.rank < b.rank; });
    return write(entries);
  }

 private:
  struct Entry {
    uint64_t rank = 0;
    const std::string* word = nullptr;
    int answer = -1;  // which common word it is
  };
  struct Single {
    std::string word;
    uint64_t rank = 0;
  };

  static void append_entry(size_t number, const std::string& word, std::string& out) {
    if (number > 1) out += ' ';
    out += std::to_string(number);
    out += ". ";
    out += word;
  }

  static BuiltContext write(const std::vector<Entry>& entries) {
    BuiltContext built;
    built.text.reserve(entries.size() * 16);
    size_t number = 0;
    for (const Entry& entry : entries) {
      append_entry(++number, *entry.word, built.text);
      if (entry.answer < 0) continue;
      Evidence evidence;
      evidence.role = "common word";
      evidence.order = entry.answer;
      evidence.bytes = {built.text.size() - entry.word->size(), built.text.size()};
      evidence.answer_bytes = evidence.bytes;
      built.evidence.push_back(std::move(evidence));
    }
    return built;
  }

  [[nodiscard]] size_t uncommon_times() const { return static_cast<size_t>(frequencies_.uncommon); }

  bool draw(size_t words) const {
    while (words_.size() < words && !failed_) {
      auto word = source_.next();
      if (!word) {
        failed_ = true;
        failure_ = word.error();
        break;
      }
      words_.push_back(std::move(*word));
      for (size_t i = 0; i < uncommon_times(); ++i) ranks_.push_back(ranks_random_.next());
    }
    return words_.size() >= words;
  }

  mutable WordSource source_;
  Frequencies frequencies_;
  std::vector<uint64_t> common_ranks_;  // of all occurrences, word by word
  std::vector<Single> closers_;
  mutable Random ranks_random_;
  mutable std::vector<std::string> words_;  // uncommon ones
  mutable std::vector<uint64_t> ranks_;     // of all their occurrences
  mutable bool failed_ = false;
  mutable Error failure_;
};

std::string numbered(const std::vector<std::string>& words) {
  std::string text;
  for (size_t i = 0; i < words.size(); ++i) {
    text += fmt::format("{}{}. {}", i == 0 ? "" : " ", i + 1, words[i]);
  }
  return text;
}

// A solved example: its words, then their entries in an order of its own.
Result<std::string> demonstration(const TaskInputs& inputs, WordSource& source, RandomKey key,
                                  bool is_short) {
  const auto answers = static_cast<size_t>(inputs.parameters.integer("num_cw"));
  std::vector<std::string> words;
  while (words.size() < std::max(kDemonstrationWords, answers + 10)) {
    TRY(std::string word, source.next());
    words.push_back(std::move(word));
  }
  if (is_short) words.resize(std::max(kShortDemonstrationWords, answers + 5));
  const Frequencies times = is_short ? Frequencies{3, 1} : Frequencies{10, 3};
  std::vector<std::string> entries;
  for (size_t w = 0; w < words.size(); ++w) {
    const int64_t occurrences = w < answers ? times.common : times.uncommon;
    entries.insert(entries.end(), static_cast<size_t>(occurrences), words[w]);
  }
  Random(key, "layout").shuffle(entries);
  words.resize(answers);
  const std::string count = std::to_string(answers);
  const auto [before, after] = inputs.wording.around_context("cwe.prompt", {{"count", count}},
                                                             static_cast<int64_t>(answers));
  const std::string prefix =
      inputs.wording.text("cwe.answer_prefix", {{"count", count}}, static_cast<int64_t>(answers));
  return before + numbered(entries) + after + " " + prefix + " " + numbered(words) + "\n\n";
}

class CommonWordsTask : public Task {
 public:
  CommonWordsTask() {
    info_.name = "cwe";
    info_.family = "common_words";
    info_.description = "the words that occur most often in a numbered list";
    info_.spec = {"T1", "T3"};
    info_.parameters = {
        {"num_cw", "common words: the answer", int64_t{10}, 1, 200, {}},
        {"freq_cw", "times that each common word occurs", int64_t{30}, 2, 10000, {}},
        {"freq_ucw", "times that each other word occurs", int64_t{3}, 1, 9999, {}},
        {"num_fewshot", "solved examples before the list", int64_t{1}, 0, 20, {}},
        {"short_below",
         "below this length freq_cw_short and freq_ucw_short are used, and a shorter "
         "example",
         int64_t{4096},
         0,
         1e9,
         {}},
        {"freq_cw_short", "freq_cw of short samples", int64_t{6}, 2, 10000, {}},
        {"freq_ucw_short", "freq_ucw of short samples", int64_t{1}, 1, 9999, {}},
        {"reserve", "tokens kept for the answer", kReserve, 0, 1000000, {}},
    };
    info_.metric = Metric::kStringMatchAll;
    info_.entity_sets = true;
    info_.texts = {
        {"cwe.prompt", {"context", "count"}, ""},
        {"cwe.question", {"count"}, ""},
        {"cwe.answer_prefix", {"count"}, ""},
    };
  }

  const TaskInfo& info() const override { return info_; }

  Result<Draft> draft(const TaskInputs& inputs) const override {
    const Parameters& parameters = inputs.parameters;
    const bool is_short = inputs.length < parameters.integer("short_below");
    const Frequencies times = {parameters.integer(is_short ? "freq_cw_short" : "freq_cw"),
                               parameters.integer(is_short ? "freq_ucw_short" : "freq_ucw")};
    if (times.common <= times.uncommon) {
      return fail(ErrorCode::kInput,
                  "task cwe: common words must occur more often ({} times) than others ({} times)",
                  times.common, times.uncommon);
    }
    const int64_t answers = parameters.integer("num_cw");
    WordSource source(inputs);
    Draft draft;
    for (int64_t i = 0; i < answers; ++i) {
      TRY(std::string word, source.answer());
      draft.references.push_back(std::move(word));
    }
    for (int64_t shot = 0; shot < parameters.integer("num_fewshot"); ++shot) {
      const RandomKey key = inputs.key.with("demonstration").with(static_cast<uint64_t>(shot));
      TRY(const std::string shown, demonstration(inputs, source, key, is_short));
      draft.before += shown;
    }
    const std::string count = std::to_string(answers);
    const auto [before, after] =
        inputs.wording.around_context("cwe.prompt", {{"count", count}}, answers);
    draft.before += before;
    draft.after = after;
    draft.question = inputs.wording.text("cwe.question", {{"count", count}}, answers);
    draft.answer_prefix = inputs.wording.text("cwe.answer_prefix", {{"count", count}}, answers);
    draft.reserve = parameters.integer("reserve");
    draft.haystack = fmt::format("words:{:016x}", inputs.key.value());
    if (is_short) {
      draft.notes.push_back(fmt::format("short list: common words occur {} times, others {}",
                                        times.common, times.uncommon));
    }
    draft.context = std::make_unique<WordListContext>(std::move(source), inputs.key, times);
    return draft;
  }

 private:
  TaskInfo info_;
};

}  // namespace

TaskList common_words_tasks() {
  TaskList list;
  list.push_back(std::make_unique<CommonWordsTask>());
  return list;
}

}  // namespace fathom
