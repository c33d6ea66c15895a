#include "tokenizer/split_grammar.h"

#include <array>

namespace fathom {

namespace {

struct Published {
  std::string_view pattern;
  SplitGrammar grammar;
};

constexpr SplitGrammar kGpt2{Contractions::kLowerCase,
                             WordRule::kAfterSpace,
                             DigitRule::kRunAfterSpace,
                             PunctuationTail::kNone,
                             false,
                             false};
constexpr SplitGrammar kLlama3{Contractions::kAnyCase,
                               WordRule::kAfterAny,
                               DigitRule::kThree,
                               PunctuationTail::kNewlines,
                               true,
                               false};
constexpr SplitGrammar kCl100k{Contractions::kAnyCase,
                               WordRule::kAfterAny,
                               DigitRule::kThree,
                               PunctuationTail::kNewlines,
                               true,
                               true};
constexpr SplitGrammar kLlama3Ascii{Contractions::kAsciiCase,
                                    WordRule::kAfterAny,
                                    DigitRule::kThree,
                                    PunctuationTail::kNewlines,
                                    true,
                                    false};
constexpr SplitGrammar kQwen2{Contractions::kAnyCase,
                              WordRule::kAfterAny,
                              DigitRule::kOne,
                              PunctuationTail::kNewlines,
                              true,
                              false};
constexpr SplitGrammar kQwen2Ascii{Contractions::kAsciiCase,
                                   WordRule::kAfterAny,
                                   DigitRule::kOne,
                                   PunctuationTail::kNewlines,
                                   true,
                                   false};
constexpr SplitGrammar kQwen35{Contractions::kAnyCase,
                               WordRule::kWithMarks,
                               DigitRule::kOne,
                               PunctuationTail::kNewlines,
                               true,
                               false};
constexpr SplitGrammar kQwen35Ascii{Contractions::kAsciiCase,
                                    WordRule::kWithMarks,
                                    DigitRule::kOne,
                                    PunctuationTail::kNewlines,
                                    true,
                                    false};
constexpr SplitGrammar kO200k{Contractions::kSuffix,
                              WordRule::kCased,
                              DigitRule::kThree,
                              PunctuationTail::kNewlinesAndSlashes,
                              true,
                              false};
constexpr SplitGrammar kTekken{Contractions::kNone,
                               WordRule::kCased,
                               DigitRule::kOne,
                               PunctuationTail::kNewlinesAndSlashes,
                               true,
                               false};
constexpr SplitGrammar kDeepSeek{Contractions::kNone,
                                 WordRule::kAsciiSplice,
                                 DigitRule::kNone,
                                 PunctuationTail::kNewlines,
                                 true,
                                 false};

#define ANY_CASE_CONTRACTIONS "(?i:'s|'t|'re|'ve|'m|'ll|'d)"
#define GROUPED_CONTRACTIONS "(?i:'[sdmt]|'ll|'ve|'re)"
#define ASCII_CONTRACTIONS "(?:'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])"
#define ANY_WORD R"(|[^\r\n\p{L}\p{N}]?\p{L}+)"
#define MARK_WORD R"(|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+)"
#define PUNCTUATION R"(| ?[^\s\p{L}\p{N}]+[\r\n]*)"
#define MARK_PUNCTUATION R"(| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*)"
#define SPACES R"(|\s*[\r\n]+|\s+(?!\S)|\s+)"
#define UPPER R"([\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}])"
#define LOWER R"([\p{Ll}\p{Lm}\p{Lo}\p{M}])"
#define CASED_PREFIX R"([^\r\n\p{L}\p{N}]?)"

constexpr auto kPublished = std::to_array<Published>({
    // GPT-2, RoBERTa, MPT, GPT-NeoX, and the second stage of StarCoder, SmolLM, Refact, Command-R
    // and Falcon.
    {R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)", kGpt2},
    {R"('(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)", kGpt2},
    {R"('(?:[sdmt]|ll|ve|re)| ?\p{L}++| ?\p{N}++| ?[^\s\p{L}\p{N}]++|\s++$|\s+(?!\S)|\s)", kGpt2},
    // Llama-3 and the cl100k files on Hugging Face.
    {ANY_CASE_CONTRACTIONS ANY_WORD R"(|\p{N}{1,3})" PUNCTUATION SPACES, kLlama3},
    {GROUPED_CONTRACTIONS ANY_WORD R"(|\p{N}{1,3})" PUNCTUATION SPACES, kLlama3},
    {ASCII_CONTRACTIONS ANY_WORD R"(|\p{N}{1,3})" PUNCTUATION SPACES, kLlama3Ascii},
    // cl100k as tiktoken has it.
    {R"('(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]|\s+(?!\S)|\s)",
     kCl100k},
    {R"('(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]++[\r\n]*|\s*[\r\n]|\s+(?!\S)|\s+)",
     kLlama3},
    // Qwen2, 2.5, 3.
    {ANY_CASE_CONTRACTIONS ANY_WORD R"(|\p{N})" PUNCTUATION SPACES, kQwen2},
    {ASCII_CONTRACTIONS ANY_WORD R"(|\p{N})" PUNCTUATION SPACES, kQwen2Ascii},
    // Qwen3.5.
    {ANY_CASE_CONTRACTIONS MARK_WORD R"(|\p{N})" MARK_PUNCTUATION SPACES, kQwen35},
    {ASCII_CONTRACTIONS MARK_WORD R"(|\p{N})" MARK_PUNCTUATION SPACES, kQwen35Ascii},
    // o200k: GPT-4o, gpt-oss, Llama-4, Phi-4-mini.
    {CASED_PREFIX UPPER "*" LOWER "+" ANY_CASE_CONTRACTIONS "?|" CASED_PREFIX UPPER "+" LOWER
                        "*" ANY_CASE_CONTRACTIONS
                        R"(?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*)" SPACES,
     kO200k},
    // Tekken: Mistral NeMo and later.
    {CASED_PREFIX UPPER "*" LOWER "+|" CASED_PREFIX UPPER "+" LOWER
                        R"(*|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*)" SPACES,
     kTekken},
    // DeepSeek V3, third stage; the file holds line ends inside the brackets as characters or as
    // escapes.
    {"[!\"#$%&'()*+,\\-./"
     ":;<=>?@\\[\\\\\\]^_`{|}~][A-Za-z]+|[^\r\n\\p{L}\\p{P}\\p{S}]?[\\p{L}\\p{M}]+"
     "| ?[\\p{P}\\p{S}]+[\r\n]*|\\s*[\r\n]+|\\s+(?!\\S)|\\s+",
     kDeepSeek},
    {"[!\"#$%&'()*+,\\-./"
     ":;<=>?@\\[\\\\\\]^_`{|}~][A-Za-z]+|[^\\r\\n\\p{L}\\p{P}\\p{S}]?[\\p{L}\\p{M}]+"
     "| ?[\\p{P}\\p{S}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+",
     kDeepSeek},
});

struct PublishedRun {
  std::string_view pattern;
  ClassRun run;
};

constexpr auto kRuns = std::to_array<PublishedRun>({
    {R"(\p{N})", ClassRun::kNumberOne},
    {R"(\p{N}{1,3})", ClassRun::kNumberThree},
    {R"(\p{N}+)", ClassRun::kNumberRun},
    {"[\u4e00-\u9fa5\u3040-\u309f\u30a0-\u30ff]+", ClassRun::kHanRun},
    {"[0-9][0-9][0-9]", ClassRun::kThreeAsciiDigits},
    {"[\r\n]", ClassRun::kNewlineOne},
    {R"([\r\n])", ClassRun::kNewlineOne},
});

}  // namespace

std::optional<SplitGrammar> known_grammar(std::string_view pattern) {
  for (const Published& published : kPublished)
    if (published.pattern == pattern) return published.grammar;
  return std::nullopt;
}

std::optional<ClassRun> known_class_run(std::string_view pattern) {
  for (const PublishedRun& published : kRuns)
    if (published.pattern == pattern) return published.run;
  return std::nullopt;
}

std::vector<std::string_view> published_patterns() {
  std::vector<std::string_view> patterns;
  for (const Published& published : kPublished) patterns.push_back(published.pattern);
  return patterns;
}

}  // namespace fathom
