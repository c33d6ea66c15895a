// A4: coverage.jsonl round trips, and names the line that is wrong.
#include "coverage/coverage_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "coverage/random_log_test.h"
#include "io/file.h"

namespace fathom {
namespace {

using testing::HasSubstr;

std::string file_with(const std::string& text) {
  std::string path = testing::TempDir() + "/coverage.jsonl";
  EXPECT_TRUE(write_file_atomic(path, text));
  return path;
}

TEST(CoverageFile, RoundTripsRandomCoverages) {
  std::vector<SampleCoverage> made;
  std::string text;
  for (uint64_t number = 0; number < 1'000; ++number) {
    RandomLog one = random_log(number);
    one.log.sample_id = "niah:" + std::to_string(number);
    one.log.arm = "quest-256";
    made.push_back(coverage_of(one.log, one.evidence));
    text += coverage_line(made.back()) + "\n";
  }
  const auto read = read_coverage(file_with(text));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(*read, made);
}

TEST(CoverageFile, KeepsRankingsAndTakesTheirMeansOverSamplesThatHaveOne) {
  SampleCoverage none{.sample_id = "a", .arm = "quest"};
  SampleCoverage one{.sample_id = "b", .arm = "quest"};
  one.ranking = {.looks = 4,
                 .at = {{1, 0.25, 0}, {2, 0.75, 0.5}},
                 .score_to_mass = -0.5,
                 .weighed = 4,
                 .mass_read = 0.25,
                 .mass_best = 0.5};
  SampleCoverage other{.sample_id = "c", .arm = "quest"};
  other.ranking = {.looks = 2, .at = {{1, 0.75, 0.5}, {2, 0.75, 0.5}}};
  const auto read = read_coverage(file_with(coverage_line(none) + "\n" + coverage_line(one) + "\n" +
                                            coverage_line(other) + "\n"));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(*read, (std::vector{none, one, other}));
  const CandidateRanking expected = {.looks = 6,
                                     .at = {{1, 0.5, 0.25}, {2, 0.75, 0.5}},
                                     .score_to_mass = -0.5,
                                     .weighed = 4,
                                     .mass_read = 0.25,
                                     .mass_best = 0.5};
  EXPECT_EQ(mean_coverage(*read).ranking, expected);
}

TEST(CoverageFile, OfOneSampleTheLastLineCounts) {
  SampleCoverage first{.sample_id = "a", .arm = "quest", .recall = 0.25};
  SampleCoverage other = first;
  other.sample_id = "b";
  SampleCoverage last = first;
  last.recall = 0.5;
  const auto read = read_coverage(
      file_with(coverage_line(first) + "\n" + coverage_line(other) + "\n" + coverage_line(last)));
  ASSERT_TRUE(read);
  EXPECT_EQ(*read, (std::vector{last, other}));
  EXPECT_TRUE(read_coverage(testing::TempDir() + "/no-such.jsonl")->empty());
}

TEST(CoverageFile, NamesTheLineThatIsWrong) {
  const std::string good = coverage_line({.sample_id = "a", .arm = "quest"});
  struct Case {
    std::string line;
    std::string message;
  };
  const Case cases[] = {
      {"{", "not valid JSON"},
      {"[1]", "must be an object"},
      {R"({"sample": "a"})", "key 'arm' is missing"},
      {R"({"sample": "a", "arm": "b", "evidence": -1})", "key 'evidence' must be 0 or more"},
      {R"({"sample": "a", "arm": "b", "evidence": 1, "steps": 1, "recall": "all"})",
       "key 'recall' must be a number"},
      {good.substr(0, good.size() - 2) + R"({"layer": "x"}]})", "key 'layers[0].layer' must be"},
  };
  for (const Case& each : cases) {
    const std::string path = file_with(good + "\n" + each.line + "\n");
    const auto read = read_coverage(path);
    ASSERT_FALSE(read) << each.line;
    EXPECT_THAT(read.error().message, HasSubstr(path + ":2: "));
    EXPECT_THAT(read.error().message, HasSubstr(each.message));
  }
}

}  // namespace
}  // namespace fathom
