// V4, Q2: files that other programs read; RULER's summary in its exact shape.
#include "report/result_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <clocale>
#include <filesystem>
#include <map>
#include <sstream>

#include "io/file.h"
#include "report/lm_eval.h"
#include "results/ruler_predictions.h"
#include "results/verdict.h"
#include "runs/synthetic_run.h"

namespace fathom {
namespace {

using testing::HasSubstr;
using testing_run::synthetic_run;
using testing_run::SyntheticRun;

ForeignAnswer answer(const std::string& task, int64_t index, const std::string& text) {
  ForeignAnswer made;
  made.task = task;
  made.length = 4096;
  made.index = index;
  made.references = {"one", "two", "three"};
  made.answer = text;
  made.metric = task == "qa_1" ? Metric::kStringMatchPart : Metric::kStringMatchAll;
  return made;
}

TEST(RulerPredictions, GiveRulersSummary) {
  const auto results = results_of_predictions(
      {answer("niah_single_1", 0, "One two THREE"), answer("niah_single_1", 1, "one"),
       answer("niah_single_1", 2, " \x01 "), answer("qa_1", 0, "two"), answer("qa_1", 1, "no idea"),
       answer("vt", 0, "one two three")},
      1);
  ASSERT_TRUE(results) << results.error().message;
  EXPECT_EQ(ruler_summary_csv(*results, 0),
            "0,1,2,3\n"
            "Tasks,niah_single_1,qa_1,vt\n"
            "Score,44.44,50.0,100.0\n"
            "Nulls,1/3,0/2,0/1\n");
  EXPECT_EQ(ruler_summary_name(*results, 0), "summary.csv");
  EXPECT_EQ(results->cell(0, 0).tally.usability.n, 3);
}

TEST(RulerPredictions, OneTaskNamesItsFile) {
  auto results = results_of_predictions({answer("../../etc/vt", 0, "one")}, 1);
  ASSERT_TRUE(results);
  EXPECT_EQ(ruler_summary_name(*results, 0), "summary-.._.._etc_vt.csv");
  EXPECT_EQ(ruler_summary_csv(*results, 0), "0,1\nTasks,../../etc/vt\nScore,33.33\nNulls,0/1\n");
}

TEST(RulerPredictions, ANullReferenceScoresTheTaskZero) {
  std::vector<ForeignAnswer> answers = {answer("vt", 0, "one"), answer("vt", 1, "one two three")};
  answers[0].references.clear();
  EXPECT_FALSE(results_of_predictions(answers, 1));
  answers[0].null_reference = true;
  const auto results = results_of_predictions(answers, 1);
  ASSERT_TRUE(results);
  EXPECT_EQ(results->cell(0, 0).ruler_score, 0);
}

std::vector<std::vector<std::string>> csv_rows(const std::string& text) {
  std::vector<std::vector<std::string>> rows(1, {""});
  bool quoted = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted && c == '"' && i + 1 < text.size() && text[i + 1] == '"') {
      rows.back().back() += '"';
      ++i;
    } else if (c == '"') {
      quoted = !quoted;
    } else if (!quoted && c == ',') {
      rows.back().emplace_back();
    } else if (!quoted && c == '\n') {
      rows.push_back({""});
    } else {
      rows.back().back() += c;
    }
  }
  rows.pop_back();
  return rows;
}

TEST(ResultsCsv, IsOneRowAFigure) {
  SyntheticRun run = synthetic_run({.samples_per_cell = 3});
  run.description.model = "a \"quoted\", model\nof two lines";
  const auto rows = csv_rows(results_csv(run.results, run.description));
  ASSERT_GT(rows.size(), 500U);
  EXPECT_EQ(rows[0].size(), 11U);
  double sum = 0;
  for (size_t i = 1; i < rows.size(); ++i) {
    ASSERT_EQ(rows[i].size(), 11U) << i;
    EXPECT_EQ(rows[i][1], run.description.model);
    if (rows[i][3] == "vt" && rows[i][4] == "1024" && rows[i][5].starts_with("outcome:"))
      sum += std::stod(rows[i][6]);
  }
  EXPECT_EQ(sum, 3);
}

TEST(SummaryJson, HoldsTheSameFigures) {
  const SyntheticRun run = synthetic_run();
  const Json json = summary_json(run.results, run.description);
  EXPECT_EQ(json["format"], "fathom-summary");
  EXPECT_EQ(json["total"]["samples"], 520);
  EXPECT_EQ(json["simulated"], true);
  EXPECT_EQ(json["cells"].size(), 52U);
  EXPECT_EQ(json["cells"][0]["usability"]["value"], run.results.cells[0].tally.usability.value);
  EXPECT_EQ(json["curves"][0]["points"][1]["length"], 2048);
  EXPECT_EQ(json["curves"][0]["effective_length"]["words"],
            to_words(run.results.curves[0].effective));
}

// V4, S2, J2, J3: the whole result is in the file, by name.
TEST(SummaryJson, HoldsEveryPartOfTheResult) {
  const SyntheticRun run = synthetic_run();
  const Json json = summary_json(run.results, run.description);
  EXPECT_EQ(json["version"], 2);
  EXPECT_EQ(json["headline"], verdict_of(run.results, run.description).headline);
  for (const char* key : {"robust", "regions", "depth", "positions", "spending", "controls",
                          "variants", "options", "tasks"})
    EXPECT_TRUE(json.contains(key)) << key;
  for (const Json& cell : json["cells"]) {
    int64_t missed = 0;
    for (const auto& [kind, count] : cell["misses"].items()) {
      EXPECT_TRUE(miss_from_text(kind)) << kind;
      missed += count.get<int64_t>();
    }
    EXPECT_EQ(missed + cell["strictly_right"].get<int64_t>(), cell["completed"]) << cell["cell"];
  }
  for (const Json& curve : json["curves"]) {
    for (const char* rule : {"effective_length", "relative", "strict", "risk"}) {
      const Json& effective = curve[rule];
      EXPECT_LE(effective["low"], effective["longest"]);
      EXPECT_TRUE(effective["words"].is_string());
    }
    EXPECT_EQ(curve["cost"].size(), json["lengths"].size());
  }
  EXPECT_EQ(json["tasks"].size(), run.results.tasks.size());
  EXPECT_EQ(json["spending"]["lengths"].size(), json["lengths"].size());
  EXPECT_EQ(parse_json(to_pretty_json(json), "summary.json").value(), json);
}

TEST(SummaryJson, HasNoInfinity) {
  SyntheticRun run = synthetic_run({.samples_per_cell = 1});
  EffectiveLength& effective = run.results.summaries.curves.front().absolute;
  effective.crossing = {Crossing::kNoEnd, 512.4, Crossing::kNoEnd, true};
  const Json crossing =
      summary_json(run.results, run.description)["curves"][0]["effective_length"]["crossing"];
  EXPECT_EQ(crossing, (Json{{"length", nullptr}, {"low", 512.0}, {"high", nullptr}}));
}

TEST(ResultsCsv, NamesEffectiveLengthsMissesAndControls) {
  SyntheticRun run = synthetic_run();
  run.results.controls = {{.task = 0, .no_context = {.value = 0.25, .n = 8}},
                          {.task = 0, .length = 1, .no_context = {.value = 0.25, .n = 8}}};
  const auto rows = csv_rows(results_csv(run.results, run.description));
  std::map<std::string, int> metrics;
  int controls = 0;
  for (const auto& row : rows) {
    ++metrics[row[5].substr(0, row[5].find(':'))];
    controls += row[3].ends_with("[control=no-context]") ? 1 : 0;
    EXPECT_TRUE(!row[5].starts_with("effective_length") || row[4].empty()) << row[3];
  }
  EXPECT_EQ(controls, 1);
  for (const char* metric : {"strict", "miss", "effective_length", "effective_length_risk",
                             "slope_per_doubling", "total_ms_p95"})
    EXPECT_GT(metrics[metric], 0) << metric;
}

TEST(LmEval, NamesRulersTasksAsItDoes) {
  EXPECT_EQ(lm_eval_task_name("niah_single_1", "niah_single_1"), "niah_single_1");
  EXPECT_EQ(lm_eval_task_name("vt", "vt"), "ruler_vt");
  EXPECT_EQ(lm_eval_task_name("qa_1", "qa_1"), "ruler_qa_squad");
  EXPECT_EQ(lm_eval_task_name("vt", "vt[hops=2]"), "fathom_vt[hops=2]");
  EXPECT_EQ(lm_eval_task_name("set_intersection", "set_intersection"), "fathom_set_intersection");
}

TEST(MarkdownTable, KeepsForeignTextOutOfItsMarkup) {
  SyntheticRun run = synthetic_run({.samples_per_cell = 1});
  run.results.tasks[0].cell = "a|b<script>*x*_y_`z`[l](u)\x1b[0m";
  const std::string table = markdown_table(run.results, run.description);
  EXPECT_THAT(table, HasSubstr("a\\|b\\<script\\>\\*x\\*\\_y\\_\\`z\\`\\[l\\](u)\\\\x1b\\[0m"));
  std::istringstream lines(table);
  size_t rows = 0;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("|")) continue;
    ++rows;
    int bars = 0;
    for (size_t i = 0; i < line.size(); ++i)
      if (line[i] == '|' && (i == 0 || line[i - 1] != '\\')) ++bars;
    EXPECT_EQ(bars, 6) << line;
  }
  EXPECT_EQ(rows, 18U);
}

TEST(ResultFiles, AreAllWrittenAndReadBack) {
  const SyntheticRun run = synthetic_run({.samples_per_cell = 2});
  const std::string folder = testing::TempDir() + "fathom_result_files";
  std::filesystem::remove_all(folder);
  const auto written = write_result_files(folder, run.results, run.description);
  ASSERT_TRUE(written) << written.error().message;
  for (const char* name : {"summary.json", "results.csv", "results.md", "scores.jsonl",
                           "ruler/1024/summary.csv", "ruler/8192/summary.csv"})
    EXPECT_TRUE(file_exists(folder + "/" + name)) << name;
  EXPECT_EQ(*read_scores(folder + "/scores.jsonl"), run.results.scores);
  const auto summary = parse_json(*read_file(folder + "/summary.json"), "summary.json");
  EXPECT_EQ(*summary, summary_json(run.results, run.description));
  std::filesystem::remove_all(folder);
}

TEST(ResultFiles, DoNotDependOnTheLocale) {
  const SyntheticRun run = synthetic_run({.samples_per_cell = 2});
  const std::string before = results_csv(run.results, run.description) +
                             to_pretty_json(summary_json(run.results, run.description));
  const char* set = std::setlocale(LC_ALL, "de_DE.UTF-8");
  EXPECT_EQ(results_csv(run.results, run.description) +
                to_pretty_json(summary_json(run.results, run.description)),
            before);
  if (set != nullptr) std::setlocale(LC_ALL, "C");
}

}  // namespace
}  // namespace fathom
