// V2: the text around the evidence, cut on characters, with the marks at the right bytes.
#include "report/excerpt.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/random.h"
#include "text/utf8.h"

namespace fathom {
namespace {

using testing::HasSubstr;

Evidence evidence_at(const std::string& prompt, const std::string& text,
                     const std::string& answer = "") {
  Evidence evidence;
  evidence.role = "needle";
  evidence.bytes.begin = prompt.find(text);
  evidence.bytes.end = evidence.bytes.begin + text.size();
  if (!answer.empty()) {
    evidence.answer_bytes.begin = prompt.find(answer, evidence.bytes.begin);
    evidence.answer_bytes.end = evidence.answer_bytes.begin + answer.size();
  }
  return evidence;
}

std::string marked(const ExcerptPart& part, const ExcerptMark& mark) {
  return part.text.substr(mark.bytes.begin, mark.bytes.end - mark.bytes.begin);
}

TEST(Excerpt, ShowsEvidenceAndTheEnd) {
  Sample sample;
  sample.prompt =
      std::string(1000, 'a') + "The key is 4711." + std::string(2000, 'b') + "What is the key?";
  sample.answer_prefix = " The key is";
  sample.evidence = {evidence_at(sample.prompt, "The key is 4711.", "4711")};
  const auto parts = excerpt_of(sample, {.around_bytes = 50, .end_bytes = 60});
  ASSERT_EQ(parts.size(), 2U);
  EXPECT_EQ(parts[0].offset, 950U);
  EXPECT_EQ(parts[0].text, std::string(50, 'a') + "The key is 4711." + std::string(50, 'b'));
  ASSERT_EQ(parts[0].marks.size(), 2U);
  EXPECT_EQ(marked(parts[0], parts[0].marks[0]), "The key is 4711.");
  EXPECT_EQ(marked(parts[0], parts[0].marks[1]), "4711");
  EXPECT_TRUE(parts[0].marks[1].answer);
  EXPECT_TRUE(parts[1].text.ends_with("What is the key? The key is"));
  EXPECT_EQ(parts[1].text.size(), 60U);
}

TEST(Excerpt, JoinsNeighboursAndKeepsToItsLimit) {
  Sample sample;
  for (int i = 0; i < 500; ++i) {
    Evidence evidence;
    evidence.role = "common word";
    evidence.bytes = {sample.prompt.size(), sample.prompt.size() + 4};
    sample.evidence.push_back(evidence);
    sample.prompt += "word" + std::string(i % 7 == 0 ? 900 : 3, ' ');
  }
  const auto parts = excerpt_of(sample);
  uint64_t size = 0;
  uint64_t end = 0;
  for (const ExcerptPart& part : parts) {
    EXPECT_GE(part.offset, end);
    end = part.offset + part.text.size();
    size += part.text.size();
    for (const ExcerptMark& mark : part.marks)
      EXPECT_EQ(marked(part, mark),
                std::string("word").substr(0, mark.bytes.end - mark.bytes.begin));
  }
  EXPECT_LE(size, ExcerptLimits{}.total_bytes + 6 * parts.size());
  EXPECT_GT(size, ExcerptLimits{}.total_bytes / 2);
}

TEST(Excerpt, CutsOnCharacters) {
  Sample sample;
  for (int i = 0; i < 400; ++i) sample.prompt += "日本語🔑";
  Evidence evidence;
  evidence.role = "needle";
  evidence.bytes = {1300, 1313};
  sample.evidence = {evidence};
  for (uint64_t around = 190; around < 200; ++around)
    for (const ExcerptPart& part :
         excerpt_of(sample, {.around_bytes = around, .end_bytes = around}))
      EXPECT_TRUE(is_valid_utf8(part.text)) << around;
}

// Q2: any bytes and any spans give valid text and marks inside it.
TEST(Excerpt, SurvivesAnyBytesAndSpans) {
  Random random(RandomKey(9), "excerpts");
  for (int trial = 0; trial < 3000; ++trial) {
    Sample sample;
    sample.prompt.resize(random.below(400));
    for (char& byte : sample.prompt) byte = static_cast<char>(random.below(256));
    for (uint64_t i = random.below(5); i > 0; --i) {
      Evidence evidence;
      evidence.bytes.begin = random.below(450);
      evidence.bytes.end = random.below(450);
      evidence.answer_bytes.begin = random.below(450);
      evidence.answer_bytes.end = random.below(450);
      evidence.distractor = random.below(2) == 0;
      sample.evidence.push_back(evidence);
    }
    for (const ExcerptPart& part :
         excerpt_of(sample, {.around_bytes = 20, .end_bytes = 30, .total_bytes = 200})) {
      ASSERT_TRUE(is_valid_utf8(part.text));
      for (const ExcerptMark& mark : part.marks) {
        ASSERT_LE(mark.bytes.begin, mark.bytes.end);
        ASSERT_LE(mark.bytes.end, part.text.size());
      }
    }
  }
}

TEST(Excerpt, PutsDistractorsLast) {
  Sample sample;
  sample.prompt = "decoy one" + std::string(500, '.') + "the needle" + std::string(500, '.');
  sample.evidence = {evidence_at(sample.prompt, "decoy one"),
                     evidence_at(sample.prompt, "the needle")};
  sample.evidence[0].distractor = true;
  const auto parts = excerpt_of(sample, {.around_bytes = 5, .end_bytes = 10, .total_bytes = 30});
  std::string all;
  for (const ExcerptPart& part : parts) all += part.text;
  EXPECT_THAT(all, HasSubstr("the needle"));
  EXPECT_THAT(all, testing::Not(HasSubstr("decoy")));
}

}  // namespace
}  // namespace fathom
