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
