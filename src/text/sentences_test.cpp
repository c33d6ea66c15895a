#include "text/sentences.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

namespace fathom {
namespace {

std::vector<std::string> texts(std::string_view text) {
  std::vector<std::string> out;
  for (const ByteSpan& span : split_sentences(text))
    out.emplace_back(text.substr(span.begin, span.end - span.begin));
  return out;
}

struct Case {
  const char* name;
  std::string joined;  // the sentences, with | where one ends and white space follows
};

class SentenceCases : public testing::TestWithParam<Case> {};

// G7: cuts fall on sentence ends.
TEST_P(SentenceCases, SplitsAtTheBars) {
  std::vector<std::string> expected(1);
  std::string text;
  for (const char c : GetParam().joined) {
    if (c == '|') {
      expected.emplace_back();
    } else {
      expected.back() += c;
      text += c;
    }
  }
  for (std::string& sentence : expected)
    while (sentence.ends_with(' ') || sentence.ends_with('\n')) sentence.pop_back();
  EXPECT_EQ(texts(text), expected);
}

INSTANTIATE_TEST_SUITE_P(English, SentenceCases,
                         testing::ValuesIn(std::vector<Case>{
                             {"plain", "It rained. |We went home."},
                             {"question", "Who came? |Nobody did! |Really?"},
                             {"wrapped", "It rained\nall day.\n|We went\nhome."},
                             {"title", "Mr. Hale met Dr. Donaldson and Mrs. Shaw. |They spoke."},
                             {"initials", "J. R. Smith saw H. G. Wells. |He waved."},
                             {"initial_then_starter", "They chose plan B. |The rest was easy."},
                             {"pronoun_i", "So am I. |He went on."},
                             {"acronym", "The U.S. Senate met. |It voted."},
                             {"acronym_end", "He lives in the U.S. |She lives in France."},
                             {"latin", "Some, e.g. the first, i.e. Anna, left. |We stayed."},
                             {"etc_inside", "Bread, milk, etc. Anna bought. |Then she left."},
                             {"etc_end", "Bread, milk, etc. |The shop closed."},
                             {"number", "See No. 5 and Fig. 3 of vol. 2. |It helps."},
                             {"no_as_word", "He said no. |Then he left."},
                             {"decimal", "It costs 3.50 dollars. |That is much."},
                             {"ellipsis_lower", "He waited... and waited. |Then he left."},
                             {"ellipsis_upper", "He waited... |Then he left."},
                             {"quote_end", "\"I know.\" |She left."},
                             {"quote_tag", "\"Where?\" she asked. |\"There,\" he said."},
                             {"quote_two", "\"I came. |I saw.\" |He laughed."},
                             {"curly", "\u201CCome in.\u201D |\u201CWhy?\u201D he said."},
                             {"bracket", "It rained (as always.) |We left."},
                             {"bang_tag", "\"Stop!\" cried the man. |He ran."},
                             {"many_marks", "What?! |No!! |Yes."},
                             {"dash", "He came.--She left. |They met."},
                             {"list_number", "12. The road is long. |It ends."},
                             {"time", "At 5 p.m. we left. |At 6 p.m. |The train came."},
                             {"company", "Smith & Co. |The firm failed."},
                             {"saint", "St. Paul's is old. |It stands."},
                             {"interrobang_space", "Is it? |\"It is,\" he said."},
                             {"no_end_mark", "A line without an end"},
                             {"url", "See www.example.org for more. |It helps."},
                             {"single_quotes", "'I know.' |'You do not.'"},
                             {"dotted_name", "George W. Bush spoke. |We listened."}}),
                         [](const auto& row) { return row.param.name; });

INSTANTIATE_TEST_SUITE_P(Scripts, SentenceCases,
                         testing::ValuesIn(std::vector<Case>{
                             {"chinese", "我来了。|你走了！|为什么？|好。"},
                             {"chinese_quote", "他说：「我来了。」|她走了。"},
                             {"japanese", "今日は雨です。|明日は晴れです。"},
                             {"hindi", "यह घर है।|वह आया।"},
                             {"arabic", "أين هو؟ |هو هنا."},
                             {"urdu", "وہ آیا۔ |میں گیا۔"},
                             {"russian", "Он пришёл. |Она ушла."},
                             {"german_quote", "„Wer ist da?“, fragte er. |Niemand."},
                             {"french", "Il pleut. |« Où est-il ? » |Il part."},
                             {"spanish", "¿Quién es? |¡Nadie! |Él vino."},
                             {"greek_upper", "Ήρθε. |Έφυγε."},
                             {"thai", "สวัสดีครับ ผมชื่อสมชาย"}}),
                         [](const auto& row) { return row.param.name; });

TEST(Sentences, KeepEveryVisibleCharacterInOrder) {
  const std::string text = "  One. Two?  \t\"Three!\" four; five.\xC2\xA0 Six\xFF seven... 8. ";
  std::string kept;
  uint64_t last = 0;
  for (const ByteSpan& span : split_sentences(text)) {
    ASSERT_LT(span.begin, span.end);
    for (uint64_t i = last; i < span.begin; ++i)
      EXPECT_TRUE(text[i] == ' ' || text[i] == '\t' || text[i] == '\xC2' || text[i] == '\xA0') << i;
    last = span.end;
  }
  EXPECT_EQ(text.substr(last), " ");
}

TEST(Sentences, EmptyAndBlank) {
  EXPECT_TRUE(split_sentences("").empty());
  EXPECT_TRUE(split_sentences(" \n\t ").empty());
  EXPECT_EQ(texts("..."), std::vector<std::string>{"..."});
}

TEST(Sentences, LinearOnHostileText) {
  for (const char* unit : {".", ". ", ".\"", "A. ", "( ", "\xFF.", "。", "\xE3\x80\x80", "1. "}) {
    std::string text;
    while (text.size() < 2'000'000) text += unit;
    const auto start = std::chrono::steady_clock::now();
    const auto spans = split_sentences(text);
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5)) << unit;
    EXPECT_LE(spans.size(), text.size());
  }
}

}  // namespace
}  // namespace fathom
