// J3: what is kept of a prompt so that an answer's misses can be told without it.
#include "grade/expectation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/random.h"
#include "grade/expectation_json.h"
#include "grade/score.h"

namespace fathom {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

// A sample whose context grows piece by piece.
class MadeSample {
 public:
  explicit MadeSample(std::string before) : before_(std::move(before)) {}

  MadeSample& text(const std::string& text) {
    context_ += text;
    return *this;
  }
  // `answer` is marked where it first stands in `text`.
  MadeSample& evidence(const std::string& role, int order, bool distractor, const std::string& text,
                       const std::string& answer) {
    Evidence evidence;
    evidence.role = role;
    evidence.order = order;
    evidence.distractor = distractor;
    const uint64_t begin = before_.size() + context_.size();
    evidence.bytes = {begin, begin + text.size()};
    const size_t at = text.find(answer);
    if (!answer.empty()) evidence.answer_bytes = {begin + at, begin + at + answer.size()};
    context_ += text;
    evidence_.push_back(evidence);
    return *this;
  }
  [[nodiscard]] Sample sample(std::vector<std::string> references, const std::string& question) {
    Sample sample;
    sample.task = "made";
    sample.prompt = before_ + context_ + "\n\n" + question;
    sample.context = {before_.size(), before_.size() + context_.size()};
    sample.messages = {{MessageRole::kUser, {0, sample.prompt.size()}}};
    sample.references = std::move(references);
    sample.question = question;
    sample.evidence = evidence_;
    return sample;
  }

 private:
  std::string before_;
  std::string context_;
  std::vector<Evidence> evidence_;
};

std::string needle(const std::string& key, const std::string& value) {
  return "One of the special magic numbers for " + key + " is: " + value + ".";
}

constexpr const char* kAsk = "Somewhere in the text below, a number is hidden.\n\n";

TEST(Expectation, OfNeedlesNamesTheKeysOfAllValues) {
  MadeSample text(kAsk);
  text.text("The ferry left the harbour early. ")
      .evidence("needle", 0, true, needle("calm-river", "1111111"), "1111111")
      .text(" Nobody on the quay looked up. ")
      .evidence("needle", 1, false, needle("cold-river", "2222222"), "2222222")
      .text(" In 1998 it snowed: 3333333 flakes.");
  const Expectation expectation =
      expectation_of(text.sample({"2222222"}, "What is the number for cold-river?"));
  EXPECT_EQ(expectation.form, AnswerForm::kValues);
  EXPECT_THAT(expectation.keys, ElementsAre("cold-river"));
  EXPECT_THAT(expectation.decoys,
              ElementsAre(Decoy{"1111111", DecoyKind::kOtherValue, "calm-river"},
                          Decoy{"3333333", DecoyKind::kOtherValue, ""}));
  EXPECT_TRUE(expectation.all_decoys);
  EXPECT_THAT(expectation.neighbours,
              ElementsAre("Nobody on the quay looked up.", "In 1998 it snowed: 3333333 flakes."));
  EXPECT_EQ(expectation.opening, "Somewhere in the text below, a number is hidden.");
}

std::string uuid(uint64_t number) {
  Random random(RandomKey(number), "uuid");
  const uint64_t high = random.next();
  return fmt::format("{:08x}-{:04x}-{:04x}-{:04x}-{:012x}", high >> 32, high >> 16 & 0xFFFF,
                     high & 0xFFFF, number & 0xFFFF, random.next() >> 16);
}

// A haystack of needles: those near the evidence are listed, all are in the filter while it holds
// them.
TEST(Expectation, OfNeedlesAmongNeedlesStaysSmall) {
  for (const uint64_t lines : {10U, 200U, 5000U}) {
    MadeSample text(kAsk);
    for (uint64_t i = 0; i < lines; ++i) {
      const std::string line = needle(uuid(2 * i), uuid(2 * i + 1));
      if (i == lines / 2) {
        text.evidence("needle", 0, false, line, uuid(2 * i + 1));
      } else {
        text.text(line);
      }
      text.text(i + 1 < lines ? "\n" : "");
    }
    const Sample sample = text.sample({uuid(2 * (lines / 2) + 1)}, "What is it?");
    const Expectation expectation = expectation_of(sample);
    EXPECT_THAT(expectation.keys, ElementsAre(uuid(2 * (lines / 2))));
    EXPECT_EQ(expectation.all_decoys, lines == 10);
    EXPECT_EQ(expectation.text.empty(), lines != 200);
    EXPECT_LT(to_json_line(expectation_json(expectation)).size(), 4500U);
    const auto primary = [&](const std::string& answer) {
      return grade(Metric::kStringMatchAll, answer, sample.references, expectation).misses.at(0);
    };
    const std::string beside = uuid(2 * (lines / 2) + 3);
    EXPECT_EQ(primary(beside).kind, Miss::kWrongBinding);
    EXPECT_THAT(primary(beside).detail, HasSubstr(uuid(2 * (lines / 2) + 2)));
    const std::string nowhere = "ffffffff-aaaa-bbbb-cccc-dddddddddddd";
    const MissNote far = primary(uuid(41));
    const MissNote made_up = primary(nowhere);
    EXPECT_EQ(made_up.kind, lines == 5000 ? Miss::kOtherValue : Miss::kInvented);
    EXPECT_EQ(confirm_with_prompt(made_up, nowhere, sample).kind, Miss::kInvented);
    if (lines == 5000) {
      EXPECT_EQ(far.kind, Miss::kOtherValue);
      const MissNote found = confirm_with_prompt(far, uuid(41), sample);
      EXPECT_EQ(found.kind, Miss::kWrongBinding);
      EXPECT_THAT(found.detail, HasSubstr("special magic numbers"));
    }
  }
}

TEST(Expectation, OfChainsKnowsOtherChainsAndTheSolvedExample) {
  const std::string instruction = "Follow the assignments to variables.\n\n";
  MadeSample text(
      instruction +
      "VAR DEMOA = 54321\nGrass grows.\nVAR DEMOB = VAR DEMOA\n\nQuestion: which? Answer: "
      "2 variables have the value 54321, they are: DEMOA DEMOB\n\n" +
      instruction);
  text.evidence("hop", 0, false, "VAR ABCDE = 12345", "ABCDE")
      .text("\n")
      .evidence("hop", 0, true, "VAR OTHER = 77777", "OTHER")
      .text("\nGrass grows.\n")
      .evidence("hop", 1, false, "VAR FGHIJ = VAR ABCDE", "FGHIJ")
      .text("\n")
      .evidence("hop", 1, true, "VAR THIRD = VAR OTHER", "THIRD");
  const Expectation expectation = expectation_of(text.sample({"ABCDE", "FGHIJ"}, "Which?"));
  EXPECT_EQ(expectation.form, AnswerForm::kChain);
  EXPECT_THAT(expectation.decoys, ElementsAre(Decoy{"DEMOA", DecoyKind::kDemonstration, ""},
                                              Decoy{"DEMOB", DecoyKind::kDemonstration, ""},
                                              Decoy{"OTHER", DecoyKind::kOtherChain, "77777"},
                                              Decoy{"THIRD", DecoyKind::kOtherChain, "77777"}));
}

std::string numbered(const std::vector<std::string>& words) {
  std::string text;
  for (size_t i = 0; i < words.size(); ++i)
    text += fmt::format("{}{}. {}", i == 0 ? "" : " ", i + 1, words[i]);
  return text;
}

TEST(Expectation, OfFrequentWordsKnowsThoseThatStandOut) {
  const std::string instruction = "Below is a list of words. Find the frequent ones.\n\n";
  MadeSample text(instruction + numbered({"sample", "rare", "sample", "shown", "odd", "shown"}) +
                  "\n\nQuestion: which 2 words? Answer: they are: 1. sample 2. shown\n\n" +
                  instruction);
  std::vector<std::string> words;
  for (int i = 0; i < 60; ++i) {
    words.push_back(i % 3 == 0 ? "apple" : i % 3 == 1 ? "plum" : fmt::format("single{}", i));
    if (i == 30) words.insert(words.end(), 3, "crowd");
  }
  text.evidence("common word", 0, false, numbered(words), "apple");
  const Expectation expectation = expectation_of(text.sample({"apple", "plum"}, "Which 2 words?"));
  EXPECT_EQ(expectation.form, AnswerForm::kWords);
  EXPECT_THAT(expectation.decoys, Contains(Decoy{"sample", DecoyKind::kDemonstration, ""}));
  EXPECT_THAT(expectation.decoys, Contains(Decoy{"shown", DecoyKind::kDemonstration, ""}));
  const auto crowd = std::find_if(expectation.decoys.begin(), expectation.decoys.end(),
                                  [](const Decoy& decoy) { return decoy.text == "crowd"; });
  ASSERT_NE(crowd, expectation.decoys.end());
  EXPECT_EQ(crowd->kind, DecoyKind::kFrequent);
  EXPECT_THAT(crowd->of, HasSubstr("of its 3 uses are in tenth"));
  EXPECT_TRUE(expectation.text.may_hold("single29"));
  EXPECT_FALSE(expectation.text.may_hold("nothing"));
}

TEST(Expectation, OfSetsKnowsTheListsThatLackAWord) {
  MadeSample text("Find the lists.\n\n");
  text.evidence("list", 0, false, "List 1: apple, fig, plum.", "")
      .text(" It rained. ")
      .evidence("list", 1, false, "List 2: plum, apple, kiwi.", "");
  const Expectation expectation = expectation_of(text.sample({"apple", "plum"}, "Which words?"));
  EXPECT_EQ(expectation.form, AnswerForm::kSet);
  EXPECT_THAT(expectation.decoys, Contains(Decoy{"fig", DecoyKind::kPartOfLists, "2"}));
  EXPECT_THAT(expectation.decoys, Contains(Decoy{"kiwi", DecoyKind::kPartOfLists, "1"}));
}

TEST(Expectation, OfDocumentsKnowsTitlesAndTheTextAround) {
  MadeSample text("Answer the question.\n\n");
  text.text("Document 1:\nThe Red Minnow\nThe Red Minnow is a boat.\n\n")
      .evidence(
          "gold document", 0, false,
          "Document 2:\nLake Pulzound\nIt freezes in winter. The steamer there is the Mottled "
          "Lamprey. Its depth is 82484 spans.",
          "Mottled Lamprey")
      .text("\n\nDocument 3:\nA Fair\nIt began in 1742.");
  const Sample sample = text.sample({"Mottled Lamprey"}, "Which boat crosses Lake Pulzound?");
  const Expectation expectation = expectation_of(sample);
  EXPECT_EQ(expectation.form, AnswerForm::kDocuments);
  EXPECT_THAT(expectation.decoys, ElementsAre(Decoy{"The Red Minnow", DecoyKind::kTitle, "1"},
                                              Decoy{"A Fair", DecoyKind::kTitle, "3"}));
  ASSERT_FALSE(expectation.neighbours.empty());
  EXPECT_EQ(expectation.neighbours[0], "The steamer there is the Mottled Lamprey.");
  EXPECT_THAT(expectation.keys, Contains("pulzound"));
  EXPECT_TRUE(expectation.every_word);
  const auto primary = [&](const char* answer) {
    return grade(Metric::kStringMatchPart, answer, sample.references, expectation)
        .misses.at(0)
        .kind;
  };
  EXPECT_EQ(primary("82484"), Miss::kNeighbour);
  EXPECT_EQ(primary("The Red Minnow"), Miss::kHaystackName);
  EXPECT_EQ(primary("1742"), Miss::kHaystackName);
  EXPECT_EQ(primary("The Queen Mary"), Miss::kParametric);
}

// A control has no text at all, and what was imported no evidence.
TEST(Expectation, OfSamplesThatLackParts) {
  Sample sample;
  sample.task = "niah_single_1";
  sample.references = {"1111111"};
  EXPECT_EQ(expectation_of(sample).form, AnswerForm::kValues);
  for (const char* task : {"vt", "cwe", "fwe", "qa_1", "set_intersection", "other"}) {
    sample.task = task;
    EXPECT_TRUE(expectation_of(sample).decoys.empty());
  }
  sample.references.clear();
  for (const char* task : {"niah_single_1", "vt", "cwe"}) {
    sample.task = task;
    EXPECT_TRUE(expectation_of(sample).decoys.empty());
  }
}

// Spans that point outside the prompt, or backwards, as a damaged file may have them.
TEST(Expectation, SurvivesAnySpans) {
  Random random(RandomKey(3), "spans");
  const char* roles[] = {"needle", "hop", "list", "gold document", "common word", "support"};
  for (int trial = 0; trial < 3000; ++trial) {
    MadeSample text(kAsk);
    text.text(needle("a-b", "1111111") + "\n" + needle("c-d", "2222222") + "\n\nText.");
    Sample sample = text.sample({"1111111"}, "Which?");
    const auto span = [&] { return ByteSpan{random.below(200), random.below(200)}; };
    for (int i = 0; i < 4; ++i) {
      Evidence evidence;
      evidence.role = roles[random.below(std::size(roles))];
      evidence.distractor = random.below(2) == 0;
      evidence.bytes = span();
      evidence.answer_bytes = span();
      sample.evidence.push_back(evidence);
    }
    if (random.below(3) == 0) sample.context = span();
    if (random.below(3) == 0) sample.messages[0].bytes = span();
    EXPECT_LE(expectation_of(sample).decoys.size(), kMostDecoys);
  }
}

}  // namespace
}  // namespace fathom
