#include "text/words.h"

#include <gtest/gtest.h>

namespace fathom {
namespace {

std::vector<std::string> texts(std::string_view text) {
  std::vector<std::string> out;
  for (const ByteSpan& span : split_words(text))
    out.emplace_back(text.substr(span.begin, span.end - span.begin));
  return out;
}

TEST(Words, RunsOfLettersAndDigits) {
  struct Case {
    std::string_view text;
    std::vector<std::string> words;
  };
  const Case cases[] = {
      {"", {}},
      {" -- ' ", {}},
      {"Don't stop, well-known 3rd man!", {"Don't", "stop", "well-known", "3rd", "man"}},
      {"dogs' tails - 'quoted'", {"dogs", "tails", "quoted"}},
      {"snake_case 1,234", {"snake", "case", "1", "234"}},
      {"Crème brûlée für Ελένη", {"Crème", "brûlée", "für", "Ελένη"}},
      {"e\u0301clair", {"e\u0301clair"}},
      {"我来了 abc我", {"我", "来", "了", "abc", "我"}},
      {"bad\xFF"
       "byte",
       {"bad", "byte"}},
      {"rock\u2019n roll", {"rock\u2019n", "roll"}},
  };
  for (const Case& c : cases) EXPECT_EQ(texts(c.text), c.words) << c.text;
}

TEST(Words, LowerCase) {
  EXPECT_EQ(lower_case("Ärger ΣΑΣ ABC ſ\xFF Ж"), "ärger σασ abc ſ\xFF ж");
  EXPECT_EQ(lower_case(""), "");
}

TEST(Words, FindPhraseNeedsFreeEdges) {
  struct Case {
    std::string_view text;
    std::string_view phrase;
    size_t at;
  };
  constexpr size_t kNone = std::string_view::npos;
  const Case cases[] = {
      {"the cat sat", "cat", 4}, {"concat cat", "cat", 7}, {"cats", "cat", kNone},
      {"12345", "234", kNone},   {"a 234.", "234", 2},     {"écat cat", "cat", 6},
      {"caté", "cat", kNone},    {"cat", "cat", 0},        {"dog", "cat", kNone},
      {"Cat", "cat", kNone},     {"anything", "", kNone},  {"x(cat)", "cat", 2},
  };
  for (const Case& c : cases)
    EXPECT_EQ(find_phrase(c.text, c.phrase), c.at) << c.text << " / " << c.phrase;
}

}  // namespace
}  // namespace fathom
