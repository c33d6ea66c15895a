// J1, R3: scores are made again from a journal without the model, and their file reads back as it
// was written.
#include "results/scores.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "io/file.h"
#include "runs/synthetic_run.h"

namespace fathom {
namespace {

using testing::HasSubstr;
using testing_run::synthetic_run;
using testing_run::SyntheticRun;

std::string temporary_file(const std::string& name) {
  return testing::TempDir() + "fathom_scores_" + name;
}

TEST(Scores, ReadBackAsWritten) {
  const SyntheticRun run = synthetic_run({.samples_per_cell = 3});
  for (const std::string name : {"a.jsonl", "a.jsonl.zst"}) {
    const std::string path = temporary_file(name);
    ASSERT_TRUE(write_scores(path, run.results.scores));
    const auto read = read_scores(path);
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(*read, run.results.scores);
    std::filesystem::remove(path);
  }
}

TEST(Scores, DoNotDependOnThreads) {
  const SyntheticRun run = synthetic_run({.samples_per_cell = 3});
  EXPECT_EQ(*score_run(run.results.samples, run.attempts, 4), run.results.scores);
}

TEST(Scores, TakeTheLastOfEqualAttempts) {
  const SyntheticRun run = synthetic_run({.samples_per_cell = 1});
  std::vector<Attempt> attempts = {run.attempts[0], run.attempts[0], run.attempts[0]};
  attempts[0].outcome = Outcome::kErrorTransient;
  attempts[1].outcome = Outcome::kAnswered;
  attempts[1].reply.text = run.samples[0].references[0];
  attempts[2].number = 1;
  attempts[2].outcome = Outcome::kTimedOut;
  const auto scores = score_run(run.results.samples, attempts, 1);
  ASSERT_TRUE(scores);
  ASSERT_EQ(scores->size(), 2U);
  EXPECT_EQ((*scores)[0].official, 1);
  EXPECT_EQ((*scores)[1].number, 1);
  EXPECT_FALSE((*scores)[1].official);
}

TEST(Scores, RefuseAnotherDataset) {
  const SyntheticRun run = synthetic_run({.samples_per_cell = 1});
  std::vector<Attempt> attempts = {run.attempts[0]};
  attempts[0].sample_hash = "0123";
  auto scores = score_run(run.results.samples, attempts, 1);
  ASSERT_FALSE(scores);
  EXPECT_EQ(scores.error().code, ErrorCode::kInput);
  EXPECT_THAT(scores.error().message, HasSubstr("niah_single_1:1024:0"));
  attempts[0].sample_id = "elsewhere:1:1";
  scores = score_run(run.results.samples, attempts, 1);
  ASSERT_FALSE(scores);
  EXPECT_THAT(scores.error().message, HasSubstr("elsewhere:1:1"));
}

// Q1: each damaged line gives an error with file, line and key.
TEST(Scores, RefuseDamagedFiles) {
  struct Case {
    const char* line;
    const char* message;
  };
  const Case cases[] = {
      {"{", ":1"},
      {"[]", "must be an object"},
      {"{}", "'id' is missing"},
      {R"({"id":1})", "'id' must be a string"},
      {R"({"id":"a","hash":"","attempt":0,"task":"t","cell":"t","length":1,"index":0,"metric":"no"})",
       "no"},
      {R"({"id":"a","hash":"","attempt":0,"task":"t","cell":"t","length":1,"index":0,"metric":"exact_match","outcome":"?"})",
       "?"},
      {R"({"id":"a","hash":"","attempt":0,"task":"t","cell":"t","length":1,"index":0,"metric":"exact_match","outcome":"answered","official":2,"empty":false,"found":[]})",
       "'official' must be within 0 and 1"},
      {R"({"id":"a","hash":"","attempt":0,"task":"t","cell":"t","length":1,"index":0,"metric":"exact_match","outcome":"answered","official":1,"empty":false,"found":[1]})",
       "'found' must hold true and false only"}};
  const std::string path = temporary_file("damaged.jsonl");
  for (const Case& test : cases) {
    ASSERT_TRUE(write_file_atomic(path, std::string(test.line) + "\n"));
    const auto read = read_scores(path);
    ASSERT_FALSE(read) << test.line;
    EXPECT_THAT(read.error().message, HasSubstr(test.message)) << test.line;
    EXPECT_THAT(read.error().message, HasSubstr(path));
  }
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace fathom
