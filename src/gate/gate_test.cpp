// S5, Q4: every rule decides by its numbers, three ways; and the gate is wrong no more often than
// it says.
#include "gate/gate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"
#include "gate/decide.h"
#include "runs/scored_run.h"

namespace fathom {
namespace {

using testing::HasSubstr;
using testing_run::AnswerOf;
using testing_run::scored_run;
using testing_run::ScoredAnswer;
using testing_run::ScoredRun;
using testing_run::ScoredShape;

Policy policy_of(const std::string& rules, const std::string& head = "") {
  auto policy = parse_policy("name: p\n" + head + "rules:\n" + rules, "p.yaml");
  EXPECT_TRUE(policy) << (policy ? "" : policy.error().message);
  return policy.value_or(Policy{});
}

// The first `right` of every cell's samples are right.
AnswerOf first_right(int64_t right) {
  return [right](const SampleFacts& sample) {
    return ScoredAnswer{.official = sample.index < right ? 1.0 : 0.0};
  };
}

ScoredShape shape(int64_t samples = 20, const std::string& name = "run") {
  return {.samples = samples, .name = name};
}

GateResult gated(const Policy& policy, const ScoredRun& run, const ScoredRun* baseline = nullptr,
                 const GateOptions& options = {}) {
  std::optional<ComparedRun> before;
  if (baseline != nullptr) before = baseline->compared();
  auto result = check_gate(policy, run.compared(), before, options);
  EXPECT_TRUE(result) << (result ? "" : result.error().message);
  return result.value_or(GateResult{});
}

RuleResult only_rule(const std::string& rule, const ScoredRun& run,
                     const ScoredRun* baseline = nullptr, const std::string& head = "") {
  const GateResult result = gated(policy_of("  - " + rule + "\n", head), run, baseline);
  return result.rules.empty() ? RuleResult{} : result.rules.front();
}

std::string refusal(const std::string& rule, const ScoredRun& run,
                    const ScoredRun* baseline = nullptr) {
  std::optional<ComparedRun> before;
  if (baseline != nullptr) before = baseline->compared();
  const auto result = check_gate(policy_of("  - " + rule + "\n"), run.compared(), before);
  EXPECT_FALSE(result) << rule;
  if (result) return "";
  EXPECT_EQ(result.error().code, ErrorCode::kUsage);
  return result.error().message;
}

// ---- one number, one limit

TEST(Decide, ThreeWaysByTheInterval) {
  struct Row {
    double low, value, high;
    std::optional<double> at_least, at_most;
    DecidedBy by;
    GateStatus wanted;
  };
  using enum GateStatus;
  const std::vector<Row> rows = {
      {0.8, 0.85, 0.9, 0.8, {}, DecidedBy::kInterval, kPass},
      {0.8, 0.85, 0.9, 0.81, {}, DecidedBy::kInterval, kUnresolved},
      {0.8, 0.85, 0.9, 0.9, {}, DecidedBy::kInterval, kUnresolved},
      {0.8, 0.85, 0.9, 0.91, {}, DecidedBy::kInterval, kFail},
      {0.8, 0.85, 0.9, 0.85, {}, DecidedBy::kValue, kPass},
      {0.8, 0.85, 0.9, 0.851, {}, DecidedBy::kValue, kFail},
      {0.8, 0.85, 0.9, 0.81, {}, DecidedBy::kLower, kFail},
      {0.8, 0.85, 0.9, 0.8, {}, DecidedBy::kLower, kPass},
      {0.8, 0.85, 0.9, 0.9, {}, DecidedBy::kUpper, kPass},
      {0.8, 0.85, 0.9, 0.91, {}, DecidedBy::kUpper, kFail},
      {0.1, 0.2, 0.3, {}, 0.3, DecidedBy::kInterval, kPass},
      {0.1, 0.2, 0.3, {}, 0.25, DecidedBy::kInterval, kUnresolved},
      {0.1, 0.2, 0.3, {}, 0.09, DecidedBy::kInterval, kFail},
      {0.1, 0.2, 0.3, {}, 0.25, DecidedBy::kUpper, kFail},
      {0.1, 0.2, 0.3, {}, 0.15, DecidedBy::kLower, kPass},
      {4, 5, 6, 4.0, 6.0, DecidedBy::kInterval, kPass},
      {4, 5, 6, 5.5, 9.0, DecidedBy::kInterval, kUnresolved},
      {4, 5, 6, 6.5, 9.0, DecidedBy::kInterval, kFail},
      {4, 5, 6, 1.0, 3.0, DecidedBy::kInterval, kFail},
      {4, 5, 6, 1.0, 3.0, DecidedBy::kValue, kFail},
  };
  for (const Row& row : rows) {
    GateCheck check{.subject = "x",
                    .figure = {.value = row.value,
                               .low = row.low,
                               .high = row.high,
                               .n = 40,
                               .method = IntervalMethod::kWilson},
                    .at_least = row.at_least,
                    .at_most = row.at_most};
    decide(check, row.by);
    EXPECT_EQ(check.status, row.wanted) << check.reason << " by " << to_text(row.by);
    EXPECT_THAT(check.reason, HasSubstr("n = 40"));
  }
}

TEST(Decide, PlainNumbersAreHeldAsTheyAre) {
  GateCheck check{
      .figure = {.value = 5, .low = 5, .high = 5, .n = 1}, .unit = GateUnit::kTokens, .at_most = 4};
  decide(check, DecidedBy::kInterval);
  EXPECT_EQ(check.status, GateStatus::kFail);
  GateCheck unknown{.at_most = 4};
  decide(unknown, DecidedBy::kValue);
  EXPECT_EQ(unknown.status, GateStatus::kUnresolved);
}

// ---- rules

TEST(Gate, MeansOverTasksAndCategories) {
  const ScoredRun run = scored_run(shape(40), [](const SampleFacts& sample) {
    const int64_t right = sample.task == "vt" ? 20 : sample.task == "cwe" ? 0 : 40;
    return ScoredAnswer{.official = sample.index < right ? 1.0 : 0.0};
  });
  const RuleResult macro = only_rule("macro: {at_least: 0.4, by: value}", run);
  EXPECT_EQ(macro.status, GateStatus::kPass);
  EXPECT_NEAR(macro.checks.front().figure.value, 0.5, 1e-12);
  EXPECT_EQ(only_rule("macro: {at_least: 0.9}", run).status, GateStatus::kFail);
  EXPECT_EQ(only_rule("macro: {at_least: 0.5}", run).status, GateStatus::kUnresolved);

  const RuleResult tasks = only_rule("tasks: {at_least: 0.3}", run);
  ASSERT_EQ(tasks.checks.size(), 3u);
  EXPECT_EQ(tasks.status, GateStatus::kFail);
  EXPECT_THAT(tasks.reason, HasSubstr("1 of 3 fail: cwe"));
  EXPECT_EQ(only_rule("tasks: {at_least: {vt: 0.3}}", run).status, GateStatus::kPass);
  EXPECT_EQ(only_rule("categories: {at_least: {retrieval: 0.9, tracking: 0.3}}", run).status,
            GateStatus::kPass);
  EXPECT_EQ(only_rule("categories: {at_least: {aggregation: 0.1}}", run).status, GateStatus::kFail);
}

TEST(Gate, CorrectionsWidenTheIntervals) {
  const ScoredRun run = scored_run(shape(40), first_right(30));
  const RuleResult plain = only_rule("tasks: {at_least: 0.6}", run);
  const RuleResult corrected = only_rule("tasks: {at_least: 0.6, correction: bonferroni}", run);
  EXPECT_LT(corrected.checks.front().figure.low, plain.checks.front().figure.low);
  EXPECT_GT(corrected.checks.front().figure.high, plain.checks.front().figure.high);
}

TEST(Gate, EffectiveLength) {
  const ScoredRun run =
      scored_run({.lengths = {1024, 2048, 4096}, .samples = 60}, [](const SampleFacts& sample) {
        const int64_t right = sample.length > 2048 ? 20 : 60;
        return ScoredAnswer{.official = sample.index < right ? 1.0 : 0.0};
      });
  EXPECT_EQ(only_rule("effective_length: {at_least: 2k}", run).status, GateStatus::kPass);
  EXPECT_EQ(only_rule("effective_length: {at_least: 4k}", run).status, GateStatus::kFail);
  EXPECT_EQ(only_rule("effective_length: {at_least: 4k, threshold: 0.2}", run).status,
            GateStatus::kPass);
  EXPECT_EQ(only_rule("effective_length: {at_least: 2k, category: tracking}", run).status,
            GateStatus::kPass);
  EXPECT_THAT(refusal("effective_length: {at_least: 8k}", run),
              HasSubstr("nothing was measured at 8K"));
}

TEST(Gate, NotWorseIsOneSided) {
  const ScoredRun before = scored_run(shape(50, "before"), first_right(40));
  const ScoredRun same = scored_run(shape(50, "after"), first_right(40));
  const ScoredRun worse = scored_run(shape(50, "after"), first_right(25));
  const ScoredRun slightly = scored_run(shape(50, "after"), first_right(39));
  EXPECT_EQ(only_rule("not_worse: {margin: 0.05}", same, &before).status, GateStatus::kPass);
  EXPECT_EQ(only_rule("not_worse: {margin: 0.05}", worse, &before).status, GateStatus::kFail);
  EXPECT_EQ(only_rule("not_worse: {margin: 0.02}", slightly, &before).status,
            GateStatus::kUnresolved);
  const RuleResult cells =
      only_rule("not_worse: {margin: 0.05, over: cell, correction: bonferroni}", worse, &before);
  EXPECT_EQ(cells.checks.size(), 6u);
  EXPECT_EQ(cells.status, GateStatus::kFail);
  EXPECT_THAT(cells.reason, HasSubstr("points"));
  // Better is never worse.
  EXPECT_EQ(only_rule("not_worse: {margin: 0}", before, &worse).status, GateStatus::kPass);
}

TEST(Gate, SharesOfRequests) {
  const ScoredRun run = scored_run(shape(20), [](const SampleFacts& sample) {
    ScoredAnswer answer{.official = 1.0};
    if (sample.index == 0) answer.official = std::nullopt;  // timed out
    if (sample.index == 1) answer.outcome = Outcome::kOutputCut;
    if (sample.index < 4) answer.strict = answer.official ? std::optional(0.0) : std::nullopt;
    if (sample.index == 2) answer.miss = Miss::kWrongBinding;
    return answer;
  });
  const RuleResult completion = only_rule("completion: {at_least: 0.95}", run);
  EXPECT_EQ(completion.status, GateStatus::kPass);
  EXPECT_NEAR(completion.checks.front().figure.value, 0.95, 1e-12);
  EXPECT_EQ(only_rule("completion: {at_least: 0.96}", run).status, GateStatus::kFail);
  EXPECT_EQ(only_rule("completion: {at_least: 0.96, by: interval}", run).status,
            GateStatus::kUnresolved);
  EXPECT_EQ(only_rule("outcomes: {at_most: {output-cut: 0.05, timed-out: 0.05}}", run).status,
            GateStatus::kPass);
  EXPECT_EQ(only_rule("outcomes: {at_most: {output-cut: 0.04}}", run).status, GateStatus::kFail);
  EXPECT_EQ(only_rule("outcomes: {at_most: {input-truncated: 0}}", run).status, GateStatus::kPass);
  EXPECT_EQ(only_rule("misses: {at_most: {wrong-binding: 0.05, denial: 0}}", run).status,
            GateStatus::kPass);
  EXPECT_EQ(only_rule("misses: {at_most: {wrong-binding: 0.04}}", run).status, GateStatus::kFail);
  const RuleResult gap = only_rule("strict_gap: {at_most: 0.15, by: value}", run);
  EXPECT_NEAR(gap.checks.front().figure.value, 0.15, 1e-12);
  EXPECT_EQ(gap.status, GateStatus::kPass);
  EXPECT_EQ(only_rule("strict_gap: {at_most: 0.01}", run).status, GateStatus::kFail);
}

TEST(Gate, OutputTokens) {
  const auto with_tokens = [](int64_t tokens) {
    return [tokens](const SampleFacts& sample) {
      ScoredAnswer answer;
      answer.spent.usage.output = tokens + sample.index;  // mean: tokens + 9.5
      return answer;
    };
  };
  const ScoredRun run = scored_run(shape(20), with_tokens(10));
  const ScoredRun longer = scored_run(shape(20), with_tokens(40));
  const RuleResult mean = only_rule("output_tokens: {between: [15, 25]}", run);
  EXPECT_EQ(mean.status, GateStatus::kPass);
  EXPECT_NEAR(mean.checks.front().figure.value, 19.5, 1e-9);
  EXPECT_LT(mean.checks.front().figure.low, 19.5);
  EXPECT_EQ(only_rule("output_tokens: {between: [20, 25]}", run).status, GateStatus::kFail);
  EXPECT_EQ(only_rule("output_tokens: {between: [19, 25], by: interval}", run).status,
            GateStatus::kUnresolved);
  EXPECT_EQ(only_rule("output_tokens: {statistic: p95, between: [28, 30]}", run).status,
            GateStatus::kPass);
  EXPECT_EQ(only_rule("output_tokens: {of_baseline: [0.9, 1.1]}", run, &run).status,
            GateStatus::kPass);
  const RuleResult ratio = only_rule("output_tokens: {of_baseline: [0.9, 1.1]}", longer, &run);
  EXPECT_EQ(ratio.status, GateStatus::kFail);
  EXPECT_NEAR(ratio.checks.front().figure.value, 49.5 / 19.5, 1e-9);
  EXPECT_EQ(only_rule("output_tokens: {of_baseline: [2, 3], by: interval}", longer, &run).status,
            GateStatus::kPass);
  const ScoredRun silent = scored_run(shape(20), [](const SampleFacts&) {
    ScoredAnswer answer;
    answer.spent.usage = {};
    return answer;
  });
  const RuleResult none = only_rule("output_tokens: {between: [1, 2]}", silent);
  EXPECT_EQ(none.status, GateStatus::kUnresolved);
  EXPECT_THAT(none.reason, HasSubstr("no answer came with a count"));
}

TEST(Gate, LatencyByLength) {
  const ScoredRun run = scored_run(shape(100), [](const SampleFacts& sample) {
    ScoredAnswer answer;
    answer.spent.total_ms = static_cast<double>(sample.length) + static_cast<double>(sample.index);
    answer.spent.first_token_ms = 5;
    return answer;
  });
  const RuleResult all = only_rule("latency: {at_most_ms: 1200}", run);
  ASSERT_EQ(all.checks.size(), 2u);
  EXPECT_EQ(all.checks[0].status, GateStatus::kPass);
  EXPECT_EQ(all.checks[1].status, GateStatus::kFail);
  EXPECT_EQ(only_rule("latency: {at_most_ms: {1k: 1200, 2k: 2200}}", run).status,
            GateStatus::kPass);
  EXPECT_EQ(only_rule("latency: {at_most_ms: 10, measure: first_token}", run).status,
            GateStatus::kPass);
  EXPECT_THAT(refusal("latency: {at_most_ms: {4k: 10}}", run),
              HasSubstr("no samples of 4K tokens"));
  const ScoredRun few = scored_run(shape(3), [](const SampleFacts&) { return ScoredAnswer{}; });
  EXPECT_EQ(only_rule("latency: {at_most_ms: 1000}", few).status, GateStatus::kPass);
  const RuleResult open = only_rule("latency: {at_most_ms: 1000, by: interval}", few);
  EXPECT_EQ(open.status, GateStatus::kUnresolved);
  EXPECT_THAT(open.reason, HasSubstr("too few"));
}

TEST(Gate, Cost) {
  const ScoredRun run = scored_run(shape(20), [](const SampleFacts&) {
    ScoredAnswer answer;
    answer.spent.usage = {.input = 1000, .cached = 400, .output = 10};
    return answer;
  });
  // 120 answers: 120,000 input of which 48,000 cached, 1,200 output.
  const std::string prices = "prices: {input: 2, cached: 0.5, output: 10, currency: EUR}\n";
  const RuleResult cost = only_rule(
      "cost: {at_most: {money: 0.2, input_tokens: 120_000, output_tokens: 1_200, total_tokens: "
      "121_199}}",
      run, nullptr, prices);
  ASSERT_EQ(cost.checks.size(), 4u);
  for (const GateCheck& check : cost.checks) {
    EXPECT_EQ(check.status, check.subject == "total_tokens" ? GateStatus::kFail : GateStatus::kPass)
        << check.subject;
    if (check.subject == "money") {
      EXPECT_NEAR(check.figure.value, 0.072 * 2 + 0.048 * 0.5 + 0.0012 * 10, 1e-12);
      EXPECT_THAT(check.reason, HasSubstr("EUR"));
    }
  }
}

// ---- the whole

TEST(Gate, SumsUpToAnExitCode) {
  const ScoredRun run = scored_run(shape(20), first_right(15));  // 75 %
  struct Row {
    std::string rules, head;
    GateStatus status;
    int exit_code;
  };
  const std::string pass = "  - macro: {at_least: 0.5}\n";
  const std::string open = "  - macro: {at_least: 0.75}\n";
  const std::string bad = "  - macro: {at_least: 0.95}\n";
  const std::vector<Row> rows = {
      {pass, "", GateStatus::kPass, 0},
      {pass + open, "", GateStatus::kUnresolved, 0},
      {pass + open, "unresolved: pass\n", GateStatus::kUnresolved, 0},
      {pass + open, "unresolved: fail\n", GateStatus::kUnresolved, 100},
      {pass + open, "unresolved: {exit: 11}\n", GateStatus::kUnresolved, 11},
      {pass + open + bad, "unresolved: {exit: 11}\n", GateStatus::kFail, 100},
      {bad, "unresolved: pass\n", GateStatus::kFail, 100},
  };
  for (const Row& row : rows) {
    const GateResult result = gated(policy_of(row.rules, row.head), run);
    EXPECT_EQ(result.status, row.status) << row.rules << row.head;
    EXPECT_EQ(result.exit_code, row.exit_code) << row.rules << row.head;
  }
  const GateResult result = gated(policy_of(pass + open + bad), run);
  EXPECT_THAT(gate_verdict(result), HasSubstr("FAIL: 1 of 3 rules fail (mean over tasks ≥ 95 %)"));
  EXPECT_EQ(result.policy_sha256.size(), 64u);
}

TEST(Gate, RefusesWhatItCannotJudge) {
  const ScoredRun run = scored_run(shape(), first_right(20));
  EXPECT_THAT(refusal("not_worse: {margin: 0.1}", run), HasSubstr("--baseline"));
  EXPECT_THAT(refusal("output_tokens: {of_baseline: [0.9, 1.1]}", run), HasSubstr("p.yaml:3"));
  EXPECT_THAT(refusal("tasks: {at_least: {vtt: 0.1}}", run), HasSubstr("did you mean 'vt'?"));
  EXPECT_THAT(refusal("categories: {at_least: {retreival: 0.1}}", run),
              HasSubstr("did you mean 'retrieval'?"));
  EXPECT_THAT(refusal("macro: {at_least: 0.1, lengths: 16k}", run), HasSubstr("no samples of 16K"));
  const ScoredRun other = scored_run({.name = "before", .content = "two"}, first_right(20));
  EXPECT_THAT(refusal("not_worse: {margin: 0.1}", run, &other),
              HasSubstr("do not have the same samples"));
  const ScoredRun open = scored_run(
      shape(), [](const SampleFacts& sample) { return ScoredAnswer{.run = sample.index > 0}; });
  EXPECT_THAT(refusal("macro: {at_least: 0.1}", open),
              HasSubstr("6 of 120 samples have no answer yet"));
  const GateResult partial =
      gated(policy_of("  - macro: {at_least: 0.1}\n"), open, nullptr, {.partial = true});
  EXPECT_EQ(partial.status, GateStatus::kPass);
  EXPECT_EQ(partial.not_run, 6);
}

TEST(Gate, KeepsToTheLengthsOfARule) {
  const ScoredRun run = scored_run(shape(), [](const SampleFacts& sample) {
    return ScoredAnswer{.official = sample.length == 1024 ? 1.0 : 0.0};
  });
  EXPECT_EQ(only_rule("macro: {at_least: 0.9, lengths: 1k}", run).status, GateStatus::kPass);
  EXPECT_EQ(only_rule("macro: {at_least: 0.9, lengths: 2k}", run).status, GateStatus::kFail);
}

// ---- Q4: how often the gate is wrong

struct ErrorRates {
  double pass = 0;
  double fail = 0;
};

// Readers that know a question at every length or at none more often than chance would have it:
// what counts is the question, not the sample. `loss`: how much less the candidate is right.
ErrorRates not_worse_rates(double loss, double margin, int64_t samples, bool over_tasks,
                           int repeats) {
  const Policy policy =
      policy_of(fmt::format("  - not_worse: {{margin: {}{}}}\n", margin,
                            over_tasks ? ", over: task, correction: bonferroni" : ""));
  ErrorRates rates;
  for (int repeat = 0; repeat < repeats; ++repeat) {
    const auto reader = [repeat](const std::string& name, double lost) {
      return [=](const SampleFacts& sample) {
        const RandomKey key(static_cast<uint64_t>(repeat));
        Random question(key.with(sample.task).with(static_cast<uint64_t>(sample.index)),
                        "question");
        const double skill = question.uniform() < 0.5 ? 0.95 : 0.6;
        Random own(key.with(sample.id), name);
        return ScoredAnswer{.official = own.uniform() < skill - lost ? 1.0 : 0.0};
      };
    };
    const ScoredShape form{.tasks = {"vt", "cwe"}, .samples = samples, .whole = false};
    const ScoredRun before = scored_run(form, reader("before", 0));
    const ScoredRun after = scored_run(form, reader("after", loss));
    const GateResult result = gated(policy, after, &before);
    rates.pass += result.status == GateStatus::kPass ? 1.0 / repeats : 0;
    rates.fail += result.status == GateStatus::kFail ? 1.0 / repeats : 0;
  }
  return rates;
}

TEST(GateErrorRatesSlow, StayAtTheirLevel) {
  constexpr int kRepeats = 600;
  constexpr double kLevel = 0.05;
  const double slack = 3 * std::sqrt(kLevel * (1 - kLevel) / kRepeats);
  for (const bool over_tasks : {false, true})
    for (const int64_t samples : {8, 30}) {
      if (over_tasks && samples < 30) continue;
      SCOPED_TRACE(fmt::format("{} samples a cell, over tasks: {}", samples, over_tasks));
      const ErrorRates unchanged = not_worse_rates(0, 0.1, samples, over_tasks, kRepeats);
      EXPECT_LE(unchanged.fail, kLevel + slack) << "false fails of an unchanged model";
      const ErrorRates worse = not_worse_rates(0.1, 0.1, samples, over_tasks, kRepeats);
      EXPECT_LE(worse.pass, kLevel + slack) << "false passes of a model worse by the margin";
      EXPECT_LE(worse.fail, kLevel + slack) << "fails of a model exactly at the margin";
      RecordProperty(fmt::format("false_fail_{}_{}", samples, over_tasks),
                     fmt::format("{:.4f}", unchanged.fail));
      RecordProperty(fmt::format("false_pass_{}_{}", samples, over_tasks),
                     fmt::format("{:.4f}", worse.pass));
      // And it is not idle: with enough samples a heavy loss is found, no loss is passed.
      if (samples < 30) continue;
      EXPECT_GT(not_worse_rates(0.4, 0.1, samples, over_tasks, 50).fail, 0.9);
      if (!over_tasks) {
        EXPECT_GT(unchanged.pass, 0.3);
      }
    }
}

// An absolute rule: a model exactly at the limit passes or fails at most as often as its interval
// says, each way.
TEST(GateErrorRatesSlow, AbsoluteRulesStayAtTheirLevel) {
  constexpr int kRepeats = 1000;
  const double slack = 3 * std::sqrt(0.025 * 0.975 / kRepeats);
  for (const int64_t samples : {12, 40}) {
    const Policy policy = policy_of("  - macro: {at_least: 0.8}\n");
    double pass = 0;
    double fail = 0;
    for (int repeat = 0; repeat < kRepeats; ++repeat) {
      const ScoredRun run =
          scored_run({.samples = samples, .whole = false}, [&](const SampleFacts& sample) {
            Random own(RandomKey(static_cast<uint64_t>(repeat)).with(sample.id), "answer");
            return ScoredAnswer{.official = own.uniform() < 0.8 ? 1.0 : 0.0};
          });
      const GateStatus status = gated(policy, run).status;
      pass += status == GateStatus::kPass ? 1.0 / kRepeats : 0;
      fail += status == GateStatus::kFail ? 1.0 / kRepeats : 0;
    }
    EXPECT_LE(pass, 0.025 + slack) << samples;
    EXPECT_LE(fail, 0.025 + slack) << samples;
  }
}

}  // namespace
}  // namespace fathom
