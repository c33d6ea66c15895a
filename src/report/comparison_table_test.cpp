// S4, V1, Q2: a comparison fits its terminal, says what was left out, and its files agree with it.
#include "report/comparison_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "report/comparison_files.h"
#include "report/terminal_text.h"
#include "runs/scored_run.h"

namespace fathom {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing_run::scored_run;
using testing_run::ScoredAnswer;
using testing_run::ScoredRun;

ScoredRun reader(const std::string& name, int64_t right, std::vector<std::string> tasks,
                 int64_t lengths = 2) {
  std::vector<int64_t> grid;
  for (int64_t i = 0; i < lengths; ++i) grid.push_back(int64_t{1024} << i);
  return scored_run({.tasks = std::move(tasks), .lengths = grid, .samples = 12, .name = name},
                    [right](const SampleFacts& sample) {
                      return ScoredAnswer{.official = sample.index < right ? 1.0 : 0.0};
                    });
}

Comparison comparison_of(const std::vector<std::string>& tasks, int64_t lengths = 2,
                         const ComparisonOptions& options = {}) {
  const ScoredRun a = reader("before", 11, tasks, lengths);
  const ScoredRun b = reader("after", 4, tasks, lengths);
  auto comparison = compare_runs(a.compared(), b.compared(), options);
  EXPECT_TRUE(comparison);
  return *comparison;
}

std::vector<std::string> lines_in(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

TEST(ComparisonTable, FitsEveryWidth) {
  const Comparison comparison = comparison_of({"niah_single_1", "qa_encyclopaedia_1hop", "vt"});
  for (const size_t width : {40u, 60u, 80u, 200u}) {
    const std::string text = comparison_table(comparison, {.width = width});
    for (const std::string& line : lines_in(text)) EXPECT_LE(display_width(line), width) << line;
    EXPECT_THAT(text, HasSubstr("B − A"));
    EXPECT_THAT(text, HasSubstr("−58.3"));
    EXPECT_THAT(text, Not(HasSubstr("\x1b")));
  }
  EXPECT_THAT(comparison_table(comparison, {.width = 80, .colour = true}), HasSubstr("\x1b[31m"));
}

TEST(ComparisonTable, ShowsTheLeastAlikeOfManyCells) {
  const Comparison comparison =
      comparison_of({"niah_single_1", "niah_single_2", "vt", "cwe", "fwe"}, 8);
  const std::string text = comparison_table(comparison, {});
  EXPECT_THAT(text, HasSubstr("30 of 40 cells are shown"));
  EXPECT_THAT(text, HasSubstr("least alike"));
}

TEST(ComparisonTable, UnpairedHasNoCounts) {
  const std::string text =
      comparison_table(comparison_of({"vt", "cwe"}, 2, {.unpaired = true}), {});
  EXPECT_THAT(text, Not(HasSubstr("lost")));
  EXPECT_THAT(text, HasSubstr("not paired"));
}

TEST(ComparisonTable, NamesCannotSpeakToTheTerminal) {
  const Comparison comparison = comparison_of({"vt\x1b[2J", "cwe\n\xff"});
  const std::string text = comparison_table(comparison, {});
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
  EXPECT_THAT(text, Not(HasSubstr("\xff")));
}

TEST(ComparisonFiles, RowsHaveTheFieldsOfTheHead) {
  const std::vector<Comparison> all = {comparison_of({"vt", "cwe"}),
                                       comparison_of({"vt"}, 2, {.unpaired = true})};
  const auto lines = lines_in(comparison_csv(all));
  ASSERT_GT(lines.size(), 10u);
  const auto commas = [](const std::string& line) {
    return std::count(line.begin(), line.end(), ',');
  };
  for (const std::string& line : lines) EXPECT_EQ(commas(line), commas(lines.front())) << line;
  const Json json = comparison_json(all);
  EXPECT_EQ(json["comparisons"].size(), 2u);
  EXPECT_EQ(json["comparisons"][0]["all"]["lost"], 2 * 2 * 7);
  EXPECT_EQ(json["comparisons"][0]["samples"].size(), 28u);
  EXPECT_THAT(comparison_markdown(all), HasSubstr("| all samples | 16 | 28 | 0 | 4 |"));
}

}  // namespace
}  // namespace fathom
