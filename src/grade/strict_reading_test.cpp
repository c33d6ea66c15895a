// J2, J4: the strict reading beside the benchmark's own, at word boundaries, without denials,
// hedges and extra candidates.
#include "grade/strict_reading.h"

#include <gtest/gtest.h>

#include <chrono>

#include "base/random.h"
#include "grade/score.h"
#include "grade/whole_words.h"

namespace fathom {
namespace {

using Texts = std::vector<std::string>;

TEST(WholeWords, AreBoundedByNeitherLettersNorDigits) {
  struct Case {
    const char* text;
    const char* phrase;
    Compounds compounds;
    size_t places;
  };
  const Case cases[] = {
      {"an ear, the earring, hear", "ear", Compounds::kOneWord, 1},
      {"not, know, another; no.", "no", Compounds::kApart, 1},
      {"12345678 1234567 01234567", "1234567", Compounds::kOneWord, 1},
      {"1234567", "1234567", Compounds::kOneWord, 1},
      {"it is 1234567.", "1234567", Compounds::kOneWord, 1},
      {"3.1234567 and 1234567.5", "1234567", Compounds::kOneWord, 0},
      {"1,234,567", "234", Compounds::kOneWord, 0},
      {"1,234,567", "567", Compounds::kOneWord, 0},
      {"1234567,7654321", "1234567", Compounds::kOneWord, 1},
      {"1234567,7654321", "7654321", Compounds::kOneWord, 1},
      {"detailed-pillar", "pillar", Compounds::kOneWord, 0},
      {"a New York-based firm", "New York", Compounds::kApart, 1},
      {"the dog's bowl; dogs", "dog", Compounds::kOneWord, 1},
      {"isn't", "isn", Compounds::kOneWord, 0},
      {"l'Italie", "Italie", Compounds::kApart, 1},
      {"_word_ **word** `word` my_word", "word", Compounds::kOneWord, 3},
      {"答案是1234567号", "1234567", Compounds::kOneWord, 1},
      {"在北京市", "北京", Compounds::kApart, 1},
      {"서울은 수도", "서울", Compounds::kApart, 1},
      {"cafe\u0301 cafe", "cafe", Compounds::kApart, 1},
      {"straße strasse", "stra", Compounds::kApart, 0},
      {"\xff"
       "abc\xfe",
       "abc", Compounds::kOneWord, 1},
      {"abc", "", Compounds::kOneWord, 0},
      {"aaaa", "aa", Compounds::kOneWord, 0},
  };
  for (const Case& test : cases)
    EXPECT_EQ(whole_places(test.text, test.phrase, test.compounds).size(), test.places)
        << test.text << " / " << test.phrase;
}

Expectation values_of_keys(Texts keys) {
  Expectation expectation;
  expectation.form = AnswerForm::kValues;
  expectation.keys = std::move(keys);
  return expectation;
}

struct StrictCase {
  const char* answer;
  double official;
  double strict;
};

void expect_scores(Metric metric, const Texts& references, const Expectation& expectation,
                   const std::vector<StrictCase>& cases) {
  for (const StrictCase& test : cases) {
    const Score score = grade(metric, test.answer, references, expectation);
    EXPECT_DOUBLE_EQ(score.official, test.official) << test.answer;
    EXPECT_DOUBLE_EQ(score.strict, test.strict)
        << test.answer << " "
        << (score.misses.empty() ? "" : std::string(to_text(score.misses[0].kind)));
    EXPECT_EQ(score.misses.empty(), score.strict == 1) << test.answer;
  }
}

TEST(StrictReading, OfOneValue) {
  expect_scores(Metric::kStringMatchAll, {"7931067"}, values_of_keys({"calm-river"}),
                {{"7931067.", 1, 1},
                 {" The number for calm-river is 7931067, as the text says.", 1, 1},
                 {"7931067. 7931067. 7931067.", 1, 1},
                 {"Of 12 chapters from 1998, the third has it: 7931067", 1, 1},
                 {"17931067", 1, 0},
                 {"7931067 or 1234567", 1, 0},
                 {"7931067, 1234567", 1, 0},
                 {"It is 7931067, not 1234567.", 1, 1},
                 {"It is not 7931067.", 1, 0},
                 {"There is no such number as 7931067.", 1, 0},
                 {"I cannot find it. Maybe 7931067?", 1, 0},
                 {"Perhaps 7931067.", 1, 0},
                 {"7931067, perhaps.", 1, 0},
                 {"It might be 7931067.", 1, 0},
                 {"I'm not sure, but 7931067.", 1, 0},
                 {"Either 7931067 or nothing.", 1, 0},
                 {"7931067. This number may be used in fantasy.", 1, 1},
                 {"I found no other number than 7931067, and there are no other numbers.", 1, 1},
                 {"The number is 7931067. I cannot find any other number.", 1, 1},
                 {"7,931,067", 0, 0},
                 {"", 0, 0},
                 {"1234567", 0, 0}});
}

TEST(StrictReading, OfSeveralValuesTakesOneAwayForEachWrongOne) {
  expect_scores(Metric::kStringMatchAll, {"1111111", "2222222", "3333333", "4444444"},
                values_of_keys({}),
                {{"1111111, 2222222, 3333333, 4444444", 1, 1},
                 {"1111111, 2222222, 3333333", 0.75, 0.75},
                 {"1111111, 2222222, 3333333, 4444444, 5555555", 1, 0.75},
                 {"1111111, 2222222, 5555555, 6666666", 0.5, 0},
                 {"1111111\n1111111\n1111111\n111", 0.25, 0.25}});
}

// The right values with the wrong keys are right by the official metric.
TEST(StrictReading, OfSeveralKeysReadsPairs) {
  expect_scores(Metric::kStringMatchAll, {"1111111", "2222222"},
                values_of_keys({"calm-river", "tall-tree"}),
                {{"1111111 and 2222222", 1, 1},
                 {"calm-river: 1111111, tall-tree: 2222222", 1, 1},
                 {"tall-tree: 2222222\ncalm-river: 1111111", 1, 1},
                 {"calm-river: 2222222, tall-tree: 1111111", 1, 0},
                 {"calm-river: 1111111, tall-tree: 1111111", 0.5, 0},
                 {"calm-river and tall-tree: 2222222 and 1111111", 1, 1}});
}

// A key that looks like the values is no wrong value.
TEST(StrictReading, KnowsTheKeysThatAreAskedFor) {
  const std::string key = "05a5621f-017c-42de-8104-a527956d7697";
  const std::string value = "2ffa84ce-4cbe-4d99-a795-34d48c1a273e";
  expect_scores(Metric::kStringMatchAll, {value}, values_of_keys({key}),
                {{("for " + key + ": " + value).c_str(), 1, 1}});
  const Score without =
      grade(Metric::kStringMatchAll, "for " + key + ": " + value, {value}, values_of_keys({}));
  EXPECT_EQ(without.strict, 0);
}

TEST(StrictReading, OfChainsForbidsOtherVariables) {
  Expectation expectation;
  expectation.form = AnswerForm::kChain;
  expect_scores(Metric::kStringMatchAll, {"ABCDE", "FGHIJ", "KLMNO", "PQRST"}, expectation,
                {{"ABCDE FGHIJ KLMNO PQRST", 1, 1},
                 {"VAR ABCDE, VAR FGHIJ, VAR KLMNO and VAR PQRST", 1, 1},
                 {"abcde fghij klmno pqrst", 1, 1},
                 {"ABCDE FGHIJ", 0.5, 0.5},
                 {"ABCDE FGHIJ KLMNO PQRST ZZZZZ", 1, 0.75},
                 {"ABCDEF FGHIJ", 0.5, 0.25},
                 {"ABCDE ZZZZZ", 0.25, 0}});
}

TEST(StrictReading, OfFrequentWordsForbidsMoreThanAreAsked) {
  Expectation expectation;
  expectation.form = AnswerForm::kWords;
  expect_scores(Metric::kStringMatchAll, {"apple", "ear", "plum"}, expectation,
                {{"1. apple 2. ear 3. plum", 1, 1},
                 {"apple, ear and plum", 1, 1},
                 {"The words are:\n- apple\n- ear (12 times)\n- plum", 1, 1},
                 {"1. apple 2. earring 3. plum", 1, 2.0 / 3},
                 {"1. apple 2. fig 3. plum", 2.0 / 3, 2.0 / 3},
                 {"1. apple 2. ear 3. plum 4. fig", 1, 2.0 / 3},
                 {"apple, ear, plum, fig, kiwi, pear, lime", 1, 0},
                 {"1. apple 2. ear 3. plum 4. apple", 1, 1},
                 {"apple ear plum", 1, 1}});
}

TEST(StrictReading, OfDocuments) {
  Expectation expectation;
  expectation.form = AnswerForm::kDocuments;
  expect_scores(Metric::kStringMatchPart, {"Paris", "City of Light"}, expectation,
                {{"Paris", 1, 1},
                 {"Paris, France", 1, 1},
                 {"It was in Paris-based firms, I mean Paris.", 1, 1},
                 {"Parisian", 1, 0},
                 {"Paris or London", 1, 0},
                 {"Paris or the City of Light", 1, 1},
                 {"Maybe Paris.", 1, 0},
                 {"1. Paris\n2. London\n3. Rome", 1, 0},
                 {"Paris\n\nQuestion: Which town?\nAnswer: Rome", 1, 1},
                 {"Paris, London, Rome, Berlin", 1, 0},
                 {"The documents do not mention Paris.", 1, 0}});
  expect_scores(Metric::kStringMatchPart, {"no"}, expectation,
                {{"No.", 1, 1},
                 {"No, there is no such place.", 1, 1},
                 {"I do not know.", 1, 0},
                 {"Another one", 1, 0}});
}

TEST(StrictReading, OfSetsAndExactAnswersIsTheOfficialOne) {
  Expectation expectation;
  expectation.form = AnswerForm::kSet;
  expect_scores(Metric::kSetMatch, {"apple", "plum"}, expectation,
                {{"apple, plum", 1, 1}, {"apple", 0, 0}, {"apple, plum, fig", 0, 0}});
  expect_scores(Metric::kExactMatch, {"B"}, {}, {{"B", 1, 1}, {"b", 0, 0}, {"B.", 0, 0}});
}

// What follows a repeated instruction is no answer; an answer before it stands.
// A reference of signs alone has no word: its place may lie behind the last one.
TEST(StrictReading, OfSignsBehindTheLastWord) {
  for (const char* answer : {"the sign is !!!", "!!!", "!!! ", "a. b: !!!"}) {
    const Score score = grade(Metric::kStringMatchAll, answer, {"!!!"}, {});
    EXPECT_EQ(score.official, 1) << answer;
    EXPECT_EQ(score.strict, 1) << answer;
  }
}

TEST(StrictReading, EndsWhereThePromptIsRepeated) {
  Expectation expectation = values_of_keys({});
  expectation.opening = "Somewhere in the text below, a special magic number is hidden.";
  const std::string opening = expectation.opening;
  const Texts references = {"7931067"};
  const auto strict = [&](const std::string& answer) {
    const Score score = grade(Metric::kStringMatchAll, answer, references, expectation);
    EXPECT_EQ(score.official, 1) << answer;
    return score.strict;
  };
  EXPECT_EQ(strict("7931067.\n" + opening + " One of them is 1234567."), 1);
  EXPECT_EQ(strict(opening + " The number is 7931067."), 0);
  expectation.neighbours = {"The ferry left the harbour before the fog had lifted.",
                            "Nobody on the quay looked up from the nets."};
  EXPECT_EQ(strict(expectation.neighbours[0] + " It is: 7931067.\n" + expectation.neighbours[1]),
            0);
  EXPECT_EQ(strict("It is: 7931067. " + expectation.neighbours[1]), 1);
}

struct Shape {
  Metric metric;
  AnswerForm form;
  Texts references;
};

const Shape kShapes[] = {
    {Metric::kStringMatchAll, AnswerForm::kValues, {"1234567", "7654321"}},
    {Metric::kStringMatchAll, AnswerForm::kChain, {"ABCDE", "FGHIJ", "KLMNO"}},
    {Metric::kStringMatchAll, AnswerForm::kWords, {"ear", "apple", "a"}},
    {Metric::kStringMatchPart, AnswerForm::kDocuments, {"no", "New York", "İ"}},
    {Metric::kStringMatchAll, AnswerForm::kPlain, {"", "x", "답"}},
    {Metric::kSetMatch, AnswerForm::kSet, {"apple", "plum"}},
    {Metric::kExactMatch, AnswerForm::kPlain, {"B", "C"}},
};

Expectation expectation_for(const Shape& shape) {
  Expectation expectation;
  expectation.form = shape.form;
  expectation.decoys = {{"7777777", DecoyKind::kOtherValue, "calm-river"},
                        {"ZZZZZ", DecoyKind::kOtherChain, "12345"},
                        {"fig", DecoyKind::kFrequent, "it stands at the text's end"},
                        {"kiwi", DecoyKind::kPartOfLists, "2"},
                        {"London", DecoyKind::kTitle, "3"}};
  expectation.neighbours = {"The ferry left the harbour before the fog."};
  expectation.opening = "Somewhere in the text below there is a number.";
  if (shape.form == AnswerForm::kValues) expectation.keys = {"calm-river", "tall-tree"};
  return expectation;
}

// Pieces that answers are made of, hostile ones among them.
std::string random_answer(Random& random, const Shape& shape) {
  const Texts pieces = {"not ",
                        "maybe ",
                        "or ",
                        ", ",
                        "\n",
                        "1. ",
                        "2. ",
                        "- ",
                        "fig",
                        "7777777",
                        "ZZZZZ",
                        "London",
                        "\xff",
                        "\xe2\x80",
                        "İ",
                        "答",
                        "calm-river",
                        "tall-tree",
                        "I cannot find ",
                        "the ",
                        "there is no such ",
                        "either ",
                        "1,234,567",
                        "'s",
                        "Somewhere in the text below there is a number.",
                        "a",
                        ".",
                        " "};
  std::string answer;
  for (uint64_t i = random.below(14); i > 0; --i) {
    const bool right = random.below(3) == 0;
    const Texts& from = right ? shape.references : pieces;
    answer += from[random.below(from.size())];
    if (random.below(2) == 0) answer += ' ';
  }
  return answer;
}

TEST(StrictReading, IsNeverAboveTheOfficialOne) {
  Random random(RandomKey(11), "answers");
  size_t right = 0;
  for (int trial = 0; trial < 40000; ++trial) {
    const Shape& shape = kShapes[random.below(std::size(kShapes))];
    const std::string answer = random_answer(random, shape);
    const Score score = grade(shape.metric, answer, shape.references, expectation_for(shape));
    ASSERT_LE(score.strict, score.official) << testing::PrintToString(answer);
    ASSERT_GE(score.strict, 0);
    ASSERT_EQ(score.misses.empty(), score.strict == 1) << testing::PrintToString(answer);
    right += score.strict == 1 ? 1 : 0;
  }
  EXPECT_GT(right, 400U);
}

TEST(StrictReading, SurvivesEveryBytes) {
  Random random(RandomKey(12), "bytes");
  for (int trial = 0; trial < 20000; ++trial) {
    const Shape& shape = kShapes[random.below(std::size(kShapes))];
    std::string answer(random.below(80), ' ');
    for (char& c : answer) c = static_cast<char>(random.below(256));
    const Score score = grade(shape.metric, answer, shape.references, expectation_for(shape));
    ASSERT_LE(score.strict, score.official);
  }
}

// What a file of someone else's may ask for: nothing at all, or a line's end.
TEST(StrictReading, SurvivesOddReferencesAndKeys) {
  const Texts odd = {"", "\n", " ", "x", "\nx"};
  const Texts answers = {"", "\n", "x", "x\n", "\nx\nx\n", "\xC0\x01@\x10", "x x\nx"};
  for (const Metric metric :
       {Metric::kStringMatchAll, Metric::kStringMatchPart, Metric::kExactMatch, Metric::kSetMatch})
    for (const std::string& answer : answers)
      for (size_t i = 0; i < 625; ++i) {
        const Texts references = {odd[i % 5], odd[i / 5 % 5]};
        Expectation expectation;
        expectation.form = AnswerForm::kValues;
        expectation.keys = {odd[i / 25 % 5], odd[i / 125]};
        const Score score = grade(metric, answer, references, expectation);
        ASSERT_LE(score.strict, score.official) << testing::PrintToString(answer);
        ASSERT_GE(score.strict, 0);
      }
}

// Prose around a right answer changes nothing officially, and nothing strictly where it says
// nothing of the answer.
TEST(StrictReading, PassesOverProseAroundARightAnswer) {
  const Texts prose = {"The ferry left the harbour.",
                       "Here is what I found:", "Grass grows slowly.",
                       "In 1998 the road had 3 lanes.", "So it goes."};
  Random random(RandomKey(13), "prose");
  for (int trial = 0; trial < 2000; ++trial) {
    const Shape& shape = kShapes[random.below(2)];
    std::string answer = prose[random.below(prose.size())] + "\n";
    for (const std::string& reference : shape.references) answer += reference + ", ";
    answer += "\n" + prose[random.below(prose.size())];
    const Score score = grade(shape.metric, answer, shape.references, expectation_for(shape));
    ASSERT_EQ(score.official, 1) << answer;
    ASSERT_EQ(score.strict, 1) << answer;
  }
}

// Hostile long answers: linear, so far below the limit, which catches quadratic mistakes.
TEST(StrictReading, IsLinearInTheAnswer) {
  const Texts repeated = {"a",
                          "1",
                          "1. ",
                          "or a or ",
                          "not a ",
                          "A, ",
                          "maybe a ",
                          "-\n",
                          "no such ",
                          "1234567,",
                          "ZZZZZ ",
                          "\xff",
                          "calm-river 1234567 ",
                          "答",
                          "i cannot ",
                          "' ",
                          "a and ",
                          "\xcc\x81"};
  for (const std::string& piece : repeated) {
    std::string answer;
    while (answer.size() < 200000) answer += piece;
    for (const Shape& shape : kShapes) {
      const auto start = std::chrono::steady_clock::now();
      const Score score = grade(shape.metric, answer, shape.references, expectation_for(shape));
      const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
      EXPECT_LE(score.strict, score.official);
      EXPECT_LT(took.count(), 3) << piece << " " << to_text(shape.form);
    }
  }
}

// Spec P: 100,000 answers. The limit is ten times the measured time.
TEST(StrictReading, IsFastOnManyAnswers) {
  const std::string answer =
      " 8699461. This number is a special magic number that is used in the context of "
      "detailed-pillar, which is a type of magical number used in the context of fantasy.";
  const auto start = std::chrono::steady_clock::now();
  double sum = 0;
  for (int i = 0; i < 20000; ++i) {
    const Shape& shape = kShapes[static_cast<size_t>(i) % std::size(kShapes)];
    sum += grade(shape.metric, answer, shape.references, expectation_for(shape)).strict;
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  EXPECT_GE(sum, 0);
  EXPECT_LT(took.count(), 10);
  RecordProperty("seconds_per_100000", std::to_string(5 * took.count()));
}

}  // namespace
}  // namespace fathom
