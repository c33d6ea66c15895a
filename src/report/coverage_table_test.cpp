// A4: what arms kept of the evidence, as a table and as JSON.
#include "report/coverage_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "text/lines.h"

namespace fathom {
namespace {

using testing::HasSubstr;
using testing::Not;

SampleCoverage sample(const std::string& id, double recall, std::optional<int64_t> missing) {
  SampleCoverage one{.sample_id = id, .arm = "quest-256", .evidence = 4, .steps = 8};
  for (const int layer : {0, 1, 2, 3, 4, 5})
    one.layers.push_back({.layer = layer,
                          .steps = 8,
                          .recall = layer < 2 ? 1.0 : recall,
                          .joint = layer < 2 ? 1.0 : 0.0,
                          .kept = 0.25});
  one.recall = recall;
  one.joint = 0.5;
  one.path = missing ? 0 : 1;
  one.first_missing = missing;
  one.pairs = 25;
  one.pairs_to_select = 10;
  one.pairs_full = 100;
  one.ranking = {.looks = 8,
                 .at = {{.k = 1, .hit = 0.25, .joint = 0}, {.k = 2, .hit = 0.75, .joint = 0.5}},
                 .score_to_mass = 0.5,
                 .weighed = 8,
                 .mass_read = 0.5,
                 .mass_best = 0.75};
  return one;
}

std::vector<CoveredArm> two_arms() {
  return {{"quest-256", {sample("a", 0.5, 1), sample("b", 0.25, 1), sample("c", 0.75, {})}},
          {"not-yet\x1b[31m", {}}};
}

// Runs of white space as one blank.
std::string flat(std::string_view text) {
  std::string out;
  for (const char byte : text) {
    const bool blank = byte == ' ' || byte == '\n';
    if (!blank || !out.ends_with(' ')) out += blank ? ' ' : byte;
  }
  return out;
}

std::string line_of(const std::string& text, const std::string& start) {
  for (const std::string_view line : split_lines(text))
    if (line.starts_with(start)) return flat(line);
  return "";
}

TEST(CoverageTable, A4_TellsArmsLayersRankingAndBreaks) {
  const std::string text = coverage_table(two_arms(), {.width = 100});
  EXPECT_EQ(line_of(text, "quest-256 "), "quest-256 35.0 50.0 50.0 0.0 33.3 0.0 0.0");
  EXPECT_EQ(line_of(text, "  layers 0–1"), " layers 0–1 100.0 100.0 0.0 25.0");
  EXPECT_EQ(line_of(text, "  layers 4–5"), " layers 4–5 0.0 50.0 0.0 25.0");
  EXPECT_THAT(flat(text),
              HasSubstr("quest-256: evidence among the k best blocks, percent (all of it at "
                        "once): 1: 25.0 (0.0), 2: 75.0"));
  EXPECT_THAT(flat(text), HasSubstr("rank correlation 0.50"));
  EXPECT_THAT(flat(text), HasSubstr("chain in 2 of 3 samples"));
  EXPECT_THAT(flat(text), HasSubstr("2 of evidence 2."));
  EXPECT_THAT(line_of(text, "not-yet"), HasSubstr("–"));
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
}

TEST(CoverageTable, StaysWithinItsWidth) {
  for (const size_t width : {40U, 60U, 80U, 120U}) {
    const std::string text = coverage_table(two_arms(), {.width = width});
    for (const std::string_view line : split_lines(text)) {
      size_t characters = 0;
      for (const char byte : line) characters += (byte & 0xC0) != 0x80;
      EXPECT_LE(characters, width) << line;
    }
  }
}

TEST(CoverageTable, A4_JsonHasMeansBreaksAndGroups) {
  const Json json = covered_arm_json(two_arms().front());
  EXPECT_EQ(json["arm"], "quest-256");
  EXPECT_EQ(json["samples"], 3);
  EXPECT_DOUBLE_EQ(json["read_share"], 0.35);
  EXPECT_DOUBLE_EQ(json["coverage"]["recall"], 0.5);
  EXPECT_EQ(json["coverage"]["layers"].size(), 6U);
  EXPECT_EQ(json["breaks"], (Json{{{"piece", 1}, {"samples", 2}}}));
  ASSERT_EQ(json["groups"].size(), 3U);
  EXPECT_EQ(json["groups"][0]["last"], 1);
  EXPECT_DOUBLE_EQ(json["groups"][2]["recall"], 0.5);
  const Json none = covered_arm_json(two_arms().back());
  EXPECT_TRUE(none["coverage"].is_null());
  EXPECT_TRUE(none["groups"].empty());
}

}  // namespace
}  // namespace fathom
