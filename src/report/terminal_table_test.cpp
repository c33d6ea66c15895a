// V1, V5, Q2: the table fits its terminal, says what failed, and lets no foreign control byte
// through.
#include "report/terminal_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

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

TEST(TerminalTable, DropsIntervalsBeforeItSplitsLengths) {
  const SyntheticRun run = synthetic_run({.samples_per_cell = 3});
  const auto count = [](const std::string& table, const std::string& text) {
    size_t found = 0;
    for (size_t at = table.find(text); at != std::string::npos; at = table.find(text, at + 1))
      ++found;
    return found;
  };
  const std::string wide = terminal_table(run.results, run.description, {.width = 80});
  EXPECT_THAT(lines_of(wide)[0], HasSubstr("95 %"));
  EXPECT_EQ(count(wide, "niah_single_1 "), 1U);
  const std::string middle = terminal_table(run.results, run.description, {.width = 60});
  EXPECT_THAT(lines_of(middle)[0], Not(HasSubstr("95 %")));
  EXPECT_THAT(lines_of(middle)[0], HasSubstr("8K"));
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
  const std::string table = terminal_table(results, {}, {});
  EXPECT_THAT(table, HasSubstr("OOM = out of memory"));
  EXPECT_THAT(table, HasSubstr("· = not run"));
  EXPECT_THAT(table, HasSubstr("* = some requests"));
  EXPECT_THAT(table, HasSubstr("1 of 3 samples are not run yet"));
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
