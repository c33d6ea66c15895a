#include "corpus/word_pool.h"

#include <algorithm>
#include <unordered_set>

#include "base/hash.h"
#include "corpus/random_texts.h"
#include "io/embedded.h"
#include "io/file.h"
#include "text/lines.h"

namespace fathom {
namespace {

constexpr size_t kLongestWord = 64;  // bytes

Result<std::vector<std::string>> parse_words(std::string_view text, const std::string& where) {
  std::vector<std::string> words;
  size_t number = 0;
  for (std::string_view line : split_lines(text)) {
    ++number;
    while (line.ends_with('\r') || line.ends_with(' ')) line.remove_suffix(1);
    while (line.starts_with(' ')) line.remove_prefix(1);
    if (line.empty() || line.starts_with('#')) continue;
    const bool control =
        std::ranges::any_of(line, [](unsigned char c) { return c < ' ' || c == 0x7F; });
    if (control || line.size() > kLongestWord)
      return fail(ErrorCode::kInput,
                  "{}:{}: not a word: one word a line of at most {} bytes is expected", where,
                  number, kLongestWord);
    words.emplace_back(line);
  }
  return words;
}

void sort_unique(std::vector<std::string>& words) {
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
}

Result<std::vector<std::string>> load_words(const std::string& path) {
  TRY(const std::string text, read_file(path));
  TRY(std::vector<std::string> words, parse_words(text, path));
  if (words.empty())
    return fail(ErrorCode::kInput, "{}: holds no words; one word a line is expected", path);
  return words;
}

std::string hash_of(const WordLists& lists) {
  std::string all;
  for (const auto* list : {&lists.adjectives, &lists.nouns, &lists.verbs}) {
    for (const std::string& word : *list) (all += word) += '\n';
    all += '\f';
  }
  return hash_hex(all);
}

// So many words in one list, and invented ones would soon repeat.
constexpr size_t kInventedFrom = 4'000'000;

// Two or three syllables: for word lists longer than the pool.
std::string invented_word(Random& random) {
  static constexpr std::string_view kOnsets[] = {"b",  "d",  "f",  "g",  "h",  "k",  "l", "m",
                                                 "n",  "p",  "r",  "s",  "t",  "v",  "z", "br",
                                                 "dr", "gl", "kr", "pl", "sk", "st", "tr"};
  static constexpr std::string_view kVowels[] = {"a", "e", "i", "o", "u", "ai", "ea", "ou"};
  static constexpr std::string_view kEnds[] = {"l",  "m",  "n",  "r",  "sh",
                                               "st", "nd", "lk", "rt", "x"};
  std::string word;
  const uint64_t syllables = 2 + random.below(2);
  for (uint64_t i = 0; i < syllables; ++i) {
    word += kOnsets[random.below(std::size(kOnsets))];
    word += kVowels[random.below(std::size(kVowels))];
  }
  return word += kEnds[random.below(std::size(kEnds))];
}

}  // namespace

std::shared_ptr<const WordPool> WordPool::own() {
  static const std::shared_ptr<const WordPool> pool = [] {
    const auto list = [](std::string_view name) {
      return parse_words(embedded_file(name).value_or(""), std::string(name))
          .value_or(std::vector<std::string>{});
    };
    WordLists lists{list("names/adjectives.txt"), list("names/nouns.txt"), list("names/verbs.txt")};
    return std::make_shared<const WordPool>(
        std::move(lists),
        CorpusInfo{"words", "fathom", "", "written for fathom, under fathom's licence"});
  }();
  return pool;
}

Result<std::shared_ptr<const WordPool>> WordPool::load(const std::string& folder) {
  WordLists lists;
  TRY(lists.adjectives, load_words(folder + "/adjectives.txt"));
  TRY(lists.nouns, load_words(folder + "/nouns.txt"));
  const std::string verbs = folder + "/verbs.txt";
  if (file_exists(verbs)) {
    TRY(lists.verbs, load_words(verbs));
  }
  return std::make_shared<const WordPool>(
      std::move(lists), CorpusInfo{"words", folder, "", "the user's own word lists"});
}

WordPool::WordPool(WordLists lists, CorpusInfo info)
    : lists_(std::move(lists)), info_(std::move(info)) {
  for (auto* list : {&lists_.adjectives, &lists_.nouns, &lists_.verbs}) {
    sort_unique(*list);
    words_.insert(words_.end(), list->begin(), list->end());
  }
  sort_unique(words_);
  info_.hash = hash_of(lists_);
}

std::string WordPool::pair(uint64_t index) const {
  const std::string& adjective = lists_.adjectives[index / lists_.nouns.size()];
  const std::string& noun = lists_.nouns[index % lists_.nouns.size()];
  std::string out;
  out.reserve(adjective.size() + 1 + noun.size());
  return out.append(adjective).append("-").append(noun);
}

std::vector<std::string> WordPool::draw_words(size_t count, Random& random) const {
  // Shuffled whole, so that a shorter draw is the start of a longer one.
  std::vector<std::string> words = words_;
  random.shuffle(words);
  if (count <= words.size()) {
    words.resize(count);
    return words;
  }
  std::unordered_set<std::string> seen(words.begin(), words.end());
  while (words.size() < count) {
    std::string word =
        seen.size() < kInventedFrom ? invented_word(random) : random_letters(12, 'a', random);
    if (seen.insert(word).second) words.push_back(std::move(word));
  }
  return words;
}

}  // namespace fathom
