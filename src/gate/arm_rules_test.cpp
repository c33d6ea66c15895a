// A4-A6, S5: rules about sparse arms: evidence read, losses told apart, pairs read.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gate/gate.h"
#include "runs/scored_run.h"

namespace fathom {
namespace {

using testing::HasSubstr;
using testing_run::AnswerOf;
using testing_run::scored_run;
using testing_run::ScoredAnswer;
using testing_run::ScoredRun;

Policy policy_of(const std::string& rule) {
  auto policy = parse_policy("name: p\nrules:\n  - " + rule + "\n", "p.yaml");
  EXPECT_TRUE(policy) << (policy ? "" : policy.error().message);
  return policy.value_or(Policy{});
}

// Of 40 samples a cell: those from `from` on are wrong.
ScoredRun run_right_up_to(int64_t from, const std::string& name) {
  return scored_run({.samples = 40, .name = name}, [from](const SampleFacts& sample) {
    return ScoredAnswer{.official = sample.index < from ? 1.0 : 0.0};
  });
}

// Every sample's joint coverage and recall; half of the pairs read.
std::vector<SampleCoverage> coverage_of_all(const ScoredRun& run, double joint, size_t left_out) {
  std::vector<SampleCoverage> all;
  for (const SampleFacts& sample : run.results.samples) {
    SampleCoverage& one = all.emplace_back();
    one.sample_id = sample.id;
    one.joint = joint;
    one.recall = 1;
    one.pairs = 40;
    one.pairs_to_select = 10;
    one.pairs_full = 100;
  }
  all.resize(all.size() - left_out);
  return all;
}

struct Gated {
  ScoredRun full = run_right_up_to(30, "full");
  ScoredRun oracle = run_right_up_to(24, "oracle");
  ScoredRun real = run_right_up_to(20, "quest");
  GateProofs proofs = {};
  [[nodiscard]] Result<GateResult> gate(const std::string& rule,
                                        const GateOptions& options = {}) const {
    return check_gate(policy_of(rule), real.compared(), full.compared(), options, proofs);
  }
};

std::vector<double> figures_of(const Result<GateResult>& result) {
  EXPECT_TRUE(result) << (result ? "" : result.error().message);
  std::vector<double> figures;
  if (result)
    for (const GateCheck& check : result->rules.front().checks)
      figures.push_back(check.figure.value);
  return figures;
}

TEST(ArmRules, A6_LossesAreToldApart) {
  Gated gated;
  gated.proofs.oracle = gated.oracle.compared();
  const auto result = gated.gate("losses: {at_most: {sparsity: 0.4, selector: 0.01, luck: 0.1}}");
  ASSERT_TRUE(result) << result.error().message;
  const auto& checks = result->rules.front().checks;  // by name
  ASSERT_EQ(checks.size(), 3U);
  EXPECT_EQ(checks[0].subject, "luck");
  EXPECT_EQ(checks[0].figure.value, 0);
  EXPECT_EQ(checks[0].status, GateStatus::kPass);
  EXPECT_EQ(checks[1].subject, "selector");
  EXPECT_NEAR(checks[1].figure.value, 4.0 / 40, 1e-12);
  EXPECT_EQ(checks[1].status, GateStatus::kFail);
  EXPECT_EQ(checks[2].subject, "sparsity");
  EXPECT_NEAR(checks[2].figure.value, 6.0 / 40, 1e-12);
  EXPECT_EQ(checks[2].status, GateStatus::kPass);
  EXPECT_EQ(result->exit_code, 100);
}

TEST(ArmRules, A6_LossesNeedAnOracleThatAnsweredTheSameSamples) {
  Gated gated;
  const std::string rule = "losses: {at_most: {selector: 0.1}}";
  const auto without = gated.gate(rule);
  ASSERT_FALSE(without);
  EXPECT_THAT(without.error().message, HasSubstr("--oracle FOLDER"));
  gated.oracle = scored_run({.samples = 40, .name = "oracle"}, [](const SampleFacts& sample) {
    return ScoredAnswer{.run = sample.index != 7};
  });
  gated.proofs.oracle = gated.oracle.compared();
  const auto partly = gated.gate(rule);
  ASSERT_FALSE(partly);
  EXPECT_THAT(partly.error().message, HasSubstr("is not answered in oracle"));
  const auto shared = gated.gate(rule, {.shared_only = true});
  ASSERT_TRUE(shared);
  EXPECT_EQ(shared->rules.front().checks.front().figure.n, 39 * 6);
}

TEST(ArmRules, A4_CoverageByItsInterval) {
  Gated gated;
  gated.proofs.coverage = coverage_of_all(gated.real, 0.75, 0);
  EXPECT_EQ(figures_of(gated.gate("coverage: {at_least: {joint: 0.9, recall: 0.9}}")),
            (std::vector<double>{0.75, 1}));
  EXPECT_EQ(gated.gate("coverage: {at_least: {joint: 0.95}}")->exit_code, 100);
  EXPECT_EQ(gated.gate("coverage: {at_least: {joint: 0.4}}")->exit_code, 0);
}

TEST(ArmRules, A4_ASampleWithoutCoverageHasShownNothing) {
  Gated gated;
  gated.proofs.coverage = coverage_of_all(gated.real, 1, 60);  // of 240 samples
  EXPECT_EQ(figures_of(gated.gate("coverage: {at_least: {joint: 0.9}}")),
            std::vector<double>{0.75});
  gated.proofs.coverage.clear();
  const auto none = gated.gate("coverage: {at_least: {joint: 0.9}}");
  ASSERT_FALSE(none);
  EXPECT_THAT(none.error().message, HasSubstr("quest has no coverage.jsonl"));
}

TEST(ArmRules, A5_PairsReadWithWhatSelectionReads) {
  Gated gated;
  gated.proofs.coverage = coverage_of_all(gated.real, 1, 60);
  const auto result = gated.gate("read_share: {at_most: 0.5}");
  EXPECT_EQ(figures_of(result), std::vector<double>{0.5});
  EXPECT_EQ(result->exit_code, 0);
  EXPECT_EQ(gated.gate("read_share: {at_most: 0.49}")->exit_code, 100);
}

TEST(ArmRules, G11_SamplesMustHavePassedTheirOwnAudit) {
  Gated gated;
  RunRecord record;
  record.settings.dataset_hash = "abc";
  struct Case {
    std::optional<AuditRecord> audit;
    int exit_code;
    const char* reason;
  };
  const Case cases[] = {{std::nullopt, 100, "never audited"},
                        {AuditRecord{.samples_hash = "other"}, 100, "of others"},
                        {AuditRecord{.samples_hash = "abc", .breaches = 3}, 100, "3 breaches"},
                        {AuditRecord{.samples_hash = "abc"}, 0, "samples"}};
  for (const Case& each : cases) {
    gated.proofs.audit = each.audit;
    ComparedRun run = gated.real.compared();
    run.record = &record;
    const auto result = check_gate(policy_of("audited: {}"), run, std::nullopt, {}, gated.proofs);
    ASSERT_TRUE(result) << result.error().message;
    EXPECT_EQ(result->exit_code, each.exit_code);
    EXPECT_THAT(result->rules.front().checks.front().subject, HasSubstr(each.reason));
  }
}

TEST(ArmRules, RefusesNamesThatItDoesNotKnow) {
  const auto wrong =
      parse_policy("name: p\nrules:\n  - coverage: {at_least: {join: 0.9}}\n", "p.yaml");
  ASSERT_FALSE(wrong);
  EXPECT_THAT(wrong.error().message, HasSubstr("did you mean 'joint'?"));
  const auto loss =
      parse_policy("name: p\nrules:\n  - losses: {at_most: {selectors: 0.9}}\n", "p.yaml");
  ASSERT_FALSE(loss);
  EXPECT_THAT(loss.error().message, HasSubstr("did you mean 'selector'?"));
}

}  // namespace
}  // namespace fathom
