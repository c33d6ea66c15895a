// Phrases by which an answer takes itself back: that the text does not hold it, that it is only a
// guess, that the evidence looks planted. English; an answer in another language is read as having
// none (docs/grading.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/span.h"

namespace fathom {

// A word of an answer.
struct AnswerWord {
  ByteSpan bytes;
  uint32_t sentence = 0;  // number of the sentence it stands in
};

// The words of a lower-case text, by text/words.h. Sentences end with . ! ? and their like in other
// scripts before white space, and at line breaks. O(n) in bytes.
[[nodiscard]] std::vector<AnswerWord> answer_words(std::string_view lowered);

enum class PhraseKind {
  kDenial,   // "i cannot find", "there is no such", "is not mentioned"
  kPlanted,  // "out of place", "seems to be a test"
  kDoubt,    // "i am not sure", "my guess is"
  kMaybe,    // "perhaps", "possibly": of what stands beside it
  kModal,    // "might be", "could be": of what follows
};

struct PhrasePlace {
  PhraseKind kind = PhraseKind::kDenial;
  size_t first_word = 0;
  size_t last_word = 0;  // the last one that belongs to it
};

// In the order of the text. Words that only lend weight ("explicitly", "really") may stand inside a
// phrase; a denial of further things only ("no other number") is none. O(n) in words.
[[nodiscard]] std::vector<PhrasePlace> phrases_in(std::string_view lowered,
                                                  const std::vector<AnswerWord>& words);

// Whether the word that governs the place at words[word] negates it: "not 7654321", "rather than
// 7654321", articles and nouns like "number" passed over.
[[nodiscard]] bool is_negated(std::string_view lowered, const std::vector<AnswerWord>& words,
                              size_t word);

}  // namespace fathom
