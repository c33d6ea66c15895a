// The index of a run's samples keeps what grading needs, and lines of an older fathom are read too.
#include "results/sample_index.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/file.h"
#include "io/json.h"
#include "runs/synthetic_run.h"

namespace fathom {
namespace {

using testing_run::synthetic_run;

TEST(SampleIndex, ReadsBackAsWritten) {
  std::vector<SampleLine> lines;
  for (const Sample& sample : synthetic_run({.samples_per_cell = 1}).samples)
    lines.push_back(line_of(sample));
  lines[0].facts.expectation.keys = {"calm-river"};
  lines[0].facts.expectation.text = TextFilter::of({"7654321"});
  const std::string path = testing::TempDir() + "fathom_samples.jsonl";
  ASSERT_TRUE(write_sample_index(path, lines));
  const auto read = read_sample_index(path);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(*read, lines);
  EXPECT_TRUE(is_current_sample_index(path));
}

// A7: of a run of some samples each line knows its place in the dataset, however often it is cut.
TEST(SampleIndex, A7_SomeSamplesKnowTheirPlaces) {
  std::vector<SampleLine> all;
  for (const Sample& sample : synthetic_run({.samples_per_cell = 2}).samples)
    all.push_back(line_of(sample));
  ASSERT_GT(all.size(), 5U);
  const auto ids = [&](std::initializer_list<size_t> places) {
    std::unordered_set<std::string> named;
    for (const size_t place : places) named.insert(all[place].facts.id);
    return named;
  };
  const auto some = only_samples(all, ids({5, 1, 3}));
  const auto fewer = only_samples(some, ids({0, 3, 5}));
  const std::string path = testing::TempDir() + "fathom_some_samples.jsonl";
  ASSERT_TRUE(write_sample_index(path, fewer));
  const auto read = read_sample_index(path);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(*read, fewer);
  ASSERT_EQ(read->size(), 2U);
  const size_t places[] = {3, 5};
  for (size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(place_in_dataset(read->at(i).facts, i), places[i]);
    EXPECT_EQ(read->at(i).facts.hash, all[places[i]].facts.hash);
    EXPECT_EQ(place_in_dataset(all[i].facts, i), i);
  }
}

TEST(SampleIndex, ReadsOlderLines) {
  SampleLine line = line_of(synthetic_run({.samples_per_cell = 1}).samples[0]);
  const std::string path = testing::TempDir() + "fathom_samples.jsonl";
  ASSERT_TRUE(write_sample_index(path, {line}));
  auto json = parse_json(*read_file(path), path);
  ASSERT_TRUE(json);
  json->erase("expects");
  ASSERT_TRUE(write_file_atomic(path, to_json_line(*json) + "\n"));
  EXPECT_FALSE(is_current_sample_index(path));
  const auto read = read_sample_index(path);
  ASSERT_TRUE(read) << read.error().message;
  line.facts.expectation = {};
  EXPECT_EQ(read->at(0), line);
  EXPECT_FALSE(is_current_sample_index(path + ".missing"));
}

// What was answered stays what is graded, whatever today's fathom would make of its recipe.
TEST(SampleIndex, KeepsWhatWasAnswered) {
  const auto samples = synthetic_run({.samples_per_cell = 1}).samples;
  const std::string path = testing::TempDir() + "fathom_samples.jsonl";
  std::vector<SampleLine> older = {line_of(samples[0]), line_of(samples[1])};
  older[1].facts.hash = "0123";
  ASSERT_TRUE(write_sample_index(path, older));
  std::vector<SampleLine> lines = {line_of(samples[0]), line_of(samples[1]), line_of(samples[2])};
  lines[0].facts.expectation.keys = {"calm-river"};
  EXPECT_EQ(keep_answered_samples(path, lines), 1U);
  EXPECT_EQ(lines[0].facts.expectation.keys.size(), 1U);
  EXPECT_EQ(lines[1], older[1]);
  EXPECT_EQ(lines[2], line_of(samples[2]));
  EXPECT_EQ(keep_answered_samples(path + ".missing", lines), 0U);
}

TEST(SampleIndex, RefusesADamagedExpectation) {
  const SampleLine line = line_of(synthetic_run({.samples_per_cell = 1}).samples[0]);
  const std::string path = testing::TempDir() + "fathom_samples.jsonl";
  ASSERT_TRUE(write_sample_index(path, {line}));
  auto json = parse_json(*read_file(path), path);
  ASSERT_TRUE(json);
  (*json)["expects"] = {{"form", "round"}};
  ASSERT_TRUE(write_file_atomic(path, to_json_line(*json) + "\n"));
  const auto read = read_sample_index(path);
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error().message, testing::HasSubstr("unknown form of answer 'round'"));
  EXPECT_THAT(read.error().message, testing::HasSubstr("fathom_samples.jsonl:1"));
}

}  // namespace
}  // namespace fathom
