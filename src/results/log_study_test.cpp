// A4: what logs say by step, of counted words and of two readings, against slow counts.
#include "results/log_study.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "coverage/random_log_test.h"
#include "suite/fake_tokenizer.h"

namespace fathom {
namespace {

SampleLine line(const std::string& cell, int64_t index, const SampleVariant& variant = {}) {
  SampleLine made;
  made.facts.cell = variant.ordinary() ? cell : variant.cell();
  made.facts.variant = variant;
  made.facts.length = 1024;
  made.facts.index = index;
  made.facts.id = fmt::format("{}:1024:{}", made.facts.cell, index);
  return made;
}

// Steps of one log: by position, the positions that each masked layer reads, in the layers' order.
std::map<int64_t, std::vector<std::set<int64_t>>> steps_in(const SelectionLog& log) {
  std::map<int64_t, std::vector<std::set<int64_t>>> steps;
  for (const LoggedSelection& each : log.selections)
    if (!each.dense) steps[each.position].push_back(positions(each, log.block));
  return steps;
}

TEST(LogStudy, A4_StepsAreThoseOfTheQuestionTheFirstTokenAndTheRest) {
  ArmLogs arm{.arm = "quest-64", .logs = {}};
  std::vector<SampleLine> index;
  PlacesById places;
  struct Sum {
    double samples = 0, recall = 0, joint = 0, united = 0, hops = 0;
  };
  std::map<std::string_view, Sum> expected;
  for (uint64_t i = 0; i < 60; ++i) {
    const RandomLog made = random_log(i);
    index.push_back(line("vt", static_cast<int64_t>(i)));
    const std::string id = index.back().facts.id;
    arm.logs[id] = made.log;
    places[id].evidence = made.evidence;
    if (made.evidence.empty()) continue;
    std::map<std::string_view, Sum> of_sample;
    for (const auto& [position, layers] : steps_in(made.log)) {
      Sum& sum = of_sample[position < made.log.prompt_tokens - 1    ? "question"
                           : position == made.log.prompt_tokens - 1 ? "first"
                                                                    : "later"];
      size_t hop = 0;
      std::set<size_t> found;
      double recall = 0;
      double joint = 0;
      for (const std::set<int64_t>& read : layers) {
        size_t hits = 0;
        for (size_t e = 0; e < made.evidence.size(); ++e) {
          if (!holds(read, made.evidence[e])) continue;
          ++hits;
          found.insert(e);
        }
        while (hop < made.evidence.size() && holds(read, made.evidence[hop])) ++hop;
        recall += static_cast<double>(hits) / static_cast<double>(made.evidence.size());
        joint += hits == made.evidence.size() ? 1 : 0;
      }
      const auto count = static_cast<double>(layers.size());
      ++sum.samples;
      sum.recall += recall / count;
      sum.joint += joint / count;
      sum.united += found.size() == made.evidence.size() ? 1 : 0;
      sum.hops += static_cast<double>(hop);
    }
    for (const auto& [step, sum] : of_sample) {
      Sum& all = expected[step];
      ++all.samples;
      all.recall += sum.recall / sum.samples;
      all.joint += sum.joint / sum.samples;
      all.united += sum.united / sum.samples;
      all.hops += sum.hops / sum.samples;
    }
  }
  const LogStudy study = log_study({{arm}}, index, places);
  ASSERT_EQ(study.arms.size(), 1U);
  EXPECT_EQ(study.arms[0].samples, 60);
  ASSERT_EQ(study.arms[0].steps.size(), 3U);
  for (const StepReading& step : study.arms[0].steps) {
    const Sum& sum = expected[to_text(step.step)];
    EXPECT_GT(sum.samples, 10) << "the test sees few of " << to_text(step.step);
    EXPECT_EQ(static_cast<double>(step.samples), sum.samples);
    EXPECT_NEAR(step.recall, sum.recall / sum.samples, 1e-9);
    EXPECT_NEAR(step.joint, sum.joint / sum.samples, 1e-9);
    EXPECT_NEAR(step.union_joint, sum.united / sum.samples, 1e-9);
    EXPECT_NEAR(step.hops, sum.hops / sum.samples, 1e-9);
  }
}

// A log of one masked layer whose steps from the prompt's last token on read these positions.
SelectionLog reading(const std::vector<std::set<int64_t>>& steps, int64_t context, int64_t prompt) {
  SelectionLog log{.sample_id = "", .arm = ""};
  log.shape = {.query_heads = 1, .kv_heads = 1, .head_size = 4};
  log.layers = 2;
  log.context_tokens = context;
  log.prompt_tokens = prompt;
  for (size_t s = 0; s < steps.size(); ++s) {
    const int64_t position = prompt - 1 + static_cast<int64_t>(s);
    Selection selection;
    BlockSet& set = selection.sets.emplace_back(position + 1);
    for (const int64_t each : steps[s]) set.insert(each);
    log.selections.push_back(logged(1, position, 0, &selection, log.shape, 1));
  }
  return log;
}

TEST(LogStudy, A4_WordingsAndArmsAgreeInWhatTheyReadOfTheContext) {
  const SampleVariant other{.axis = VariantAxis::kWording, .value = "short", .of = "vt"};
  const SampleVariant place{.axis = VariantAxis::kPlace, .value = "beside-question", .of = "vt"};
  std::vector<SampleLine> index = {line("vt", 0), line("vt", 0, other), line("vt", 0, place),
                                   line("vt", 1, other)};
  for (SampleLine& each : index) each.tokens.context = 8;
  // The ordinary sample's context is tokens 2..9, that of the other wording 5..12.
  ArmLogs quest{.arm = "quest", .logs = {}};
  quest.logs[index[0].facts.id] = reading({{0, 2, 3, 4, 10}, {9}}, 10, 12);
  quest.logs[index[1].facts.id] = reading({{0, 5, 6, 8, 13}, {11}, {5}}, 13, 15);
  quest.logs[index[2].facts.id] = reading({{2}}, 10, 12);  // another context: not compared
  quest.logs[index[3].facts.id] = reading({{2}}, 10, 12);  // its ordinary sample has no log
  ArmLogs moba{.arm = "moba", .logs = {}};
  moba.logs[index[0].facts.id] = reading({{0, 2, 3, 10, 11}, {1, 9}}, 10, 12);
  const LogStudy study = log_study({{quest, moba, ArmLogs{.arm = "full", .logs = {}}}}, index, {});
  ASSERT_EQ(study.arms.size(), 2U);
  ASSERT_EQ(study.arms[0].variants.size(), 1U);
  const LogOverlap& wording = study.arms[0].variants[0];
  EXPECT_EQ(wording.b, "wording=short");
  EXPECT_EQ(wording.samples, 1);
  // From the context's start {0, 1, 2} and {0, 1, 3}, then {7} and {6}.
  EXPECT_DOUBLE_EQ(wording.jaccard, (2.0 / 4 + 0) / 2);
  ASSERT_EQ(study.pairs.size(), 1U);
  // {0, 2, 3, 4} and {0, 2, 3}, then {9} and {1, 9}: what follows the context does not count.
  EXPECT_EQ(study.pairs[0], (LogOverlap{"quest", "moba", 1, (3.0 / 4 + 1.0 / 2) / 2}));
  EXPECT_FALSE(study.arms[0].words);
}

TEST(LogStudy, A4_WordsAreCountedWhereTheAnswerIsAFrequency) {
  Sample sample;
  sample.prompt = "list: 1. owl 2. elk 3. owl 4. ... 5. owl end";
  sample.context = {6, 40};
  sample.references = {"owl"};
  const FakeTokenizer tokenizer(FakeTokenizer::Kind::kWords);
  EXPECT_TRUE(words_of(sample, tokenizer, {}).empty()) << "nothing says that words are counted";
  sample.evidence.push_back({.role = "common word"});
  const std::vector<CountedWord> words = words_of(sample, tokenizer, {});
  ASSERT_EQ(words.size(), 2U);
  EXPECT_TRUE(words[0].wanted);
  EXPECT_FALSE(words[1].wanted);
  ASSERT_EQ(words[0].places.size(), 3U);
  EXPECT_EQ(words[1].places.size(), 1U);
  std::vector<TokenId> ids;
  std::vector<ByteSpan> tokens;
  tokenizer.encode_with_spans(sample.prompt, {}, ids, tokens);
  for (const TokenSpan& place : words[0].places) {
    const uint64_t begin = tokens.at(place.begin).begin;
    const uint64_t end = tokens.at(place.end - 1).end;
    EXPECT_NE(sample.prompt.substr(begin, end - begin).find("owl"), std::string::npos);
  }
  // All of the first owl and the elk are read, then everything.
  std::set<int64_t> some;
  std::set<int64_t> all;
  for (const TokenSpan& place : {words[0].places[0], words[1].places[0]})
    for (uint64_t t = place.begin; t < place.end; ++t) some.insert(static_cast<int64_t>(t));
  const auto prompt = static_cast<int64_t>(tokens.size());
  for (int64_t t = 0; t < prompt; ++t) all.insert(t);
  std::vector<SampleLine> index = {line("cwe", 0)};
  ArmLogs arm{.arm = "quest", .logs = {}};
  arm.logs[index[0].facts.id] = reading({some, all}, prompt - 1, prompt);
  const PlacesById places = {{index[0].facts.id, {{}, words}}};
  const auto counts = log_study({{arm}}, index, places).arms.at(0).words;
  ASSERT_TRUE(counts);
  EXPECT_EQ(counts->samples, 1);
  EXPECT_DOUBLE_EQ(counts->seen, (0.5 + 1) / 2);
  EXPECT_DOUBLE_EQ(counts->seen_wanted, (1.0 / 3 + 1) / 2);
  EXPECT_DOUBLE_EQ(counts->gap, (0.0 + 2) / 2);
  EXPECT_DOUBLE_EQ(counts->true_gap, 2);
  EXPECT_DOUBLE_EQ(counts->told_apart, 0.5);
}

}  // namespace
}  // namespace fathom
