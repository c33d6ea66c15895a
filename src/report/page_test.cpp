// V2, V3, Q2: the page's data and the page made of it.
#include "report/page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "io/file.h"
#include "io/json.h"
#include "report/page_data.h"
#include "runs/synthetic_run.h"
#include "text/utf8.h"

namespace fathom {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing_run::synthetic_run;
using testing_run::SyntheticRun;

std::vector<CaseDetail> cases_of(const SyntheticRun& run, size_t limit) {
  std::vector<CaseDetail> cases;
  for (const size_t row : choose_cases(run.results, limit)) {
    const SampleRow& place = run.results.rows[row];
    const std::vector<bool> found =
        place.score ? run.results.scores[*place.score].found : std::vector<bool>{};
    cases.push_back(make_case(row, run.samples[row], run.attempt_of(run.samples[row].id), found));
  }
  return cases;
}

// The example of docs/formats/page.md: two runs, one of them weaker.
std::string example_data() {
  const SyntheticRun strong = synthetic_run();
  const SyntheticRun weak = synthetic_run({.skill = 0.85, .seed = 2, .unanswered = 0});
  const std::vector<CaseDetail> strong_cases = cases_of(strong, 24);
  const std::vector<CaseDetail> weak_cases = cases_of(weak, 12);
  const PageRun runs[] = {{&strong.description, &strong.results, strong_cases},
                          {&weak.description, &weak.results, weak_cases}};
  return page_data(runs, {.made_by = "fathom 0.1.0", .made_at = "2026-11-30T22:30:00Z"});
}

TEST(PageData, ExampleIsUpToDate) {
  const std::string path = std::string(FATHOM_TEST_DATA) + "/report/page_example.json";
  const std::string data = example_data() + "\n";
  const Result<std::string> stored = read_file(path);
  if (!stored || *stored != data) {
    ASSERT_TRUE(write_file_atomic(path, data));
    FAIL() << path << " differed from what page_data() writes and was written anew: look at the "
           << "change, adapt docs/formats/page.md and web/, and commit it";
  }
}

Json example_json() {
  const auto json = parse_json(example_data(), "page data");
  EXPECT_TRUE(json) << (json ? "" : json.error().message);
  return json ? *json : Json();
}

TEST(PageData, HasTheFormOfItsDocument) {
  const Json page = example_json();
  EXPECT_EQ(page["format"], "fathom-page");
  EXPECT_EQ(page["version"], 1);
  EXPECT_EQ(page["outcomes"].size(), kOutcomeCount);
  EXPECT_EQ(page["marks"][0]["kind"], "score");
  ASSERT_EQ(page["runs"].size(), 2U);
  for (const Json& run : page["runs"]) {
    const Json& samples = run["samples"];
    const size_t count = samples["count"];
    for (const char* column : {"cell", "index", "outcome", "score", "depth"})
      EXPECT_EQ(samples[column].size(), count) << column;
    for (const Json& cell : run["cells"]) {
      EXPECT_LT(cell["task"], page["tasks"].size());
      EXPECT_LT(cell["length"], page["lengths"].size());
    }
    for (const Json& one : run["cases"]) {
      const size_t row = one["sample"];
      ASSERT_LT(row, count);
      const std::string prompt_end = one["excerpt"].back()["pieces"].back()["text"];
      EXPECT_THAT(prompt_end, HasSubstr("The secret number is"));
    }
  }
}

// V3: the columns alone give every cell's counts again.
TEST(PageData, EveryFigureLeadsToItsSamples) {
  const Json page = example_json();
  for (const Json& run : page["runs"]) {
    const Json& samples = run["samples"];
    for (size_t i = 0; i < run["cells"].size(); ++i) {
      const Json& tally = run["cells"][i]["tally"];
      int64_t count = 0;
      int64_t attempted = 0;
      double score = 0;
      for (size_t row = 0; row < samples["count"]; ++row) {
        if (samples["cell"][row] != i) continue;
        ++count;
        attempted += samples["outcome"][row] >= 0 ? 1 : 0;
        score += std::max<double>(0, samples["score"][row]) / 1000;
      }
      EXPECT_EQ(tally["samples"], count);
      EXPECT_EQ(tally["attempted"], attempted);
      if (attempted > 0) {
        EXPECT_NEAR(tally["usability"]["value"], score / static_cast<double>(attempted), 1e-3);
      }
    }
  }
}

TEST(PageData, JoinsRunsOfDifferentSuites) {
  const SyntheticRun a = synthetic_run({.samples_per_cell = 1, .lengths = {1024, 4096}});
  SyntheticRun b = synthetic_run({.samples_per_cell = 1, .lengths = {2048, 4096}});
  b.results.tasks[12].cell = "other";
  const PageRun runs[] = {{&a.description, &a.results, {}}, {&b.description, &b.results, {}}};
  const Json page = *parse_json(page_data(runs, {}), "page data");
  ASSERT_EQ(page["lengths"].size(), 3U);
  EXPECT_EQ(page["lengths"][1]["name"], "2K");
  EXPECT_EQ(page["tasks"].size(), 14U);
  EXPECT_EQ(page["runs"][0]["cells"][1]["length"], 2);
  EXPECT_EQ(page["runs"][1]["cells"][0]["length"], 1);
  EXPECT_EQ(page["runs"][1]["cells"].back()["task"], 13);
}

TEST(PageData, NamesUnusualIdsOnly) {
  SyntheticRun run = synthetic_run({.samples_per_cell = 1, .lengths = {1024}});
  run.results.samples[2].id = "imported-17";
  const PageRun runs[] = {{&run.description, &run.results, {}}};
  const Json page = *parse_json(page_data(runs, {}), "page data");
  EXPECT_EQ(page["runs"][0]["samples"]["ids"], Json({{"2", "imported-17"}}));
}

TEST(PageData, KeepsToItsSize) {
  const SyntheticRun run = synthetic_run({.samples_per_cell = 5});
  const std::vector<CaseDetail> cases = cases_of(run, 1000);
  ASSERT_EQ(cases.size(), run.samples.size());
  const PageRun runs[] = {{&run.description, &run.results, cases}};
  const Json page = *parse_json(page_data(runs, {.case_bytes = 20000}), "page data");
  const size_t kept = page["runs"][0]["cases"].size();
  EXPECT_GT(kept, 3U);
  EXPECT_LT(to_json_line(page["runs"][0]["cases"]).size(), 20001U);
  EXPECT_EQ(page["runs"][0]["cases_left_out"], cases.size() - kept);
}

// V2: 100,000 samples fit into a page of 10 MB with its cases.
TEST(PageData, HoldsAHundredThousandSamples) {
  std::vector<SampleFacts> facts;
  std::vector<ScoredAttempt> scores;
  for (int64_t i = 0; i < 100000; ++i) {
    SampleFacts one;
    one.task = one.cell = fmt::format("niah_multikey_{}", i % 13);
    one.length = 4096 << (i / 13 % 6);
    one.index = i / 78;
    one.id = fmt::format("{}:{}:{}", one.cell, one.length, one.index);
    one.depth = static_cast<double>(i % 1000) / 999;
    ScoredAttempt score;
    score.sample_id = one.id;
    score.outcome = Outcome::kAnswered;
    score.official = static_cast<double>(i % 4) / 3;
    facts.push_back(std::move(one));
    scores.push_back(std::move(score));
  }
  const Results results = build_results(std::move(facts), std::move(scores));
  const RunDescription description;
  const PageRun runs[] = {{&description, &results, {}}};
  EXPECT_LT(page_data(runs, {}).size(), 3U * 1024 * 1024);
}

TEST(ChooseCases, SpreadsOverCellsAndKinds) {
  const SyntheticRun run = synthetic_run();
  const std::vector<size_t> chosen = choose_cases(run.results, 60);
  ASSERT_EQ(chosen.size(), 60U);
  EXPECT_EQ(std::set<size_t>(chosen.begin(), chosen.end()).size(), 60U);
  std::set<std::pair<size_t, size_t>> cells;
  for (const size_t row : chosen)
    cells.emplace(run.results.rows[row].task, run.results.rows[row].length);
  EXPECT_GT(cells.size(), 25U);
  const ScoredAttempt& first = run.results.scores[*run.results.rows[chosen[0]].score];
  EXPECT_EQ(first.official, 0);
  EXPECT_EQ(choose_cases(run.results, 10000).size(), run.samples.size());
}

TEST(MakeCase, CapsAndRepairsWhatModelsWrite) {
  Sample sample;
  sample.references = {"x"};
  Attempt attempt;
  for (int i = 0; i < 1000; ++i) attempt.reply.text += "日本🔑";
  attempt.reply.thinking = "\xff\xfe";
  const CaseDetail detail = make_case(0, sample, &attempt, {true});
  EXPECT_TRUE(detail.answer_cut);
  EXPECT_LE(detail.answer.size(), 2000U);
  EXPECT_GT(detail.answer.size(), 1990U);
  EXPECT_TRUE(is_valid_utf8(detail.answer));
  EXPECT_EQ(detail.thinking, "\xEF\xBF\xBD\xEF\xBF\xBD");
  attempt.reply.text = "short";
  EXPECT_FALSE(make_case(0, sample, &attempt, {}).answer_cut);
  EXPECT_EQ(make_case(0, sample, nullptr, {}).answer, "");
}

constexpr std::string_view kTemplate =
    "<html><script id=\"fathom-data\" "
    "type=\"application/json\">/*FATHOM-PAGE-DATA*/</script></html>";

std::string data_of(const std::string& page) {
  const size_t begin = page.find('{');
  return page.substr(begin, page.rfind("</script>") - begin);
}

// Q2: nothing that a model wrote is markup.
TEST(Page, KeepsHostileTextAsText) {
  const std::string hostile =
      "</script><script>alert(1)</script><!-- ]]> & \xE2\x80\xA8\xE2\x80\xA9 \xE2\x80\xA6 \" \\ "
      "\x01";
  const std::string json = to_json_line(Json{{"answer", hostile}});
  const auto page = render_page(kTemplate, json);
  ASSERT_TRUE(page) << page.error().message;
  const std::string data = data_of(*page);
  for (const char* raw : {"<", ">", "&", "\xE2\x80\xA8", "\xE2\x80\xA9"})
    EXPECT_THAT(data, Not(HasSubstr(raw)));
  EXPECT_EQ((*parse_json(data, "page"))["answer"], hostile);
}

TEST(Page, ReadsBackFromTheWholeExample) {
  const std::string data = example_data();
  const auto page = render_page(kTemplate, data);
  ASSERT_TRUE(page);
  EXPECT_EQ(page->find("</script>"), page->rfind("</script>"));
  EXPECT_EQ(*parse_json(data_of(*page), "page"), *parse_json(data, "data"));
}

TEST(Page, EscapesAtEveryPlace) {
  EXPECT_EQ(escape_json_for_html(""), "");
  EXPECT_EQ(escape_json_for_html("<"), "\\u003c");
  EXPECT_EQ(escape_json_for_html("a<b>c&"), "a\\u003cb\\u003ec\\u0026");
  EXPECT_EQ(escape_json_for_html("\xE2\x80\xA8x\xE2\x80\xA9"), "\\u2028x\\u2029");
  EXPECT_EQ(escape_json_for_html("\xE2\x80"), "\xE2\x80");
  EXPECT_EQ(escape_json_for_html("\xE2<"), "\xE2\\u003c");
}

TEST(Page, RefusesATemplateWithoutOneMarker) {
  EXPECT_THAT(render_page("<html></html>", "{}").error().message, HasSubstr("missing"));
  const std::string twice = std::string(kTemplate) + std::string(kTemplate);
  EXPECT_THAT(render_page(twice, "{}").error().message, HasSubstr("twice"));
}

TEST(ShellQuoted, GivesOneWord) {
  EXPECT_EQ(shell_quoted("data/a-b_c.json"), "data/a-b_c.json");
  EXPECT_EQ(shell_quoted(""), "''");
  EXPECT_EQ(shell_quoted("a b"), "'a b'");
  EXPECT_EQ(shell_quoted("niah[keys=4]:1:0"), "'niah[keys=4]:1:0'");
  EXPECT_EQ(shell_quoted("it's $(x)"), "'it'\\''s $(x)'");
}

}  // namespace
}  // namespace fathom
