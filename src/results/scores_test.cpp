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

// J2, J3: the strict reading, its misses and what an attempt took stand beside the official score.
TEST(Scores, HoldTheStrictReadingAndWhatWasSpent) {
  const SyntheticRun run = synthetic_run({.samples_per_cell = 1});
  Attempt attempt = run.attempts[0];
  attempt.outcome = Outcome::kAnswered;
  attempt.reply.text = "Perhaps " + run.samples[0].references[0] + ".";
  attempt.reply.usage = {.input = 900, .output = 7};
  attempt.reply.first_token_ms = 12.5;
  attempt.reply.total_ms = 20;
  attempt.reply.memory = {.kv = 4096, .peak = 1 << 20};
  attempt.tries = 3;
  const ScoredAttempt hedged = score_attempt(run.results.samples[0], attempt);
  EXPECT_EQ(hedged.official, 1);
  EXPECT_EQ(hedged.strict, 0);
  ASSERT_EQ(hedged.misses.size(), 1U);
  EXPECT_EQ(hedged.misses[0].kind, Miss::kHedge);
  EXPECT_EQ(hedged.spent,
            (Spent{12.5, 20, {.input = 900, .output = 7}, {.kv = 4096, .peak = 1 << 20}, 3}));
  attempt.outcome = Outcome::kTimedOut;
  const ScoredAttempt failed = score_attempt(run.results.samples[0], attempt);
  EXPECT_FALSE(failed.strict);
  EXPECT_TRUE(failed.misses.empty());
  EXPECT_EQ(failed.spent.tries, 3);
  const std::string path = temporary_file("strict.jsonl");
  const std::vector<ScoredAttempt> both = {hedged, failed};
  ASSERT_TRUE(write_scores(path, both));
  EXPECT_EQ(*read_scores(path), both);
  std::filesystem::remove(path);
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
       "'found' must hold true and false only"},
      {R"({"id":"a","hash":"","attempt":0,"task":"t","cell":"t","length":1,"index":0,"metric":"exact_match","outcome":"answered","official":1,"strict":-1,"empty":false,"found":[true]})",
       "'strict' must be within 0 and 1"},
      {R"({"id":"a","hash":"","attempt":0,"task":"t","cell":"t","length":1,"index":0,"metric":"exact_match","outcome":"answered","official":1,"strict":0,"empty":false,"found":[true],"misses":[{"kind":"lost"}]})",
       "unknown kind of miss 'lost'"}};
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
