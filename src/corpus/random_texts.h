// Keys, values and names drawn at random, never the same twice within one sample.
//
//   Random random(sample_key, "needles");
//   DistinctTexts texts(pool);
//   TRY(const std::string key, texts.draw(TextKind::kWords, random));
//   TRY(const std::string name, texts.upper_word(5, random));
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_set>

#include "base/random.h"
#include "base/result.h"
#include "corpus/word_pool.h"

namespace fathom {

enum class TextKind {
  kWords,    // an adjective-noun pair of the pool
  kNumbers,  // seven digits, 1000000 to 9999999
  kUuids,    // version 4, lower case, with hyphens
};

[[nodiscard]] std::string_view to_text(
    TextKind kind);  // "words", "numbers", "uuids": also RULER's plural
[[nodiscard]] Result<TextKind> text_kind_from_text(std::string_view text);

// Single draws, free to repeat.
[[nodiscard]] std::string random_number(
    int digits, Random& random);  // first digit not 0. Requires: 1 <= digits <= 18
[[nodiscard]] std::string random_uuid(Random& random);
[[nodiscard]] std::string random_letters(int letters, char first,
                                         Random& random);  // first: 'a' or 'A'

// Remembers every text it gave out, of all kinds together. One per sample; thread-compatible.
// Errors (kInput): all texts of that form are given out; the message says how many there are.
class DistinctTexts {
 public:
  explicit DistinctTexts(std::shared_ptr<const WordPool> pool) : pool_(std::move(pool)) {}

  [[nodiscard]] Result<std::string> draw(TextKind kind, Random& random);
  [[nodiscard]] Result<std::string> number(int digits, Random& random);
  [[nodiscard]] Result<std::string> upper_word(int letters,
                                               Random& random);  // variable names: "QXBTA"
  [[nodiscard]] Result<std::string> lower_word(int letters,
                                               Random& random);  // coded words: "kfwqzo"
  [[nodiscard]] Result<std::string> pool_word(Random& random);   // of WordPool::words()

  // Marks a text as taken. Returns: whether it was free.
  bool reserve(std::string text) { return seen_.insert(std::move(text)).second; }
  [[nodiscard]] bool taken(const std::string& text) const { return seen_.contains(text); }

 private:
  template <typename Make>
  Result<std::string> fresh(double possible, std::string_view what, Make make);

  std::shared_ptr<const WordPool> pool_;
  std::unordered_set<std::string> seen_;
};

}  // namespace fathom
