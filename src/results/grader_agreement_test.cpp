// J2: the grader against labels that people gave; label files are hostile input.
#include "results/grader_agreement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "io/file.h"

namespace fathom {
namespace {

using testing::HasSubstr;

std::string label_file(const std::string& text) {
  std::string path = testing::TempDir() + "fathom_labels.jsonl";
  EXPECT_TRUE(write_file_atomic(path, text));
  return path;
}

std::string misread(const GraderAgreement& agreement) {
  std::string text;
  for (const JudgedReply& reply : agreement.replies) {
    if (agrees(reply) && miss_agrees(reply)) continue;
    text += fmt::format("{}: label {} {}, strict {} {}: {}\n", reply.id, reply.label,
                        reply.labelled_miss ? to_text(*reply.labelled_miss) : "", reply.strict,
                        reply.miss ? to_text(reply.miss->kind) : "", reply.answer);
  }
  return text;
}

// Replies of SmolLM2-135M to all thirteen tasks, labelled by hand from answer, references and
// prompt.
TEST(GraderAgreement, WithHandLabelsOfRealReplies) {
  const auto labels = read_labels(std::string(FATHOM_TEST_DATA) + "/grade/labelled_replies.jsonl");
  ASSERT_TRUE(labels) << labels.error().message;
  ASSERT_GE(labels->size(), 60U);
  const auto agreement = grader_agreement(*labels, {}, {}, 2);
  ASSERT_TRUE(agreement) << agreement.error().message;
  std::set<std::string> tasks;
  for (const JudgedReply& reply : agreement->replies) tasks.insert(reply.task);
  EXPECT_EQ(tasks.size(), 13U);
  EXPECT_GE(agreement->strict.accuracy.value, 0.95) << misread(*agreement);
  EXPECT_GT(agreement->strict.kappa.value, 0.9);
  EXPECT_LT(agreement->official.accuracy.value, agreement->strict.accuracy.value);
  EXPECT_GE(agreement->miss_accuracy.value, 0.9) << misread(*agreement);
}

// Replies drawn at random from a run that the rules were not written with, labelled from answer and
// references alone, before the grader was asked.
TEST(GraderAgreement, J2_WithLabelsOfRepliesItHadNotSeen) {
  const std::string folder = std::string(FATHOM_TEST_DATA) + "/grade/";
  auto labels = read_labels(folder + "unseen_replies.jsonl");
  ASSERT_TRUE(labels) << labels.error().message;
  const auto unseen = grader_agreement(*labels, {}, {}, 2);
  ASSERT_TRUE(unseen) << unseen.error().message;
  EXPECT_GE(unseen->official.accuracy.value, 0.95) << misread(*unseen);
  // Where they differ, the strict reading gives nothing for a part that stands beside a wrong
  // candidate.
  EXPECT_GE(unseen->strict.accuracy.value, 0.85) << misread(*unseen);
  for (const JudgedReply& reply : unseen->replies)
    EXPECT_LE(label_class(reply.strict), label_class(reply.label)) << reply.id << reply.answer;
  const auto seen = read_labels(folder + "labelled_replies.jsonl");
  ASSERT_TRUE(seen);
  labels->insert(labels->end(), seen->begin(), seen->end());
  const auto both = grader_agreement(*labels, {}, {}, 2);
  ASSERT_TRUE(both);
  EXPECT_GE(both->strict.accuracy.value, 0.95) << misread(*both);
}

constexpr const char* kThreeLabels =
    R"({"id":"a","task":"niah","metric":"string_match_all","references":["7931067"],"answer":"7931067","label":"right"}
{"id":"b","task":"niah","metric":"string_match_all","references":["7931067"],"answer":"Perhaps 7931067.","label":"wrong","miss":"hedge"}
{"task":"niah","metric":"string_match_all","references":["7931067","1"],"answer":"7931067","label":"right","miss":"empty"}
)";

TEST(GraderAgreement, CountsByReading) {
  const auto labels = read_labels(label_file(kThreeLabels));
  ASSERT_TRUE(labels) << labels.error().message;
  const auto agreement = grader_agreement(*labels, {}, {}, 1);
  ASSERT_TRUE(agreement);
  EXPECT_EQ(agreement->strict.confusion.counts, (std::vector<int64_t>{1, 0, 0, 0, 0, 0, 0, 1, 1}));
  EXPECT_EQ(agreement->official.confusion.counts,
            (std::vector<int64_t>{0, 0, 1, 0, 0, 0, 0, 0, 2}));
  EXPECT_DOUBLE_EQ(agreement->strict.accuracy.value, 2.0 / 3);
  EXPECT_EQ(agreement->misses_labelled, 2);
  EXPECT_EQ(agreement->misses_agreed, 1);
  EXPECT_THAT(agreement->replies[2].id, HasSubstr(":3"));
  const Json json = agreement_json(*agreement);
  EXPECT_EQ(json["strict"]["confusion"]["right"]["partly"], 1);
  EXPECT_EQ(json["misses"]["agreed"], 1);
  EXPECT_FALSE(json["replies"][0].contains("answer"));
  EXPECT_EQ(json["replies"][2]["answer"], "7931067");
}

TEST(GraderAgreement, LooksAnswersUpInARun) {
  SampleFacts facts;
  facts.id = "niah:1024:0";
  facts.references = {"7931067"};
  Attempt attempt;
  attempt.sample_id = facts.id;
  attempt.outcome = Outcome::kAnswered;
  attempt.reply.text = "7931067";
  const auto labels = read_labels(label_file(R"({"id":"niah:1024:0","label":1})"));
  ASSERT_TRUE(labels);
  const std::vector<SampleFacts> samples = {facts};
  std::vector<Attempt> attempts = {attempt};
  const auto agreement = grader_agreement(*labels, samples, attempts, 1);
  ASSERT_TRUE(agreement);
  EXPECT_TRUE(agrees(agreement->replies[0]));
  attempts[0].outcome = Outcome::kTimedOut;
  const auto failed = grader_agreement(*labels, samples, attempts, 1);
  ASSERT_FALSE(failed);
  EXPECT_THAT(failed.error().message, HasSubstr("'niah:1024:0' has no answer"));
  const auto unknown = grader_agreement(*labels, {}, attempts, 1);
  ASSERT_FALSE(unknown);
  EXPECT_THAT(unknown.error().message, HasSubstr(":1: the run has no sample"));
}

// Q1: each damaged line gives an error with file, line and what is wrong.
TEST(Labels, RefuseDamagedFiles) {
  struct Case {
    const char* text;
    const char* message;
  };
  const Case cases[] = {
      {"", "holds no labels"},
      {"{", ":1"},
      {R"({"id":"a"})", "'label' must be"},
      {R"({"id":"a","label":"good"})", "'label' must be"},
      {R"({"id":"a","label":1.5})", "'label' must be"},
      {R"({"id":"a","label":null})", "'label' must be"},
      {R"({"label":1})", "needs the 'id'"},
      {R"({"id":"a","label":1,"miss":"lost"})", "unknown kind of miss 'lost'"},
      {R"({"answer":"x","label":1})", "'task' is missing"},
      {R"({"answer":"x","task":"t","metric":"best","references":["x"],"label":1})", "best"},
      {R"({"answer":"x","task":"t","metric":"exact_match","references":[],"label":1})",
       "'references' is empty"},
      {R"({"answer":"x","task":"t","metric":"exact_match","references":["x"],"expects":{},"label":1})",
       "'expects.form' is missing"},
  };
  for (const Case& test : cases) {
    const auto labels = read_labels(label_file(test.text));
    ASSERT_FALSE(labels) << test.text;
    EXPECT_THAT(labels.error().message, HasSubstr(test.message)) << test.text;
    EXPECT_THAT(labels.error().message, HasSubstr("fathom_labels.jsonl")) << test.text;
  }
}

}  // namespace
}  // namespace fathom
