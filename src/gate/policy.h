// A regression policy: what a run must satisfy, written down before the run (spec S5). One YAML
// file; its form, with every key, is docs/formats/policy.md.
//
//   name: nightly
//   rules:
//     - macro: {at_least: 0.85}
//     - tasks: {at_least: {vt: 0.6, cwe: 0.5}, by: lower}
//     - not_worse: {margin: 0.03}
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "results/comparison.h"
#include "stats/effective_length.h"

namespace fathom {

enum class RuleKind {
  kMacro,            // mean over tasks
  kCategories,       // mean over the tasks of each category
  kTasks,            // each row of the result table
  kEffectiveLength,  // of the mean over tasks, or of one category
  kNotWorse,         // paired difference to the baseline: non-inferiority
  kCompletion,       // completed / attempted
  kStrictGap,        // lenient minus strict score
  kOutcomes,         // share of attempts that ended in an outcome: output-cut, over-window …
  kOutputTokens,     // length of the answers, a band
  kLatency,          // quantile of the time an answer took
  kCost,             // tokens and money of the whole run
  kCoverage,         // of an arm: how much of the evidence it read (spec A4)
  kLosses,           // of an arm: answers lost to sparsity and to the selector (spec A6)
  kReadShare,        // of an arm: key-value pairs read, of those that full attention reads (A5)
  kAudited,          // the run's samples passed fathom audit
  kMisses,           // share of attempts with a kind of miss: wrong-binding, denial …
};
[[nodiscard]] std::string_view to_text(RuleKind kind);  // its key in YAML: "macro", "not_worse" …
[[nodiscard]] std::vector<RuleKind> all_rule_kinds();

// What rules of the kinds kCoverage and kLosses may name.
[[nodiscard]] std::vector<std::string> coverage_names();  // "joint", "recall", "path" …
[[nodiscard]] std::vector<std::string> loss_names();      // "sparsity", "selector", "luck"

// Which number of an estimate is held against a limit.
enum class DecidedBy {
  kInterval,  // wholly on the good side passes, wholly on the bad side fails, else unresolved
  kValue,     // the point estimate: passes or fails
  kLower,     // the interval's lower end: passes or fails
  kUpper,     // its upper end
};
[[nodiscard]] std::string_view to_text(DecidedBy by);  // "interval", "value", "lower", "upper"

// What a rule with several checks does about having several tries to fail.
enum class Correction {
  kNone,        // each check at the policy's confidence
  kBonferroni,  // each of m checks at 1 - (1 - confidence) / m
};
[[nodiscard]] std::string_view to_text(Correction correction);

enum class OutputStatistic { kMean, kMedian, kP95 };
[[nodiscard]] std::string_view to_text(OutputStatistic statistic);  // "mean", "median", "p95"

enum class LatencyMeasure { kTotal, kFirstToken };
[[nodiscard]] std::string_view to_text(LatencyMeasure measure);  // "total", "first_token"

// Money per token kind; prices are per `per_tokens` tokens.
struct TokenPrices {
  double input = 0;
  double cached = 0;  // cached input tokens; the input price where the policy names none
  double output = 0;
  double per_tokens = 1e6;
  std::string currency = "USD";
  bool operator==(const TokenPrices&) const = default;
};

struct PolicyRule {
  RuleKind kind = RuleKind::kMacro;
  std::string name = {};  // for people; the policy's own word, else made from the settings
  int line = 0;           // in the file
  // In a file: kInterval for scores and comparisons, kValue for completion, outcomes, misses,
  // output tokens, latency and cost.
  DecidedBy by = DecidedBy::kInterval;
  Correction correction = Correction::kNone;
  double confidence = kConfidence;    // kNotWorse: one-sided; all others: two-sided
  std::vector<int64_t> lengths = {};  // only samples of these lengths; empty: all
  std::optional<double> limit = {};   // of everything the rule looks at
  std::map<std::string, double> limits =
      {};  // by category, row, outcome, token kind, miss kind, length, coverage, loss
  double threshold = kRulerThreshold;  // kEffectiveLength
  std::string category = {};           // kEffectiveLength; empty: the mean over tasks
  GroupKind over = GroupKind::kAll;    // kNotWorse: which groups must not be worse
  double low = 0;                      // kOutputTokens: the band
  double high = 0;
  bool of_baseline = false;  // kOutputTokens: the band is a ratio to the baseline's figure
  OutputStatistic statistic = OutputStatistic::kMean;
  LatencyMeasure measure = LatencyMeasure::kTotal;
  double quantile = 0.95;  // kLatency

  [[nodiscard]] bool needs_baseline() const {
    return kind == RuleKind::kNotWorse || kind == RuleKind::kLosses ||
           (kind == RuleKind::kOutputTokens && of_baseline);
  }
  bool operator==(const PolicyRule&) const = default;
};

// What the whole gate says where no rule fails and some are unresolved.
enum class UnresolvedAs { kPass, kFail, kExit };

struct Policy {
  std::string name;
  std::string description;
  std::string source;  // the embedded name, or the file's path
  std::string sha256;  // of the file's bytes
  Reading reading = Reading::kOfficial;
  double confidence = kConfidence;
  UnresolvedAs unresolved = UnresolvedAs::kPass;
  int unresolved_exit = 0;  // kExit: the exit code, 6 to 99
  std::optional<TokenPrices> prices;
  std::vector<PolicyRule> rules;

  bool operator==(const Policy&) const = default;
};

inline constexpr int64_t kLongestPolicy = 1 << 20;  // bytes; more is not a policy

// `where` names the text in errors: kInput "WHERE:LINE:COLUMN: what is wrong; what was meant".
[[nodiscard]] Result<Policy> parse_policy(std::string_view yaml, const std::string& where);

// An embedded policy ("regression"), or a YAML file.
[[nodiscard]] Result<Policy> load_policy(const std::string& name_or_path);
[[nodiscard]] std::vector<std::string> embedded_policies();

}  // namespace fathom
