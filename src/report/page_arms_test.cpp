// V2, A6: the study on the page, and the example that the page's own tests show.
#include "report/page_arms.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "io/file.h"
#include "io/json.h"
#include "results/arm_verdict.h"
#include "results/sample_facts.h"
#include "runs/synthetic_run.h"

namespace fathom {
namespace {

using testing_run::synthetic_run;
using testing_run::SyntheticRun;

constexpr int kLayers = 12;
constexpr int64_t kBlock = 32;
constexpr int64_t kSteps = 6;

struct ArmRule {
  const char* name;
  SelectorKind kind;
  int64_t budget;
  std::function<bool(int64_t)> right;
};

bool full_right(int64_t i) { return i % 10 != 0; }
bool oracle_right(int64_t i) { return full_right(i) && i % 12 != 5; }

std::vector<ArmRule> rules() {
  return {
      {"full", SelectorKind::kFull, 0, full_right},
      {"oracle", SelectorKind::kEvidence, 0, oracle_right},
      {"streaming-256", SelectorKind::kStreaming, 256, [](int64_t i) { return i % 4 == 1; }},
      {"streaming-512", SelectorKind::kStreaming, 512, [](int64_t i) { return i % 3 != 0; }},
      {"quest-256", SelectorKind::kQuest, 256,
       [](int64_t i) { return (oracle_right(i) && i % 6 != 1) || i == 20; }},
      {"quest-512", SelectorKind::kQuest, 512,
       [](int64_t i) { return full_right(i) && i % 16 != 3; }},
      {"moba-256", SelectorKind::kMoba, 256,
       [](int64_t i) { return oracle_right(i) && i % 5 > 1; }},
      {"knockout", SelectorKind::kKnockout, 0, [](int64_t) { return false; }},
      {"full-again", SelectorKind::kFull, 0, full_right},
  };
}

SampleCoverage coverage_for(const ArmRule& rule, const Sample& sample, int64_t i) {
  const bool everything = rule.kind == SelectorKind::kFull;
  const double share = everything      ? 1
                       : rule.right(i) ? 0.85
                                       : 0.2 + 0.05 * static_cast<double>(i % 7);
  SampleCoverage coverage;
  coverage.sample_id = sample.id;
  coverage.arm = rule.name;
  coverage.evidence = static_cast<int64_t>(sample.references.size());
  coverage.steps = kSteps;
  coverage.recall = share;
  coverage.joint = share * share;
  coverage.path = everything ? 1 : share / 2;
  if (!everything && !rule.right(i)) coverage.first_missing = 0;
  for (int layer = 0; layer < (everything ? 0 : kLayers); ++layer) {
    const double own = share * (0.6 + 0.4 * static_cast<double>((layer * 5) % 7) / 6);
    coverage.layers.push_back(
        {.layer = layer, .steps = kSteps, .recall = own, .joint = own * own, .kept = 0.3});
  }
  coverage.head_size = 64;
  coverage.group = 3;
  coverage.pairs_full = static_cast<double>(sample.tokens.prompt) * kLayers * kSteps;
  const double read = everything         ? 1
                      : rule.budget == 0 ? 0.15
                                         : static_cast<double>(rule.budget) / 1500;
  coverage.pairs = coverage.pairs_full * read;
  coverage.pairs_to_select = rule.kind == SelectorKind::kQuest ? coverage.pairs_full / 16 : 0;
  return coverage;
}

SelectionLog log_for(const ArmRule& rule, const Sample& sample, int64_t i) {
  SelectionLog log{.sample_id = sample.id,
                   .arm = rule.name,
                   .shape = {.query_heads = 9, .kv_heads = 3, .head_size = 64},
                   .layers = kLayers,
                   .block = kBlock,
                   .context_tokens = sample.tokens.prompt - 40,
                   .prompt_tokens = sample.tokens.prompt};
  for (int64_t step = 0; step < kSteps; ++step)
    for (int layer = 0; layer < kLayers; ++layer) {
      LoggedSelection& one = log.selections.emplace_back();
      one.layer = layer;
      one.position = sample.tokens.prompt - 1 + step;
      one.dense = layer == 0;
      if (one.dense) continue;
      const int64_t blocks = one.position / kBlock + 1;
      one.blocks = BlockSet(blocks);
      one.blocks.insert(0);
      one.blocks.insert(blocks - 1);
      for (int64_t b = (int64_t{layer} * 7 + step) % 5; b < blocks; b += 5 + layer % 4)
        one.blocks.insert(b);
      if (rule.right(i) || layer % 4 == 1)
        for (const Evidence& evidence : sample.evidence)
          one.blocks.insert(static_cast<int64_t>(evidence.tokens.begin) / kBlock);
    }
  return log;
}

// 48 samples of two tasks; what each arm answers is a rule on their numbers.
struct MadeStudy {
  std::vector<Sample> samples;
  std::vector<FinishedArm> arms;
  std::vector<std::vector<CaseDetail>> cases;
  std::vector<ArmPicture> pictures;
  LogStudy readings;
};

// What its logs say, of the first samples of each cell.
LogStudy readings_of(const std::vector<Sample>& samples, const std::vector<SampleFacts>& facts) {
  std::vector<SampleLine> index;
  PlacesById places;
  for (size_t i = 0; i < samples.size(); ++i) {
    if (samples[i].index >= kStudiedOfACell) continue;
    index.push_back({.facts = facts[i]});
    for (const Evidence& evidence : samples[i].evidence)
      if (!evidence.distractor) places[samples[i].id].evidence.push_back(evidence.tokens);
  }
  std::vector<ArmLogs> arms;
  for (const ArmRule& rule : rules()) {
    if (rule.kind == SelectorKind::kFull) continue;
    ArmLogs& arm = arms.emplace_back(ArmLogs{.arm = rule.name, .logs = {}});
    for (size_t i = 0; i < samples.size(); ++i)
      if (samples[i].index < kStudiedOfACell)
        arm.logs[samples[i].id] = log_for(rule, samples[i], static_cast<int64_t>(i));
  }
  return log_study(arms, index, places);
}

MadeStudy made_study() {
  MadeStudy study;
  const SyntheticRun source =
      synthetic_run({.samples_per_cell = 12, .lengths = {1024, 2048}, .unanswered = 0});
  for (const Sample& sample : source.samples)
    if (sample.task == "niah_single_2" || sample.task == "niah_multivalue")
      study.samples.push_back(sample);
  std::vector<SampleFacts> facts;
  for (Sample& sample : study.samples) {
    sample.haystack = fmt::format("{}:{}", sample.task, sample.index);
    facts.push_back(facts_of(sample));
  }
  study.readings = readings_of(study.samples, facts);
  for (const ArmRule& rule : rules()) {
    FinishedArm& arm = study.arms.emplace_back();
    arm.arm.name = rule.name;
    arm.arm.options.kind = rule.kind;
    arm.arm.options.budget = rule.budget;
    std::vector<Attempt> attempts;
    for (size_t i = 0; i < study.samples.size(); ++i) {
      const Sample& sample = study.samples[i];
      const auto number = static_cast<int64_t>(i);
      Attempt& attempt = attempts.emplace_back();
      attempt.sample_id = sample.id;
      attempt.sample_hash = sample.hash();
      attempt.outcome = Outcome::kAnswered;
      attempt.reply.text = rule.right(number)
                               ? fmt::format(" {}.", fmt::join(sample.references, ", "))
                               : " 31337 </script><img src=x onerror=alert(1)>";
      arm.coverage.push_back(coverage_for(rule, sample, number));
    }
    auto scores = score_run(facts, attempts, 1);
    EXPECT_TRUE(scores);
    arm.run.results = build_results(facts, std::move(*scores));
    arm.run.description = source.description;
    arm.run.description.name = rule.name;
    arm.run.description.model = "Small-1B";
    arm.run.description.simulated = false;
    std::vector<CaseDetail>& cases = study.cases.emplace_back();
    for (const size_t i : {1U, 3U, 20U, 25U, 29U})
      cases.push_back(make_case(i, study.samples[i], &attempts[i], arm.run.results.score_of(i)));
    if (rule.kind == SelectorKind::kFull) continue;
    for (const size_t i : {1U, 3U, 25U}) {
      study.pictures.push_back(
          picture_of(log_for(rule, study.samples[i], static_cast<int64_t>(i))));
      study.pictures.back().arm = study.arms.size() - 1;
    }
  }
  return study;
}

std::string study_data(const MadeStudy& made) {
  std::vector<PageRun> runs;
  for (size_t i = 0; i < made.arms.size(); ++i)
    runs.push_back(
        {&made.arms[i].run.description, &made.arms[i].run.results, nullptr, made.cases[i]});
  PageParts parts = study_parts(runs, 0);
  ArmStudy study = arm_study(made.arms);
  study.readings = made.readings;
  parts.arms = page_arms_json({made.arms, &study, made.pictures}, runs);
  return page_data(runs, parts, {.made_by = "fathom 0.1.0", .made_at = "2026-12-01T11:30:00Z"});
}

TEST(PageArms, ExampleIsUpToDate) {
  const std::string path = std::string(FATHOM_TEST_DATA) + "/report/page_study.json";
  const std::string data = study_data(made_study()) + "\n";
  const Result<std::string> stored = read_file(path);
  if (!stored || *stored != data) {
    ASSERT_TRUE(write_file_atomic(path, data));
    FAIL() << path << " differed from what page_arms_json() writes and was written anew: look at "
           << "the change, adapt docs/formats/page.md and web/, and commit it";
  }
}

TEST(PageArms, HasTheFormOfItsDocument) {
  const MadeStudy made = made_study();
  const Json page = *parse_json(study_data(made), "page");
  const Json& study = page["arms"];
  ASSERT_EQ(study["arms"].size(), page["runs"].size());
  EXPECT_EQ(page["comparisons"].size(), made.arms.size() - 1);
  EXPECT_TRUE(page["robustness"].is_null());
  EXPECT_FALSE(std::string(study["verdict"]["headline"]).empty());
  EXPECT_EQ(study["crosses"].size(), 5U);
  EXPECT_EQ(study["budgets"].size(), 2U);
  for (size_t i = 0; i < made.arms.size(); ++i) {
    const Json& arm = study["arms"][i];
    EXPECT_EQ(arm["arm"]["name"], page["runs"][i]["name"]);
    EXPECT_EQ(arm["selector"], chooses_by_itself(made.arms[i].arm));
    for (const char* column : {"row", "joint", "recall", "path", "first_missing"})
      EXPECT_EQ(arm["samples"][column].size(), made.samples.size()) << column;
    EXPECT_EQ(arm["samples"]["row"][7], 7);
  }
  ASSERT_EQ(study["pictures"].size(), made.pictures.size());
  for (const Json& picture : study["pictures"]) {
    const size_t row = picture["row"];
    const Sample& sample = made.samples[row];
    EXPECT_EQ(picture["evidence"].size(), sample.references.size());
    EXPECT_EQ(picture["evidence"][0]["begin"], sample.evidence[0].tokens.begin);
    EXPECT_EQ(picture["layers"].size(), static_cast<size_t>(kLayers));
    EXPECT_TRUE(picture["layers"][0]["dense"]);
  }
}

// A study that has no log, no coverage and no full attention is a page all the same.
TEST(PageArms, ShowsWhatThereIs) {
  MadeStudy made = made_study();
  made.arms.erase(made.arms.begin(), made.arms.begin() + 2);
  made.cases.erase(made.cases.begin(), made.cases.begin() + 2);
  made.pictures.clear();
  made.arms.pop_back();
  for (FinishedArm& arm : made.arms) arm.coverage.clear();
  const Json page = *parse_json(study_data(made), "page");
  EXPECT_TRUE(page["arms"]["pictures"].empty());
  EXPECT_TRUE(page["arms"]["crosses"].empty());
  EXPECT_TRUE(page["arms"]["covered"].empty());
  EXPECT_TRUE(page["arms"]["arms"][0]["coverage"].is_null());
}

}  // namespace
}  // namespace fathom
