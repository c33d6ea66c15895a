// S5, C1: policy files: what they may say, and errors that name line, key and the nearest valid
// key.
#include "gate/policy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/hash.h"
#include "base/random.h"
#include "io/embedded.h"

namespace fathom {
namespace {

using testing::HasSubstr;

std::string with_rule(const std::string& rule) { return "name: p\nrules:\n  - " + rule + "\n"; }

PolicyRule rule_of(const std::string& rule) {
  auto policy = parse_policy(with_rule(rule), "p.yaml");
  EXPECT_TRUE(policy) << rule << ": " << (policy ? "" : policy.error().message);
  return policy ? policy->rules.front() : PolicyRule{};
}

TEST(Policy, ReadsEveryKindOfRule) {
  const PolicyRule macro = rule_of("macro: {at_least: 0.85, by: lower, lengths: [4k, 8k]}");
  EXPECT_EQ(macro.kind, RuleKind::kMacro);
  EXPECT_EQ(macro.limit, 0.85);
  EXPECT_EQ(macro.by, DecidedBy::kLower);
  EXPECT_EQ(macro.lengths, (std::vector<int64_t>{4096, 8192}));
  EXPECT_EQ(macro.line, 3);

  const PolicyRule categories = rule_of("categories: {at_least: {retrieval: 0.9, tracking: 0.7}}");
  EXPECT_EQ(categories.limits,
            (std::map<std::string, double>{{"retrieval", 0.9}, {"tracking", 0.7}}));
  EXPECT_EQ(categories.by, DecidedBy::kInterval);

  const PolicyRule tasks = rule_of("tasks: {at_least: 0.6, correction: bonferroni}");
  EXPECT_EQ(tasks.limit, 0.6);
  EXPECT_EQ(tasks.correction, Correction::kBonferroni);

  const PolicyRule effective =
      rule_of("effective_length: {at_least: 32k, threshold: 0.9, category: retrieval}");
  EXPECT_EQ(effective.limit, 32768);
  EXPECT_EQ(effective.threshold, 0.9);
  EXPECT_EQ(effective.category, "retrieval");

  const PolicyRule not_worse = rule_of("not_worse: {margin: 0.03, over: task, confidence: 0.99}");
  EXPECT_EQ(not_worse.limit, 0.03);
  EXPECT_EQ(not_worse.over, GroupKind::kTask);
  EXPECT_EQ(not_worse.confidence, 0.99);
  EXPECT_TRUE(not_worse.needs_baseline());

  const PolicyRule completion = rule_of("completion: {at_least: 0.99}");
  EXPECT_EQ(completion.by, DecidedBy::kValue);
  EXPECT_FALSE(completion.needs_baseline());
  EXPECT_EQ(rule_of("strict_gap: {at_most: 0.05}").limit, 0.05);
  EXPECT_EQ(rule_of("outcomes: {at_most: {output-cut: 0.02}}").limits.at("output-cut"), 0.02);
  EXPECT_EQ(rule_of("misses: {at_most: {wrong-binding: 0.1}}").limits.at("wrong-binding"), 0.1);

  const PolicyRule band = rule_of("output_tokens: {statistic: p95, between: [5, 60]}");
  EXPECT_EQ(band.statistic, OutputStatistic::kP95);
  EXPECT_EQ(band.high, 60);
  EXPECT_FALSE(band.needs_baseline());
  EXPECT_TRUE(rule_of("output_tokens: {of_baseline: [0.9, 1.1]}").needs_baseline());

  const PolicyRule latency =
      rule_of("latency: {at_most_ms: {4k: 900, 8k: 2_000}, quantile: 0.5, measure: first_token}");
  EXPECT_EQ(latency.limits, (std::map<std::string, double>{{"4096", 900}, {"8192", 2000}}));
  EXPECT_EQ(latency.measure, LatencyMeasure::kFirstToken);
  EXPECT_EQ(rule_of("latency: {at_most_ms: 900}").limit, 900);
  EXPECT_EQ(rule_of("cost: {at_most: {total_tokens: 1_000_000}}").limits.at("total_tokens"), 1e6);
  EXPECT_EQ(rule_of("macro: {at_least: 0.5, name: my words}").name, "my words");
}

TEST(Policy, ReadsTheWhole) {
  const std::string text =
      "name: nightly\nversion: 3\ndescription: words\nreading: strict\nconfidence: 0.9\n"
      "unresolved: {exit: 10}\nprices: {input: 0.15, output: 0.6, cached: 0.05, currency: EUR}\n"
      "rules:\n  - cost: {at_most: {money: 2.5}}\n  - macro: {at_least: 0.5, confidence: 0.99}\n";
  const auto policy = parse_policy(text, "n.yaml");
  ASSERT_TRUE(policy) << policy.error().message;
  EXPECT_EQ(policy->name, "nightly");
  EXPECT_EQ(policy->sha256, sha256_hex(text));
  EXPECT_EQ(policy->reading, Reading::kStrict);
  EXPECT_EQ(policy->unresolved, UnresolvedAs::kExit);
  EXPECT_EQ(policy->unresolved_exit, 10);
  EXPECT_EQ(policy->rules[0].confidence, 0.9);
  EXPECT_EQ(policy->rules[1].confidence, 0.99);
  ASSERT_TRUE(policy->prices);
  EXPECT_EQ(policy->prices->cached, 0.05);
  EXPECT_EQ(policy->prices->currency, "EUR");
}

TEST(Policy, ReadyOnesParse) {
  const auto names = embedded_policies();
  EXPECT_THAT(names, testing::Contains("regression"));
  for (const std::string& name : names) {
    const auto policy = load_policy(name);
    ASSERT_TRUE(policy) << policy.error().message;
    EXPECT_EQ(policy->source, name);
    EXPECT_EQ(policy->sha256, sha256_hex(*embedded_file("policies/" + name + ".yaml")));
  }
  const auto unknown = load_policy("regresion");
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code, ErrorCode::kUsage);
  EXPECT_THAT(unknown.error().message, HasSubstr("did you mean 'regression'?"));
}

struct BadCase {
  std::string text;
  std::string place;  // "LINE:COLUMN", or nothing where the whole file is meant
  std::string words;
};

TEST(Policy, RefusesWithPlaceAndRemedy) {
  const std::vector<BadCase> cases = {
      {"", "", "an empty file"},
      {"# only a remark\n", "", "an empty file"},
      {"just words", "1:1", "a policy must be a map"},
      {"rules: [", "", "not YAML"},
      {"name: p\n", "1:1", "needs the key 'rules'"},
      {"rules:\n  - macro: {at_least: 1}\n", "1:1", "needs the key 'name'"},
      {"name: p\nrulez: []\n", "2:1", "did you mean 'rules'?"},
      {"name: p\nrules: []\n", "2:8", "not an empty one"},
      {"name: p\nrules: {macro: 1}\n", "2:8", "must be a list of rules"},
      {with_rule("macro"), "3:5", "one kind with its settings"},
      {with_rule("macro: 0.8"), "3:12", "must be a map of settings"},
      {with_rule("{macro: {at_least: 1}, tasks: {at_least: 1}}"), "3:5", "a map of 2 keys"},
      {with_rule("macros: {at_least: 0.8}"), "3:5", "did you mean 'macro'?"},
      {with_rule("frobnicate: {at_least: 0.8}"), "3:5", "rules: macro, categories"},
      {with_rule("macro: {at_lest: 0.8}"), "3:13", "did you mean 'at_least'?"},
      {with_rule("macro: {at_most: 0.8}"), "3:13", "unknown key 'at_most'"},
      {with_rule("macro: {by: value}"), "3:12", "needs the key 'at_least'"},
      {with_rule("macro: {at_least: 85}"), "3:23", "a share from 0 to 1, not 85"},
      {with_rule("macro: {at_least: high}"), "3:23", "must be a number"},
      {with_rule("macro: {at_least: 0.8, by: luck}"), "3:32", "one of interval, value, lower"},
      {with_rule("macro: {at_least: 0.8, confidence: 95}"), "3:40", "a share from 0.6 to 0.9999"},
      {with_rule("macro: {at_least: 0.8, lengths: [4q]}"), "3:38", "4q"},
      {with_rule("not_worse: {margin: -0.02}"), "3:25", "a share from 0 to 1, not -0.02"},
      {with_rule("not_worse: {margin: 0.02, over: everything}"), "3:37", "one of all, task"},
      {with_rule("tasks: {at_least: [0.5]}"), "3:23", "must be a number"},
      {with_rule("tasks: {at_least: {vt: 2}}"), "3:28", "a share from 0 to 1"},
      {with_rule("categories: {at_least: {}}"), "3:28", "must be a map (name: limit)"},
      {with_rule("outcomes: {at_most: {cut: 0.1}}"), "3:26", "valid names"},
      {with_rule("outcomes: {at_most: {output-cuts: 0.1}}"), "3:26", "did you mean 'output-cut'?"},
      {with_rule("misses: {at_most: {wrong-bindings: 0}}"), "3:24",
       "did you mean 'wrong-binding'?"},
      {with_rule("output_tokens: {between: [60, 5]}"), "3:30", "above the second"},
      {with_rule("output_tokens: {between: 60}"), "3:30", "[from, to]"},
      {with_rule("output_tokens: {between: [1, 2], of_baseline: [1, 2]}"), "3:30", "not both"},
      {with_rule("output_tokens: {of_baseline: [1, 2], statistic: p95, by: interval}"), "3:20",
       "by: value"},
      {with_rule("latency: {at_most_ms: {soon: 5}}"), "3:28", "soon"},
      {with_rule("latency: {at_most_ms: -1}"), "3:27", "milliseconds from 0"},
      {with_rule("cost: {at_most: {money: 1}}"), "3:5", "needs 'prices'"},
      {with_rule("cost: {at_most: {tokens: 1}}"), "3:22", "valid names"},
      {with_rule("effective_length: {at_least: [4k, 8k]}"), "3:34", "one length"},
      {with_rule("macro: {at_least: 1}\nunresolved: maybe"), "4:13", "pass, fail, or {exit: N}"},
      {with_rule("macro: {at_least: 1}\nunresolved: {exit: 2}"), "4:20", "between 6 and 99"},
      {with_rule("macro: {at_least: 1}\nreading: kind"), "4:10", "one of official, strict"},
      {with_rule("macro: {at_least: 1}\nprices: {input: 1}"), "4:9", "needs the key 'output'"},
      {with_rule("macro: {at_least: 1}\nname: again"), "4:1", "name"},
      {"name: p\nrules:\n  - macro: {at_least: &x 0.5}\n", "3:", ""},
      {std::string("name: p\0rules", 13), "", "NUL"},
      {std::string(static_cast<size_t>(kLongestPolicy) + 1, '#'), "", "is this the right file?"},
  };
  for (const BadCase& row : cases) {
    const auto policy = parse_policy(row.text, "bad.yaml");
    ASSERT_FALSE(policy) << row.text.substr(0, 200);
    EXPECT_EQ(policy.error().code, ErrorCode::kInput) << row.text.substr(0, 200);
    EXPECT_THAT(policy.error().message, HasSubstr("bad.yaml:" + row.place))
        << row.text.substr(0, 200);
    EXPECT_THAT(policy.error().message, HasSubstr(row.words)) << row.text.substr(0, 200);
  }
}

// Q1: no bytes make the parser do anything but answer.
TEST(Policy, SurvivesDamagedFiles) {
  const std::string good(*embedded_file("policies/regression.yaml"));
  Random random(RandomKey(7), "damage");
  for (int i = 0; i < 2000; ++i) {
    std::string text = good;
    for (uint64_t k = 1 + random.below(4); k > 0; --k) {
      const size_t at = random.below(text.size());
      switch (random.below(3)) {
        case 0:
          text[at] = static_cast<char>(random.below(256));
          break;
        case 1:
          text.erase(at, 1 + random.below(20));
          break;
        default:
          text.insert(at, std::string(1 + random.below(3), "{}[]:-&*!|>'\"%@"[random.below(15)]));
      }
      if (text.empty()) text = "x";
    }
    const auto policy = parse_policy(text, "d.yaml");
    if (!policy) {
      EXPECT_THAT(policy.error().message, HasSubstr("d.yaml"));
    }
  }
}

}  // namespace
}  // namespace fathom
