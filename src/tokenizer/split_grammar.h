// The published split patterns as small grammars: the regular expression of a tokenizer file is
// looked up by its exact text, and the words it matches are then found by hand-written code
// (split_scanner.h).
//
//   const auto grammar = known_grammar(R"( ?\p{L}+| ?...)");  // nullopt: run it on PCRE2
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace fathom {

enum class Contractions {
  kNone,
  kLowerCase,  // 's 't 're 've 'm 'll 'd
  kAnyCase,    // the same in any case; U+017F counts as s, as in every engine that folds case by
               // Unicode
  kAsciiCase,  // the same in any case of ASCII letters
  kSuffix,     // as kAnyCase, but the end of the word before it
};

enum class WordRule {
  kAfterSpace,   //  ?\p{L}+
  kAfterAny,     // [^\r\n\p{L}\p{N}]?\p{L}+
  kWithMarks,    // [^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+, marks are no punctuation
  kCased,        // upper-case letters then lower-case ones, marks and caseless letters in both
  kAsciiSplice,  // ASCII punctuation + ASCII letters, or [^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+
};

enum class DigitRule {
  kNone,           // digits match nothing
  kOne,            // \p{N}
  kThree,          // \p{N}{1,3}
  kRunAfterSpace,  //  ?\p{N}+
};

enum class PunctuationTail { kNone, kNewlines, kNewlinesAndSlashes };

// A family of patterns; every alternative not named here is the same in all of them.
struct SplitGrammar {
  Contractions contractions = Contractions::kNone;
  WordRule words = WordRule::kAfterSpace;
  DigitRule digits = DigitRule::kOne;
  PunctuationTail tail = PunctuationTail::kNone;
  bool newline_runs = true;       // \s*[\r\n]+ before the other whitespace rules
  bool whole_run_at_end = false;  // \s+$ before that
};

// What one stage's pattern is: a full grammar, or runs of one class of characters with the text
// between them.
enum class ClassRun {
  kNumberOne,
  kNumberThree,
  kNumberRun,
  kHanRun,
  kThreeAsciiDigits,
  kNewlineOne
};

// The grammar that `pattern` spells, if it is a published one.
[[nodiscard]] std::optional<SplitGrammar> known_grammar(std::string_view pattern);
// The class run that `pattern` spells, if it is one of those known.
[[nodiscard]] std::optional<ClassRun> known_class_run(std::string_view pattern);
// Every pattern known_grammar() accepts, for tests.
[[nodiscard]] std::vector<std::string_view> published_patterns();

}  // namespace fathom
