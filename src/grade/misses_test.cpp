// J3: each kind of miss, by the answers that show it and by those that only look like it.
#include "grade/misses.h"

#include <gtest/gtest.h>

#include "grade/expectation_json.h"
#include "grade/score.h"

namespace fathom {
namespace {

using Texts = std::vector<std::string>;

struct MissCase {
  const char* answer;
  Miss primary;
  const char* detail = "";  // a part of the primary note's detail
};

void expect_misses(Metric metric, const Texts& references, const Expectation& expectation,
                   const std::vector<MissCase>& cases) {
  for (const MissCase& test : cases) {
    const Score score = grade(metric, test.answer, references, expectation);
    ASSERT_FALSE(score.misses.empty()) << test.answer;
    EXPECT_EQ(to_text(score.misses[0].kind), to_text(test.primary)) << test.answer;
    EXPECT_NE(score.misses[0].detail.find(test.detail), std::string::npos)
        << test.answer << ": " << score.misses[0].detail;
  }
}

TEST(Miss, NamesReadBack) {
  for (const Miss miss : all_misses()) {
    ASSERT_TRUE(miss_from_text(to_text(miss)));
    EXPECT_EQ(*miss_from_text(to_text(miss)), miss);
    EXPECT_FALSE(miss_label(miss).empty());
    EXPECT_TRUE(sentence(miss).ends_with("."));
  }
  const auto unknown = miss_from_text("lost");
  ASSERT_FALSE(unknown);
  EXPECT_NE(unknown.error().message.find("wrong-binding"), std::string::npos);
}

Expectation of_values(Texts keys, std::vector<Decoy> decoys) {
  Expectation expectation;
  expectation.form = AnswerForm::kValues;
  expectation.keys = std::move(keys);
  expectation.decoys = std::move(decoys);
  return expectation;
}

TEST(Misses, OfOneValue) {
  Expectation expectation =
      of_values({"calm-river"}, {{"2222222", DecoyKind::kOtherValue, "tall-tree"}});
  expectation.neighbours = {"The ferry left the harbour before the fog had lifted."};
  expectation.opening = "Somewhere in the text below, a special magic number is hidden.";
  expect_misses(
      Metric::kStringMatchAll, {"7931067"}, expectation,
      {{"", Miss::kEmpty},
       {" \n\t", Miss::kEmpty},
       {"I like rivers.", Miss::kNotFound},
       {"\"The ferry left the harbour before the fog had lifted.\"", Miss::kNeighbour},
       {"12", Miss::kNotFound},
       {"2222222.", Miss::kWrongBinding, "2222222 is the value of tall-tree"},
       {"7931067 and 2222222", Miss::kWrongBinding, "tall-tree"},
       {"7654321", Miss::kInvented, "7654321 stands nowhere in the text"},
       {"7931067, 7654321", Miss::kExtra, "7654321"},
       {"7931607", Miss::kSlip, "7931607 for 7931067"},
       {"793106", Miss::kNotFound},  // cut at the output limit
       {"793106.", Miss::kSlip},
       {"7,931,067", Miss::kFormatOnly, "7,931,067 for 7931067"},
       {"793 1067", Miss::kFormatOnly},
       {"**793**1067", Miss::kFormatOnly},
       {"７９３１０６７", Miss::kFormatOnly},
       {"79, 31067", Miss::kSlip, "31067"},
       {"17931067", Miss::kSlip, "17931067 for 7931067"},
       {"a17931067b", Miss::kPartOfWord, "7931067"},
       {"I cannot find a number.", Miss::kDenial, "i cannot find"},
       {"The text does not explicitly mention any number.", Miss::kDenial},
       {"The text doesn\u2019t mention it.", Miss::kDenial, "doesn"},
       {"Sorry. There is no such number.", Miss::kDenial, "there is no such"},
       {"7931067, but there is no such number.", Miss::kDenial},
       {"I cannot find another number.", Miss::kNotFound},
       {"That sentence looks out of place; it was inserted as a joke.", Miss::kPlantedSuspicion},
       {"It seems to be a test. The text does not mention a number.", Miss::kPlantedSuspicion},
       {"Perhaps 7931067.", Miss::kHedge, "perhaps"},
       {"Either 7931067 or none.", Miss::kHedge},
       {"Somewhere in the text below, a special magic number is hidden. It is 7931067.",
        Miss::kRepeatedPrompt}});
  const Score remarked =
      grade(Metric::kStringMatchAll, "It is 7931067, though that sentence seems out of place.",
            {"7931067"}, expectation);
  EXPECT_EQ(remarked.strict, 1);
}

// Of thousands of needles a filter is kept, or nothing.
TEST(Misses, OfValuesThatAreNotListed) {
  Expectation expectation = of_values({"calm-river"}, {});
  expectation.all_decoys = false;
  expect_misses(Metric::kStringMatchAll, {"7931067"}, expectation,
                {{"7654321", Miss::kOtherValue, "7654321"}});
  expectation.text = TextFilter::of({"2222222", "3333333"});
  expect_misses(Metric::kStringMatchAll, {"7931067"}, expectation,
                {{"7654321", Miss::kInvented, "nowhere"},
                 {"2222222", Miss::kWrongBinding, "another value of the text"}});
}

TEST(Misses, OfSeveralValues) {
  const Expectation expectation =
      of_values({"a-a", "b-b", "c-c", "d-d"}, {{"9999999", DecoyKind::kOtherValue, "e-e"}});
  expect_misses(Metric::kStringMatchAll, {"1111111", "2222222", "3333333", "4444444"}, expectation,
                {{"1111111, 2222222, 3333333", Miss::kIncomplete, "3 of 4; missing: 4444444"},
                 {"1111111\n2222222\n3333333\n3333333", Miss::kDuplicate, "4 items, 3 different"},
                 {"* 1111111\n* 1111111\n* 1111111\n* 1111111\n* 111", Miss::kDuplicate},
                 {"1111111, 2222222, 3333333, 9999999", Miss::kWrongBinding, "e-e"},
                 {"a-a: 2222222\nb-b: 1111111\nc-c: 3333333\nd-d: 4444444", Miss::kWrongBinding,
                  "wrong keys"}});
}

TEST(Misses, OfChains) {
  Expectation expectation;
  expectation.form = AnswerForm::kChain;
  expectation.decoys = {{"DEMOA", DecoyKind::kDemonstration},
                        {"DEMOB", DecoyKind::kDemonstration},
                        {"DEMOC", DecoyKind::kDemonstration},
                        {"OTHER", DecoyKind::kOtherChain, "54321"}};
  expect_misses(Metric::kStringMatchAll, {"ABCDE", "FGHIJ", "KLMNO", "PQRST"}, expectation,
                {{"ABCDE", Miss::kFirstOnly, "ABCDE alone of 4"},
                 {"ABCDE FGHIJ", Miss::kBrokenHop, "hop 2 of 3: from FGHIJ to KLMNO"},
                 {"ABCDE FGHIJ PQRST", Miss::kBrokenHop, "hop 2 of 3"},
                 {"FGHIJ KLMNO", Miss::kIncomplete, "without ABCDE"},
                 {"DEMOA DEMOB DEMOC", Miss::kCopiedDemonstration, "DEMOA"},
                 {"DEMOA DEMOB DEMOC ABCDE", Miss::kCopiedDemonstration},
                 {"demoa demob", Miss::kCopiedDemonstration},
                 {"OTHER", Miss::kWrongBinding, "chain of 54321"},
                 {"ABCDE FGHIJ KLMNO PQRST OTHER", Miss::kWrongBinding, "54321"},
                 {"ABCDE FGHIJ KLMNO PQRST ZZZZZ", Miss::kExtra, "zzzzz"},
                 {"ZZZZZ", Miss::kInvented},
                 {"ABCDF", Miss::kSlip, "abcdf for abcde"},
                 {"A.B.C.D.E", Miss::kFirstOnly},
                 {"12345", Miss::kNotFound}});
}

TEST(Misses, OfFrequentWords) {
  Expectation expectation;
  expectation.form = AnswerForm::kWords;
  expectation.all_decoys = false;
  expectation.decoys = {{"fig", DecoyKind::kFrequent, "it stands at the text's end"},
                        {"sample", DecoyKind::kDemonstration},
                        {"shown", DecoyKind::kDemonstration}};
  const Texts references = {"apple", "ear", "plum"};
  expect_misses(Metric::kStringMatchAll, references, expectation,
                {{"1. fig 2. apple 3. ear", Miss::kLocalFrequency, "fig: it stands at"},
                 {"1. sample 2. shown 3. apple", Miss::kCopiedDemonstration},
                 {"1. fig 2. fig 3. fig 4. fig", Miss::kDuplicate, "4 items, 1 different"},
                 {"1. apple 2. earring 3. plum", Miss::kHaystackName},
                 {"1. apple 2. ear 3. plum 4. fig 5. sea", Miss::kExtra, "fig, sea"},
                 {"apple, plum", Miss::kIncomplete, "missing: ear"},
                 {"apple, e-a-r, plum", Miss::kFormatOnly, "e-a-r for ear"}});
  expectation.text = TextFilter::of({"apple", "ear", "plum", "fig", "lake"});
  expect_misses(Metric::kStringMatchAll, references, expectation,
                {{"lake, lake house, lake boat", Miss::kInvented},
                 {"lake; fig; lake", Miss::kLocalFrequency},
                 {"lake; apple; plum", Miss::kHaystackName, "lake stands in the text"},
                 {"zebra; apple; plum", Miss::kInvented, "zebra stands nowhere"}});
}

TEST(Misses, OfSets) {
  Expectation expectation;
  expectation.form = AnswerForm::kSet;
  expectation.decoys = {{"fig", DecoyKind::kPartOfLists, "2"},
                        {"kiwi", DecoyKind::kPartOfLists, "1, 3"}};
  expect_misses(Metric::kSetMatch, {"apple", "plum"}, expectation,
                {{"apple, fig", Miss::kMissingList, "fig is missing from list 2"},
                 {"apple, plum, kiwi", Miss::kMissingList, "list 1, 3"},
                 {"apple", Miss::kIncomplete, "missing: plum"},
                 {"apple, plum, zebra", Miss::kExtra, "zebra"},
                 {"The words that all the lists share are apple and also plum, as I see it",
                  Miss::kFormatOnly},
                 {"none", Miss::kNotFound},
                 {"", Miss::kEmpty}});
}

TEST(Misses, OfDocuments) {
  Expectation expectation;
  expectation.form = AnswerForm::kDocuments;
  expectation.keys = {"peak", "high", "veivlousk"};
  expectation.neighbours = {"The summit of Veivlousk stands 34400 spans above the sea.",
                            "The first captain was Anna Berg, who sailed north."};
  expectation.decoys = {{"The Jizgord Fair", DecoyKind::kTitle, "5"}};
  expectation.text =
      TextFilter::of({"veivlousk", "peak", "44303", "34400", "anna", "berg", "oslo"});
  expect_misses(Metric::kStringMatchPart, {"34400"}, expectation,
                {{"44303 spans", Miss::kHaystackName, "44303"},
                 {"Veivlousk Peak is 99999 spans high.", Miss::kParametric, "99999"},
                 {"Anna Berg", Miss::kNeighbour, "Anna Berg"},
                 {"The Jizgord Fair.", Miss::kHaystackName, "title of document 5"},
                 {"Veivlousk is a high peak.", Miss::kNotFound},
                 {"something tall", Miss::kNotFound},
                 {"34,400", Miss::kFormatOnly, "34,400 for 34400"},
                 {"134400", Miss::kPartOfWord},
                 {"Maybe 34400.", Miss::kHedge},
                 {"The documents do not contain this information.", Miss::kDenial}});
  expectation.every_word = true;
  expect_misses(Metric::kStringMatchPart, {"34400"}, expectation,
                {{"something tall", Miss::kParametric}});
}

TEST(Misses, OfExactAnswersAndPlainOnes) {
  expect_misses(Metric::kExactMatch, {"Paris"}, {},
                {{"paris", Miss::kFormatOnly, "paris for Paris"},
                 {"The answer is Paris.", Miss::kFormatOnly},
                 {"London", Miss::kNotFound}});
  expect_misses(Metric::kStringMatchAll, {"ear"}, {},
                {{"earring", Miss::kPartOfWord}, {"nose", Miss::kNotFound}});
}

// A detail is one short line whatever the answer holds.
TEST(Misses, QuoteLittleOfTheAnswer) {
  Expectation expectation = of_values({}, {});
  const std::string hostile = "\x1b[31m\xff" + std::string(5000, 'x') + "\n";
  const Score score = grade(Metric::kStringMatchAll, hostile + "I cannot find it " + hostile,
                            {"7931067"}, expectation);
  for (const MissNote& note : score.misses) {
    EXPECT_LT(note.detail.size(), 300U);
    EXPECT_EQ(note.detail.find('\n'), std::string::npos);
  }
}

TEST(Expectation, ReadsBackFromJson) {
  Expectation expectation =
      of_values({"a", "b"}, {{"x", DecoyKind::kOtherValue, "key"}, {"y", DecoyKind::kTitle, ""}});
  expectation.all_decoys = false;
  expectation.neighbours = {"Left.", "Right."};
  expectation.opening = "Somewhere";
  expectation.text = TextFilter::of({"one", "two"});
  expectation.every_word = true;
  for (const Expectation& each : {expectation, Expectation{}}) {
    const auto fields = parse_fields(to_json_line(expectation_json(each)), "here");
    ASSERT_TRUE(fields);
    const auto read = expectation_from_json(*fields);
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(*read, each);
  }
}

TEST(Expectation, RefusesDamagedJson) {
  for (const char* text :
       {R"({})", R"({"form":"round"})", R"({"form":"values","decoys":[["title"]]})",
        R"({"form":"values","decoys":[["nothing","x"]]})", R"({"form":"values","text":"zz"})",
        R"({"form":"values","decoys":{}})", R"({"form":"values","decoys":[["title",1]]})",
        R"({"form":"values","decoys":[["title","x","y","z"]]})",
        R"({"form":"values","text":"abc"})", R"({"form":"values","keys":[1]})"}) {
    const auto fields = parse_fields(text, "here");
    ASSERT_TRUE(fields);
    const auto read = expectation_from_json(*fields);
    ASSERT_FALSE(read) << text;
    EXPECT_NE(read.error().message.find("here"), std::string::npos);
  }
}

TEST(TextFilter, NeverDeniesWhatItHolds) {
  std::vector<std::string> texts;
  for (int i = 0; i < 1000; ++i) texts.push_back("text " + std::to_string(i));
  const TextFilter filter = TextFilter::of(texts);
  ASSERT_FALSE(filter.empty());
  int wrong = 0;
  for (int i = 0; i < 1000; ++i) {
    EXPECT_TRUE(filter.may_hold(texts[static_cast<size_t>(i)]));
    wrong += filter.may_hold("other " + std::to_string(i)) ? 1 : 0;
  }
  EXPECT_LT(wrong, 50);
  EXPECT_TRUE(TextFilter::of({}).empty());
  texts.resize(TextFilter::kMostEntries + 1);
  for (size_t i = 0; i < texts.size(); ++i) texts[i] = std::to_string(i);
  EXPECT_TRUE(TextFilter::of(texts).empty());
}

}  // namespace
}  // namespace fathom
