// V1, V5, Q2: the table fits its terminal, says what failed, and lets no foreign control byte
// through.
#include "report/terminal_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <sstream>

#include "io/file.h"
#include "report/sparkline.h"
#include "report/terminal_text.h"
#include "results/verdict.h"
#include "runs/synthetic_run.h"

namespace fathom {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing_run::synthetic_run;
using testing_run::SyntheticRun;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

TEST(TerminalText, MakesForeignTextHarmless) {
  struct Case {
    std::string text;
    std::string safe;
  };
  const Case cases[] = {{"plain", "plain"},
                        {"\x1b[31mred\x1b[0m", "\\x1b[31mred\\x1b[0m"},
                        {"\x1b]0;title\x07", "\\x1b]0;title\\x07"},
                        {"a\tb\nc", "a b c"},
                        {"a\rb", "a\\x0db"},
                        {std::string("a\0b", 3), "a\\x00b"},
                        {"\x7f", "\\x7f"},
                        {"\xc2\x9b"
                         "31m",
                         "\\x9b31m"},
                        {"\xe2\x80\xae evil", "\\u202e evil"},
                        {"a\xe2\x80\xa8z", "a\\u2028z"},
                        {"\xff\xfe", "\xEF\xBF\xBD\xEF\xBF\xBD"},
                        {"日本 🔑", "日本 🔑"}};
  for (const Case& test : cases) EXPECT_EQ(terminal_safe(test.text), test.safe);
}

TEST(TerminalText, CountsColumnsAsTerminalsDo) {
  EXPECT_EQ(display_width("abc"), 3U);
  EXPECT_EQ(display_width("日本"), 4U);
  EXPECT_EQ(display_width("e\u0301"), 1U);
  EXPECT_EQ(display_width("🔑"), 2U);
  EXPECT_EQ(padded_left("日本", 6), "日本  ");
  EXPECT_EQ(padded_right("日本", 6), "  日本");
  EXPECT_EQ(cut_to_width("abcdef", 4), "abc…");
  EXPECT_EQ(cut_to_width("日本語", 4), "日…");
  EXPECT_EQ(cut_to_width("abc", 0), "");
  EXPECT_EQ(display_width(padded_left("日本語", 4)), 4U);
}

TEST(TerminalTable, FitsEveryWidth) {
  for (const size_t lengths : {1U, 2U, 4U, 6U, 9U}) {
    testing_run::SyntheticOptions options{.samples_per_cell = 3, .lengths = {}};
    for (size_t i = 0; i < lengths; ++i) options.lengths.push_back(1024 << i);
    const SyntheticRun run = synthetic_run(options);
    for (const size_t width : {30U, 40U, 60U, 80U, 100U, 200U}) {
      const std::string table = terminal_table(run.results, run.description, {.width = width});
      for (const std::string& line : lines_of(table))
        EXPECT_LE(display_width(line), width) << lengths << " lengths: " << line;
      size_t shown = 0;
      for (const int64_t length : run.results.lengths)
        shown += table.find(length_name(length)) != std::string::npos ? 1 : 0;
      EXPECT_EQ(shown, lengths) << width;
    }
  }
}

// One line, since a sentence may break anywhere.
std::string flat(const std::string& text) {
  std::string out;
  for (const std::string& line : lines_of(text))
    out +=
        (out.empty() ? "" : " ") + line.substr(std::min(line.find_first_not_of(' '), line.size()));
  return out;
}

// The line that begins with `start`; empty where none does.
std::string line_of(const std::string& text, const std::string& start) {
  for (const std::string& line : lines_of(text))
    if (line.starts_with(start)) return line;
  return "";
}

TEST(TerminalTable, DropsIntervalsBeforeItSplitsLengths) {
  const SyntheticRun run = synthetic_run({.samples_per_cell = 3});
  const auto count = [](const std::string& table, const std::string& text) {
    size_t found = 0;
    for (size_t at = table.find(text); at != std::string::npos; at = table.find(text, at + 1))
      ++found;
    return found;
  };
  const std::string wide = terminal_table(run.results, run.description, {.width = 80});
  EXPECT_THAT(line_of(wide, "task "), HasSubstr("95 %"));
  EXPECT_EQ(count(wide, "niah_single_1 "), 1U);
  const std::string middle = terminal_table(run.results, run.description, {.width = 60});
  EXPECT_THAT(line_of(middle, "task "), Not(HasSubstr("95 %")));
  EXPECT_THAT(line_of(middle, "task "), HasSubstr("8K"));
  EXPECT_THAT(middle, HasSubstr("\n  95 %"));
  EXPECT_EQ(count(middle, "niah_single_1 "), 1U);
  EXPECT_GT(count(terminal_table(run.results, run.description, {.width = 36}), "niah_single_1"),
            1U);
}

TEST(TerminalTable, UsesColourOnlyWhenAsked) {
  const SyntheticRun run = synthetic_run({.samples_per_cell = 40});
  const std::string plain = terminal_table(run.results, run.description, {});
  EXPECT_THAT(plain, Not(HasSubstr("\x1b")));
  const std::string coloured = terminal_table(run.results, run.description, {.colour = true});
  EXPECT_THAT(coloured, HasSubstr("\x1b[32m"));
}

TEST(TerminalTable, ShowsNamesOfAnyBytesHarmlessly) {
  SyntheticRun run = synthetic_run({.samples_per_cell = 1});
  run.results.tasks[0].cell = "\x1b[2J日本語のとても長い名前のタスクです";
  run.description.model = "evil\x1b]0;x\x07model";
  const std::string table = terminal_table(run.results, run.description, {.width = 80});
  EXPECT_THAT(table, Not(HasSubstr("\x1b")));
  EXPECT_THAT(table, Not(HasSubstr("\x07")));
  for (const std::string& line : lines_of(table)) EXPECT_LE(display_width(line), 80U) << line;
}

TEST(TerminalTable, ExplainsWhatFailed) {
  std::vector<SampleFacts> samples(3);
  std::vector<Attempt> attempts(2);
  for (size_t i = 0; i < samples.size(); ++i) {
    samples[i].id = samples[i].task = samples[i].cell = fmt::format("task{}", i);
    samples[i].length = 1024;
    samples[i].references = {"42"};
  }
  attempts[0].sample_id = "task0";
  attempts[0].outcome = Outcome::kOutOfMemory;
  attempts[1].sample_id = "task1";
  attempts[1].outcome = Outcome::kAnswered;
  const Results results = build_results(samples, *score_run(samples, attempts, 1));
  const std::string table = flat(terminal_table(results, {}, {}));
  EXPECT_THAT(table, HasSubstr("OOM = out of memory"));
  EXPECT_THAT(table, HasSubstr("· = not run"));
  EXPECT_THAT(table, HasSubstr("* = some requests"));
  EXPECT_THAT(table, HasSubstr("1 of 3 samples are not run yet"));
}

TEST(Sparkline, IsAColumnAPoint) {
  const std::optional<double> shares[] = {0.0, 0.1, 0.13, 0.5, 0.99, 1.0, std::nullopt, -2.0, 7.0};
  EXPECT_EQ(sparkline(shares), "▁▁▂▅██·▁█");
  EXPECT_EQ(display_width(sparkline(shares)), 9U);
  EXPECT_EQ(sparkline({}), "");
}

TEST(TerminalText, HasAnAsciiFormOfTheSameWidth) {
  EXPECT_EQ(as_ascii("▁▂▃▄▅▆▇█ 96–100 a…"), "_,-~=+*# 96-100 a~");
  EXPECT_EQ(as_ascii("日本 é"), "???? ?");
  EXPECT_EQ(as_ascii("e\u0301"), "e");
  EXPECT_EQ(as_ascii("\xff"), "?");
  const SyntheticRun run = synthetic_run({.samples_per_cell = 3});
  const std::string table = as_ascii(terminal_table(run.results, run.description, {.width = 100}));
  for (const char byte : table) EXPECT_LT(static_cast<unsigned char>(byte), 0x80U);
}

// What a reader sees first: the verdict, then the table, then what it adds up to.
TEST(TerminalTable, BeginsWithTheVerdict_V1) {
  const SyntheticRun run = synthetic_run();
  const std::string table = terminal_table(run.results, run.description, {.width = 80});
  const Verdict words = verdict_of(run.results, run.description);
  EXPECT_TRUE(words.headline.starts_with(lines_of(table)[0])) << table;
  const size_t at[] = {
      table.find("task "),       table.find("average"),          table.find("\nstrict"),
      table.find("\ncompleted"), table.find("effective length"), table.find("Not strictly right"),
      table.find("Failed, "),    table.find("RULER average")};
  for (size_t i = 0; i < std::size(at); ++i) {
    ASSERT_NE(at[i], std::string::npos) << i << "\n" << table;
    EXPECT_TRUE(i == 0 || at[i] > at[i - 1]) << i << "\n" << table;
  }
}

TEST(TerminalTable, ShowsCurvesWithTheirEffectiveLengths_V1) {
  const SyntheticRun run = synthetic_run();
  for (const size_t width : {40U, 80U, 140U}) {
    const std::string table = terminal_table(run.results, run.description, {.width = width});
    const std::string title = line_of(table, "effective length");
    EXPECT_THAT(title, HasSubstr("≥ 85.6 %")) << table;
    EXPECT_EQ(title.find("strict") != std::string::npos, width >= 80) << table;
    EXPECT_EQ(title.find("crossing") != std::string::npos, width >= 140) << table;
    EXPECT_THAT(line_of(table, "retrieval"), testing::ContainsRegex("[▁▂▃▄▅▆▇█]")) << table;
  }
  EXPECT_THAT(line_of(terminal_table(run.results, run.description, {.width = 140}), "vt"),
              testing::ContainsRegex("[▁▂▃▄▅▆▇█]"));
}

// The whole text below the verdict (whose words have their own tests), at three widths. Where it
// shall change, the new text lies beside the test's temporary files.
TEST(TerminalTable, IsTheGoldenText_V1) {
  const SyntheticRun run = synthetic_run();
  for (const size_t width : {48U, 80U, 120U}) {
    const std::string whole = terminal_table(run.results, run.description, {.width = width});
    const std::string table = whole.substr(whole.find("\ntask ") + 1);
    const std::string name = fmt::format("terminal_{}.txt", width);
    const std::string made = testing::TempDir() + name;
    ASSERT_TRUE(write_file_atomic(made, table));
    const auto golden = read_file(std::string(FATHOM_TEST_DATA) + "/report/" + name);
    ASSERT_TRUE(golden) << golden.error().message << "; made: " << made;
    EXPECT_EQ(table, *golden) << "made: " << made;
  }
}

TEST(TerminalTable, CanShowStrictScores) {
  const SyntheticRun run = synthetic_run();
  const std::string lenient = terminal_table(run.results, run.description, {.width = 80});
  const std::string strict =
      terminal_table(run.results, run.description, {.width = 80, .strict = true});
  EXPECT_THAT(strict, HasSubstr("percent strictly right"));
  EXPECT_NE(line_of(strict, "lenient"), "");
  const auto figures = [](std::string line) {
    std::erase(line, '*');
    std::erase(line, ' ');
    return line.substr(7);
  };
  // The row of lenient means says nothing of completion; all else is what the other table has.
  EXPECT_THAT(figures(line_of(lenient, "average")),
              testing::StartsWith(figures(line_of(strict, "lenient"))));
}

TEST(TerminalTable, VariantsStandInTheSummaryOnly) {
  SyntheticRun run = synthetic_run({.samples_per_cell = 2});
  run.results.tasks[1].variant = {VariantAxis::kWording, "terse", run.results.tasks[0].cell};
  run.results.tasks[1].cell = run.results.tasks[1].variant.cell();
  Robustness axis;
  axis.axis = VariantAxis::kWording;
  axis.arms = {"ordinary", "terse"};
  axis.rows.push_back(
      {.cell = "all tasks", .arms = {{.value = 0.5, .n = 3}, {.value = 0.25, .n = 3}}});
  run.results.variants = {axis};
  run.results.controls = {{.no_context = {.value = 0.04, .low = 0.01, .high = 0.1, .n = 40},
                           .needles_only = {.value = 1, .low = 0.9, .high = 1, .n = 40}}};
  const std::string table = terminal_table(run.results, run.description, {.width = 100});
  EXPECT_THAT(table, Not(HasSubstr("[wording=terse]")));
  EXPECT_THAT(flat(table), HasSubstr("Same tasks, other wording: ordinary 50.0 %, terse 25.0 %"));
  EXPECT_THAT(flat(table),
              HasSubstr("Controls: without the context 4.0 % (1.0–10.0), needles alone "
                        "100.0 % (90.0–100.0)"));
}

TEST(TerminalTable, OfNothingSaysSo) {
  const std::string table = terminal_table(build_results({}, {}), {.model = "m"}, {});
  EXPECT_THAT(table, HasSubstr("nothing measured yet"));
}

// J, S2: the sentence holds the conditions and what is left open.
TEST(Verdict, NamesConditionsAndDoubts) {
  const SyntheticRun run = synthetic_run();
  const std::string words = verdict(run.results, run.description);
  EXPECT_THAT(words, HasSubstr("Simulated reader"));
  EXPECT_THAT(words, HasSubstr("greedy"));
  EXPECT_THAT(words, HasSubstr("13 tasks"));
  EXPECT_THAT(words, HasSubstr("85.6 %"));
  EXPECT_THAT(words, HasSubstr("3 of 520 samples are not run yet"));
  EXPECT_THAT(words, HasSubstr("requests failed and count as wrong"));
}

}  // namespace
}  // namespace fathom
