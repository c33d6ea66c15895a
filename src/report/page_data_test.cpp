// V2, V3: the page's data, and that every figure leads to its samples.
#include "report/page_data.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/file.h"
#include "io/json.h"
#include "report/page.h"
#include "runs/synthetic_run.h"
#include "tokenizer/base64.h"

namespace fathom {
namespace {

using testing::HasSubstr;
using testing_run::synthetic_run;
using testing_run::SyntheticRun;

std::vector<CaseDetail> cases_of(const SyntheticRun& run, size_t limit) {
  std::vector<CaseDetail> cases;
  for (const size_t row : choose_cases(run.results, limit)) {
    const SampleRow& place = run.results.rows[row];
    const ScoredAttempt* score = place.score ? &run.results.scores[*place.score] : nullptr;
    cases.push_back(make_case(row, run.samples[row], run.attempt_of(run.samples[row].id), score));
  }
  return cases;
}

// The example of docs/formats/page.md: two runs on the same samples, one of them weaker.
std::string example_data() {
  const SyntheticRun strong = synthetic_run();
  const SyntheticRun weak = synthetic_run({.skill = 0.85, .unanswered = 0});
  const std::vector<CaseDetail> strong_cases = cases_of(strong, 48);
  const std::vector<CaseDetail> weak_cases = cases_of(weak, 36);
  const PageRun runs[] = {{&strong.description, &strong.results, nullptr, strong_cases},
                          {&weak.description, &weak.results, nullptr, weak_cases}};
  return page_data(runs, page_parts(runs),
                   {.made_by = "fathom 0.1.0", .made_at = "2026-11-30T22:30:00Z"});
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

std::vector<int64_t> column(const Json& samples, const char* name) {
  const Json& packed = samples["columns"][name];
  const auto width = static_cast<size_t>(std::stoi(std::string(packed["type"]).substr(1)) / 8);
  const std::string bytes = decode_base64(std::string(packed["data"])).value();
  std::vector<int64_t> values;
  for (size_t at = 0; at < bytes.size(); at += width) {
    int64_t value = 0;
    for (size_t i = 0; i < width; ++i)
      value |= static_cast<int64_t>(static_cast<unsigned char>(bytes[at + i])) << (8 * i);
    values.push_back(value == (1LL << (8 * width)) - 1 ? -1 : value);
  }
  return values;
}

TEST(PageData, HasTheFormOfItsDocument) {
  const Json page = example_json();
  EXPECT_EQ(page["format"], "fathom-page");
  EXPECT_EQ(page["version"], 2);
  EXPECT_EQ(page["outcomes"].size(), kOutcomeCount);
  EXPECT_EQ(page["misses"].size(), kMissCount);
  EXPECT_EQ(page["marks"][0]["kind"], "score");
  EXPECT_TRUE(page["structure"].is_null());
  ASSERT_EQ(page["runs"].size(), 2U);
  for (const Json& run : page["runs"]) {
    const Json& samples = run["samples"];
    const size_t count = samples["count"];
    for (const char* name : {"cell", "index", "outcome", "score", "strict", "depth", "miss"})
      EXPECT_EQ(column(samples, name).size(), count) << name;
    for (const Json& cell : run["cells"]) {
      EXPECT_LT(cell["task"], page["tasks"].size());
      EXPECT_LT(cell["length"], page["lengths"].size());
    }
    EXPECT_FALSE(run["summaries"].empty());
    EXPECT_FALSE(std::string(run["headline"]).empty());
    for (const Json& one : run["cases"]) {
      ASSERT_LT(one["sample"], count);
      ASSERT_LT(one["prompt"], page["prompts"].size());
      const Json& prompt = page["prompts"][static_cast<size_t>(one["prompt"])];
      const std::string prompt_end = prompt["excerpt"].back()["pieces"].back()["text"];
      EXPECT_THAT(prompt_end, HasSubstr("The secret number is"));
    }
  }
}

// V3: the columns alone give every cell's counts again.
TEST(PageData, EveryFigureLeadsToItsSamples) {
  const Json page = example_json();
  for (const Json& run : page["runs"]) {
    const std::vector<int64_t> cell = column(run["samples"], "cell");
    const std::vector<int64_t> outcome = column(run["samples"], "outcome");
    const std::vector<int64_t> official = column(run["samples"], "score");
    for (size_t i = 0; i < run["cells"].size(); ++i) {
      const Json& tally = run["cells"][i]["tally"];
      int64_t count = 0;
      int64_t attempted = 0;
      double score = 0;
      for (size_t row = 0; row < cell.size(); ++row) {
        if (cell[row] != static_cast<int64_t>(i)) continue;
        ++count;
        attempted += outcome[row] >= 0 ? 1 : 0;
        score += static_cast<double>(std::max<int64_t>(0, official[row])) / 1000;
      }
      EXPECT_EQ(tally["samples"], count);
      EXPECT_EQ(tally["attempted"], attempted);
      if (attempted > 0) {
        EXPECT_NEAR(tally["usability"]["value"], score / static_cast<double>(attempted), 1e-3);
      }
    }
  }
}

// S4: the pairs behind a comparison's counts are there, row by row.
TEST(PageData, ComparesRunsThatShareSamples) {
  const Json page = example_json();
  ASSERT_EQ(page["comparisons"].size(), 1U);
  const Json& comparison = page["comparisons"][0];
  const std::vector<int64_t> outcomes = column(comparison["samples"], "outcome");
  const std::vector<int64_t> row_a = column(comparison["samples"], "row_a");
  const std::vector<int64_t> row_b = column(comparison["samples"], "row_b");
  const std::vector<int64_t> a = column(page["runs"][0]["samples"], "score");
  const std::vector<int64_t> b = column(page["runs"][1]["samples"], "score");
  ASSERT_EQ(row_a.size(), outcomes.size());
  for (size_t i = 0; i < outcomes.size(); ++i) {
    const int64_t left = std::max<int64_t>(0, a[static_cast<size_t>(row_a[i])]);
    const int64_t right = std::max<int64_t>(0, b[static_cast<size_t>(row_b[i])]);
    const std::string expected = left > right   ? "lost"
                                 : left < right ? "gained"
                                 : left == 1000 ? "both-right"
                                                : "both-wrong";
    EXPECT_EQ(page["pair_outcomes"][static_cast<size_t>(outcomes[i])], expected);
  }
  EXPECT_EQ(comparison["all"]["pairs"], static_cast<int64_t>(outcomes.size()));
}

TEST(PageData, JoinsRunsOfDifferentSuites) {
  const SyntheticRun a = synthetic_run({.samples_per_cell = 1, .lengths = {1024, 4096}});
  SyntheticRun b = synthetic_run({.samples_per_cell = 1, .lengths = {2048, 4096}});
  b.results.tasks[12].cell = "other";
  const PageRun runs[] = {{&a.description, &a.results, nullptr, {}},
                          {&b.description, &b.results, nullptr, {}}};
  const Json page = *parse_json(page_data(runs, {}, {}), "page data");
  ASSERT_EQ(page["lengths"].size(), 3U);
  EXPECT_EQ(page["lengths"][1]["name"], "2K");
  EXPECT_EQ(page["tasks"].size(), 14U);
  EXPECT_EQ(page["runs"][0]["cells"][1]["length"], 2);
  EXPECT_EQ(page["runs"][1]["cells"][0]["length"], 1);
  EXPECT_EQ(page["runs"][1]["cells"].back()["task"], 13);
}

TEST(PageData, WritesAPromptOnceForAllRuns) {
  const SyntheticRun run = synthetic_run({.samples_per_cell = 1});
  const std::vector<CaseDetail> cases = cases_of(run, 20);
  const PageRun runs[] = {{&run.description, &run.results, nullptr, cases},
                          {&run.description, &run.results, nullptr, cases}};
  const Json page = *parse_json(page_data(runs, {}, {}), "page data");
  EXPECT_EQ(page["prompts"].size(), 20U);
  EXPECT_EQ(page["runs"][0]["cases"].size(), 20U);
  EXPECT_EQ(page["runs"][0]["cases"], page["runs"][1]["cases"]);
}

TEST(PageData, NamesUnusualIdsOnly) {
  SyntheticRun run = synthetic_run({.samples_per_cell = 1, .lengths = {1024}});
  run.results.samples[2].id = "imported-17";
  const PageRun runs[] = {{&run.description, &run.results, nullptr, {}}};
  const Json page = *parse_json(page_data(runs, {}, {}), "page data");
  EXPECT_EQ(page["runs"][0]["samples"]["ids"], Json({{"2", "imported-17"}}));
}

TEST(PageData, KeepsToItsSize) {
  const SyntheticRun run = synthetic_run({.samples_per_cell = 5});
  const std::vector<CaseDetail> cases = cases_of(run, 1000);
  ASSERT_EQ(cases.size(), run.samples.size());
  const PageRun runs[] = {{&run.description, &run.results, nullptr, cases}};
  const size_t bare = page_data(runs, {}, {.most_bytes = 0}).size();
  const std::string data = page_data(runs, {}, {.most_bytes = bare + 30000});
  EXPECT_LE(data.size(), bare + 30000);
  const Json page = *parse_json(data, "page data");
  const size_t kept = page["runs"][0]["cases"].size();
  EXPECT_GT(kept, 3U);
  EXPECT_EQ(page["runs"][0]["cases_left_out"], cases.size() - kept);
}

// V2: 100,000 samples fit into a page of 10 MB with room for its cases.
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
  const PageRun runs[] = {{&description, &results, nullptr, {}}};
  EXPECT_LT(page_data(runs, {}, {}).size(), 3U * 1024 * 1024);
}

TEST(PageData, GoesThroughThePageUnchanged) {
  const std::string data = example_data();
  const auto page = render_page("<script>/*FATHOM-PAGE-DATA*/</script>", data);
  ASSERT_TRUE(page);
  EXPECT_EQ(page->find("</script>"), page->rfind("</script>"));
  const size_t begin = page->find('{');
  const std::string inside = page->substr(begin, page->rfind("</script>") - begin);
  EXPECT_EQ(*parse_json(inside, "page"), *parse_json(data, "data"));
}

}  // namespace
}  // namespace fathom
