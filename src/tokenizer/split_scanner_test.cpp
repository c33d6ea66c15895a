// Hand-written splitting against the regular expression itself on PCRE2 (G2, Q2).
#include "tokenizer/split_scanner.h"

#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <string>
#include <vector>

#include "tokenizer/split_pcre2.h"
#include "tokenizer/word_splitter.h"

namespace fathom {
namespace {

// Characters on which the families differ: contractions (with the long s), case, marks, number
// kinds, spaces, line ends, CJK, emoji.
const std::vector<std::string>& characters() {
  static const std::vector<std::string> all = {
      "a",      "b",      "s",      "S",          "t",          "T",
      "l",      "L",      "v",      "e",          "E",          "r",
      "m",      "d",      "A",      "Z",          "'",          "'",
      "’",      " ",      " ",      " ",          "  ",         "\t",
      "\n",     "\r",     "\r\n",   "\v",         "\f",         ".",
      ",",      "!",      "?",      "/",          "-",          "_",
      "(",      ")",      "\"",     "<",          "=",          "$",
      "+",      "0",      "1",      "23",         "456",        "é",
      "É",      "ß",      "ſ",      "ǅ",          "ʰ",          "ª",
      "中",     "日",     "か",     "カ",         "・",         "゛",
      "ー",     "한",     "न",      "म",          "स",          "्",
      "ते",      "ع",      "ש",      "\u0301",     "\u0300",     "\u200d",
      "\u00a0", "\u2003", "\u3000", "\u0085",     "\u2028",     "½",
      "²",      "Ⅷ",      "٣",      "😀",         "🏽",         "€",
      "^",      "|",      "«",      "—",          "“",          std::string(1, '\0'),
      "\x01",   "\x7f",   "\ufeff", "\U00010400", "\U0001d400", "\U000e0001",
      "\ue000", "▁",      "word",   "Word",       " the",       " of",
      "'s",     "'LL",    "'re",    "'ſ",         "camelCase",  "HTTPServer",
      "    ",   "\n\n",   " \n",    "\n ",        ";\n//",      "12345678"};
  return all;
}

std::string random_text(std::mt19937& random, size_t pieces, bool ascii_only) {
  std::string text;
  while (pieces > 0) {
    const std::string& piece = characters()[random() % characters().size()];
    if (ascii_only && static_cast<unsigned char>(piece[0]) >= 0x80) continue;
    text += piece;
    --pieces;
  }
  return text;
}

std::vector<size_t> split_all(const SplitRule& rule, const std::string& text, size_t batch) {
  std::vector<size_t> ends;
  std::vector<size_t> part(batch);
  size_t position = 0;
  while (position < text.size()) {
    const size_t n = rule.split(text, ByteSpan{0, text.size()}, position, part.data(), batch);
    ends.insert(ends.end(), part.begin(), part.begin() + static_cast<std::ptrdiff_t>(n));
    position = ends.back();
  }
  return ends;
}

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) out += fmt::format("{:02x} ", static_cast<unsigned char>(c));
  return out;
}

class PublishedPattern : public testing::TestWithParam<std::string_view> {
 protected:
  std::string pattern_ = std::string(GetParam());
  std::unique_ptr<SplitRule> fast_ = make_split_rule(*known_grammar(pattern_));
  std::unique_ptr<SplitRule> plain_ = std::move(*make_pcre2_rule(pattern_));
};

TEST_P(PublishedPattern, SplitsAsTheExpressionDoes) {
  ASSERT_NE(fast_, nullptr);
  std::mt19937 random(1);
  for (int round = 0; round < 4000; ++round) {
    const std::string text = random_text(random, 1 + random() % 60, round % 2 == 0);
    const auto expected = split_all(*plain_, text, 7);
    ASSERT_EQ(split_all(*fast_, text, 256), expected) << escaped(text);
    ASSERT_EQ(split_all(*fast_, text, 1), expected) << "one at a time: " << escaped(text);
  }
}

TEST_P(PublishedPattern, SplitsEnglishAndCodeAsTheExpressionDoes) {
  std::mt19937 random(2);
  const std::vector<std::string> words = {
      "the ",   "whale's ", "don't ",  "I'll",       ", and ", "(x) ",    "\"Yes,\" ", "1851",
      ". \n\n", "for (i=",  "foo_bar", "fooBar();",  "\n  ",   "\n\t\t",  "//* ",      "—",
      "é",      "'tis ",    "IT'S ",   "x\n\n \n y", "   \n",  "end.\r\n"};
  std::string text;
  while (text.size() < 200'000) text += words[random() % words.size()];
  EXPECT_EQ(split_all(*fast_, text, 256), split_all(*plain_, text, 256));
}

// The end of the range is the end of the text for look-ahead, whatever follows it.
TEST_P(PublishedPattern, ARangeIsItsOwnText) {
  std::mt19937 random(3);
  for (int round = 0; round < 300; ++round) {
    const std::string text = random_text(random, 40, false) + std::string(100, ' ');
    std::vector<size_t> starts{0};
    for (size_t i = 1; i < text.size(); ++i)
      if ((static_cast<unsigned char>(text[i]) & 0xC0) != 0x80) starts.push_back(i);
    const size_t begin = starts[random() % (starts.size() / 2)];
    const size_t end = starts[starts.size() / 2 + random() % (starts.size() / 2)];
    const std::string inside = text.substr(begin, end - begin);
    std::vector<size_t> expected = split_all(*plain_, inside, 16);
    std::vector<size_t> ends;
    std::vector<size_t> part(1000);
    for (size_t at = begin; at < end; at = ends.back()) {
      const size_t n = fast_->split(text, ByteSpan{begin, end}, at, part.data(), part.size());
      ends.insert(ends.end(), part.begin(), part.begin() + static_cast<std::ptrdiff_t>(n));
    }
    for (size_t& e : expected) e += begin;
    ASSERT_EQ(ends, expected) << escaped(inside);
  }
}

// Any bytes at all are split without reading past them (address sanitizer), and nothing is lost.
TEST_P(PublishedPattern, AnyBytesAreCovered) {
  std::mt19937 random(4);
  for (int round = 0; round < 500; ++round) {
    const size_t size = 1 + random() % 200;
    const std::unique_ptr<char[]> bytes(new char[size]);
    for (size_t i = 0; i < size; ++i)
      bytes[i] = static_cast<char>(round % 2 ? random() : random() % 128);
    const std::string_view text(bytes.get(), size);
    size_t position = 0;
    std::vector<size_t> part(16);
    while (position < size) {
      const size_t n = fast_->split(text, ByteSpan{0, size}, position, part.data(), part.size());
      ASSERT_GT(n, 0U);
      for (size_t i = 0; i < n; ++i) {
        ASSERT_GT(part[i], position);
        position = part[i];
      }
    }
    EXPECT_EQ(position, size);
  }
}

INSTANTIATE_TEST_SUITE_P(All, PublishedPattern, testing::ValuesIn(published_patterns()));

class ClassRunPattern : public testing::TestWithParam<const char*> {};

TEST_P(ClassRunPattern, SplitsAsTheExpressionDoes) {
  const auto fast = make_split_rule(*known_class_run(GetParam()));
  const auto plain = std::move(*make_pcre2_rule(GetParam()));
  std::mt19937 random(5);
  for (int round = 0; round < 2000; ++round) {
    const std::string text = random_text(random, 1 + random() % 30, false);
    ASSERT_EQ(split_all(*fast, text, 256), split_all(*plain, text, 3)) << escaped(text);
  }
}

INSTANTIATE_TEST_SUITE_P(All, ClassRunPattern,
                         testing::Values(R"(\p{N})", R"(\p{N}{1,3})", R"(\p{N}+)",
                                         "[0-9][0-9][0-9]", "[\r\n]",
                                         "[\u4e00-\u9fa5\u3040-\u309f\u30a0-\u30ff]+"));

std::vector<std::string> words_of(const std::vector<SplitStage>& stages, const std::string& text) {
  const auto splitter = WordSplitter::create(stages);
  EXPECT_TRUE(splitter.has_value());
  WordSource::Cursor cursor;
  std::vector<std::string> words;
  size_t begin = 0;
  size_t ends[3];
  while (const size_t n = splitter->next(text, cursor, ends, 3))
    for (size_t i = 0; i < n; ++i) {
      words.push_back(text.substr(begin, ends[i] - begin));
      begin = ends[i];
    }
  return words;
}

TEST(WordSplitter, StagesSplitThePiecesOfTheStageBefore) {
  const std::string gpt2 = std::string(published_patterns()[0]);
  using Words = std::vector<std::string>;
  // The space before a digit stays alone: it is the end of its piece.
  EXPECT_EQ(words_of({{R"(\p{N})"}, {gpt2}}, "in  1984 x"),
            (Words{"in", "  ", "1", "9", "8", "4", " x"}));
  EXPECT_EQ(words_of({{gpt2}}, "in  1984 x"), (Words{"in", " ", " 1984", " x"}));
  EXPECT_EQ(words_of({}, "one word"), (Words{"one word"}));
  EXPECT_EQ(words_of({{"b*"}}, "abbc"), (Words{"a", "bb", "c"}));
  EXPECT_EQ(words_of({{"(?<=x)y"}}, "xyy"), (Words{"x", "y", "y"}));
}

TEST(WordSplitter, NamesWhatRunsOnTheGeneralEngineAndRefusesBrokenPatterns) {
  const auto slow = WordSplitter::create({{R"(\p{N})"}, {"[a-f]+"}});
  ASSERT_TRUE(slow.has_value());
  EXPECT_EQ(slow->slow_paths(), std::vector<std::string>{"split by PCRE2: [a-f]+"});
  const auto broken = WordSplitter::create({{"(unclosed"}});
  ASSERT_FALSE(broken.has_value());
  EXPECT_EQ(broken.error().code, ErrorCode::kInput);
  EXPECT_NE(broken.error().message.find("(unclosed"), std::string::npos);
}

}  // namespace
}  // namespace fathom
