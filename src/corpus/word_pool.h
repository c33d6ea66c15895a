// Words for keys and word lists: adjective-noun pairs ("brisk-lantern") and single words.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "base/result.h"
#include "corpus/corpus_info.h"

namespace fathom {

struct WordLists {
  std::vector<std::string> adjectives;
  std::vector<std::string> nouns;
  std::vector<std::string> verbs;
};

// Immutable, thread-safe.
class WordPool {
 public:
  // fathom's own lists, which travel inside the program.
  [[nodiscard]] static std::shared_ptr<const WordPool> own();
  // A folder with adjectives.txt, nouns.txt and verbs.txt (this one may be missing), one word a
  // line; blank lines and lines that start with # are skipped. Errors: kIo; kInput naming file and
  // line.
  [[nodiscard]] static Result<std::shared_ptr<const WordPool>> load(const std::string& folder);
  // Lists are sorted and freed of duplicates. Requires: adjectives and nouns not empty.
  WordPool(WordLists lists, CorpusInfo info);

  // Pairs are made as they are asked for: RULER's lists have six million.
  [[nodiscard]] uint64_t pair_count() const {
    return lists_.adjectives.size() * lists_.nouns.size();
  }
  // "adjective-noun". Requires: index < pair_count().
  [[nodiscard]] std::string pair(uint64_t index) const;
  // Nouns, adjectives and verbs together, sorted, each once: the words of CWE.
  [[nodiscard]] const std::vector<std::string>& words() const { return words_; }
  // `count` different words in random order: the pool's first, then invented ones ("stanoul") where
  // it is too small. A shorter draw from an equal `random` is the start of a longer one.
  [[nodiscard]] std::vector<std::string> draw_words(size_t count, Random& random) const;
  [[nodiscard]] const WordLists& lists() const { return lists_; }
  [[nodiscard]] const CorpusInfo& info() const { return info_; }

 private:
  WordLists lists_;
  std::vector<std::string> words_;
  CorpusInfo info_;
};

}  // namespace fathom
