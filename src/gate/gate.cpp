#include "gate/gate.h"

#include <algorithm>

#include "gate/decide.h"
#include "gate/rule_checks.h"
#include "results/sample_clusters.h"

namespace fathom {
namespace {

constexpr int kPassed = 0;

std::string percent(double share) { return fmt::format("{:g} %", share * 100); }

std::string number(double value) { return fmt::format("{:.10g}", value); }

// " ≥ 85 %", or "" where limits differ by name.
std::string at_least_words(const PolicyRule& rule) {
  return rule.limit ? " ≥ " + percent(*rule.limit) : " ≥ their limits";
}

std::string settings_words(const PolicyRule& rule) {
  switch (rule.kind) {
    case RuleKind::kMacro:
      return "mean over tasks" + at_least_words(rule);
    case RuleKind::kCategories:
      return "each category" + at_least_words(rule);
    case RuleKind::kTasks:
      return "each task" + at_least_words(rule);
    case RuleKind::kEffectiveLength:
      return fmt::format("effective length{} at {} ≥ {}",
                         rule.category.empty() ? "" : " of " + rule.category,
                         percent(rule.threshold), length_name(static_cast<int64_t>(*rule.limit)));
    case RuleKind::kNotWorse:
      return fmt::format(
          "not worse than the baseline by more than {:g} points{}", *rule.limit * 100,
          rule.over == GroupKind::kAll ? "" : fmt::format(", each {}", to_text(rule.over)));
    case RuleKind::kCompletion:
      return "completed requests" + at_least_words(rule);
    case RuleKind::kStrictGap:
      return fmt::format("lenient minus strict score ≤ {:g} points", *rule.limit * 100);
    case RuleKind::kOutcomes:
      return "share of outcomes ≤ their limits";
    case RuleKind::kOutputTokens:
      return fmt::format("{} output tokens {} to {}{}", to_text(rule.statistic), number(rule.low),
                         number(rule.high), rule.of_baseline ? " times the baseline's" : "");
    case RuleKind::kLatency:
      return fmt::format(
          "{:g} % quantile of the {} ≤ {}", rule.quantile * 100,
          rule.measure == LatencyMeasure::kTotal ? "answer time" : "time to the first token",
          rule.limit ? number(*rule.limit) + " ms" : "the limits by length");
    case RuleKind::kCost:
      return "cost of the run ≤ its limits";
    case RuleKind::kCoverage:
      return "evidence that is read ≥ the limits";
    case RuleKind::kLosses:
      return "answers lost against full attention and the evidence alone ≤ their limits";
    case RuleKind::kReadShare:
      return fmt::format("pairs read ≤ {} of full attention's", percent(*rule.limit));
    case RuleKind::kAudited:
      return "samples audited before the run";
    case RuleKind::kMisses:
      return "share of misses ≤ their limits";
  }
  return "";
}

Result<std::vector<GateCheck>> checks_of(const PolicyRule& rule, const GateData& data) {
  switch (rule.kind) {
    case RuleKind::kMacro:
    case RuleKind::kCategories:
    case RuleKind::kTasks:
    case RuleKind::kEffectiveLength:
      return score_checks(rule, data);
    case RuleKind::kNotWorse:
      return not_worse_checks(rule, data);
    case RuleKind::kCompletion:
    case RuleKind::kStrictGap:
    case RuleKind::kOutcomes:
    case RuleKind::kAudited:
    case RuleKind::kMisses:
      return share_checks(rule, data);
    case RuleKind::kCoverage:
    case RuleKind::kLosses:
    case RuleKind::kReadShare:
      return arm_checks(rule, data);
    case RuleKind::kOutputTokens:
    case RuleKind::kLatency:
    case RuleKind::kCost:
      return spending_checks(rule, data);
  }
  return std::vector<GateCheck>{};
}

// A fail among them fails the whole; else an unresolved one leaves it open.
template <typename T>
GateStatus worst_of(const std::vector<T>& items) {
  GateStatus worst = items.empty() ? GateStatus::kUnresolved : GateStatus::kPass;
  for (const T& item : items) {
    if (item.status == GateStatus::kFail) return GateStatus::kFail;
    if (item.status == GateStatus::kUnresolved) worst = GateStatus::kUnresolved;
  }
  return worst;
}

// The checks that decided, the furthest from their limits first.
std::string rule_reason(const RuleResult& result) {
  constexpr size_t kNamed = 3;
  if (result.checks.empty()) return "there was nothing to check";
  std::vector<const GateCheck*> deciding;
  for (const GateCheck& check : result.checks)
    if (check.status == result.status) deciding.push_back(&check);
  const auto distance = [](const GateCheck* check) {
    const double below = check->at_least ? *check->at_least - check->figure.value : -1e300;
    const double above = check->at_most ? check->figure.value - *check->at_most : -1e300;
    return std::max(below, above);
  };
  std::stable_sort(deciding.begin(), deciding.end(), [&](const GateCheck* a, const GateCheck* b) {
    return distance(a) > distance(b);
  });
  std::string words;
  if (result.checks.size() > 1)
    words = fmt::format("{} of {} {}: ", deciding.size(), result.checks.size(),
                        result.status == GateStatus::kPass   ? "pass, the nearest to its limit"
                        : result.status == GateStatus::kFail ? "fail"
                                                             : "unresolved");
  const size_t named = result.status == GateStatus::kPass ? 1 : kNamed;
  for (size_t i = 0; i < std::min(named, deciding.size()); ++i)
    words += (i == 0 ? "" : "; ") + (result.checks.size() > 1 ? deciding[i]->subject + " " : "") +
             deciding[i]->reason;
  if (result.status != GateStatus::kPass && deciding.size() > named)
    words += fmt::format("; and {} more", deciding.size() - named);
  return words;
}

int exit_code_of(const GateResult& result, const Policy& policy) {
  switch (result.status) {
    case GateStatus::kPass:
      return kPassed;
    case GateStatus::kFail:
      return exit_code(ErrorCode::kGateFailed);
    case GateStatus::kUnresolved:
      break;
  }
  switch (policy.unresolved) {
    case UnresolvedAs::kPass:
      return kPassed;
    case UnresolvedAs::kFail:
      return exit_code(ErrorCode::kGateFailed);
    case UnresolvedAs::kExit:
      break;
  }
  return policy.unresolved_exit;
}

Result<void> check_finished(const ComparedRun& run, const GateOptions& options) {
  const Tally& total = run.results->total;
  if (total.attempted == 0)
    return fail(ErrorCode::kUsage, "{}: the run has no answers yet", run.description->name);
  if (total.attempted < total.samples && !options.partial)
    return fail(ErrorCode::kUsage,
                "{}: {} of {} samples have no answer yet, and those left may be the hard ones: "
                "finish the run (the same fathom run command resumes), or gate what is there with "
                "--partial",
                run.description->name, total.samples - total.attempted, total.samples);
  return {};
}

Result<void> check_inputs(const Policy& policy, const ComparedRun& run,
                          const std::optional<ComparedRun>& baseline, const GateOptions& options) {
  if (!baseline)
    for (const PolicyRule& rule : policy.rules)
      if (rule.needs_baseline())
        return fail(ErrorCode::kUsage,
                    "{}:{}: rule '{}' compares with an earlier run: name it with --baseline FOLDER",
                    policy.source, rule.line, to_text(rule.kind));
  TRY_VOID(check_finished(run, options));
  return baseline ? check_finished(*baseline, options) : Result<void>();
}

std::string titles_of(const GateResult& result, GateStatus status) {
  std::string words;
  for (const RuleResult& rule : result.rules)
    if (rule.status == status) words += (words.empty() ? "" : "; ") + title_of(rule.rule);
  return words;
}

}  // namespace

std::string_view to_text(GateStatus status) {
  switch (status) {
    case GateStatus::kPass:
      return "pass";
    case GateStatus::kFail:
      return "fail";
    case GateStatus::kUnresolved:
      return "unresolved";
  }
  return "unresolved";
}

std::string_view to_text(GateUnit unit) {
  switch (unit) {
    case GateUnit::kShare:
      return "share";
    case GateUnit::kPoints:
      return "difference of shares";
    case GateUnit::kTokens:
      return "tokens";
    case GateUnit::kMilliseconds:
      return "ms";
    case GateUnit::kMoney:
      return "money";
    case GateUnit::kRatio:
      return "ratio to the baseline";
  }
  return "share";
}

int64_t GateResult::count(GateStatus wanted) const {
  return std::count_if(rules.begin(), rules.end(),
                       [&](const RuleResult& rule) { return rule.status == wanted; });
}

std::string title_of(const PolicyRule& rule) {
  if (!rule.name.empty()) return rule.name;
  std::string words = settings_words(rule);
  if (!rule.lengths.empty()) {
    std::vector<std::string> names;
    for (const int64_t length : rule.lengths) names.push_back(length_name(length));
    words += fmt::format(" at {}", fmt::join(names, ", "));
  }
  return words;
}

std::string place_of(const PolicyRule& rule, const GateData& data) {
  return fmt::format("{}:{}: rule '{}': ", data.policy.source, rule.line, to_text(rule.kind));
}

double confidence_of_each(const PolicyRule& rule, size_t checks) {
  if (rule.correction == Correction::kNone || checks < 2) return rule.confidence;
  return 1 - (1 - rule.confidence) / static_cast<double>(checks);
}

Result<std::vector<size_t>> rows_of(const PolicyRule& rule, const GateData& data) {
  const Results& results = data.results();
  for (const int64_t length : rule.lengths) {
    if (std::find(results.lengths.begin(), results.lengths.end(), length) != results.lengths.end())
      continue;
    std::vector<std::string> names;
    for (const int64_t known : results.lengths) names.push_back(length_name(known));
    return fail(ErrorCode::kUsage, "{}the run has no samples of {} tokens; its lengths: {}",
                place_of(rule, data), length_name(length), fmt::join(names, ", "));
  }
  std::vector<size_t> rows;
  for (size_t row = 0; row < results.rows.size(); ++row) {
    const SampleFacts& sample = results.samples[row];
    const bool wanted = rule.lengths.empty() || std::find(rule.lengths.begin(), rule.lengths.end(),
                                                          sample.length) != rule.lengths.end();
    if (wanted && sample.variant.ordinary() && results.rows[row].score) rows.push_back(row);
  }
  return rows;
}

Result<GateResult> check_gate(const Policy& policy, const ComparedRun& run,
                              const std::optional<ComparedRun>& baseline,
                              const GateOptions& options, const GateProofs& proofs) {
  TRY_VOID(check_inputs(policy, run, baseline, options));
  GateResult result{.policy = policy.name,
                    .policy_source = policy.source,
                    .policy_sha256 = policy.sha256,
                    .policy_description = policy.description,
                    .run = *run.description,
                    .unresolved = policy.unresolved,
                    .not_run = run.results->total.samples - run.results->total.attempted,
                    .currency = policy.prices ? policy.prices->currency : ""};
  if (baseline) {
    result.baseline = *baseline->description;
    result.conditions = differing_conditions(*baseline, run);
  }
  const GateData data{policy, run, baseline, proofs, options, sample_clusters(*run.results)};
  for (const PolicyRule& rule : policy.rules) {
    RuleResult outcome{.rule = rule};
    TRY(outcome.checks, checks_of(rule, data));
    for (GateCheck& check : outcome.checks) decide(check, rule.by, result.currency);
    outcome.status = worst_of(outcome.checks);
    outcome.reason = rule_reason(outcome);
    result.rules.push_back(std::move(outcome));
  }
  result.status = worst_of(result.rules);
  result.exit_code = exit_code_of(result, policy);
  return result;
}

std::string gate_verdict(const GateResult& result) {
  const auto total = static_cast<int64_t>(result.rules.size());
  const int64_t failed = result.count(GateStatus::kFail);
  const int64_t open = result.count(GateStatus::kUnresolved);
  const std::string passed =
      fmt::format("{} of {} rules pass", result.count(GateStatus::kPass), total);
  std::string words;
  if (failed > 0)
    words = fmt::format("FAIL: {} of {} rules fail ({})", failed, total,
                        titles_of(result, GateStatus::kFail));
  else if (open > 0)
    words = fmt::format("UNRESOLVED: {}", passed);
  else
    words = fmt::format("PASS: {}",
                        total == 1 ? "the rule passes" : fmt::format("all {} rules pass", total));
  if (open > 0)
    words += fmt::format(", {} cannot be told with so few samples ({})", open,
                         titles_of(result, GateStatus::kUnresolved));
  if (failed == 0 && open > 0)
    words += fmt::format("; the policy counts that as {}",
                         result.unresolved == UnresolvedAs::kPass   ? "passed"
                         : result.unresolved == UnresolvedAs::kFail ? "failed"
                                                                    : "its own exit code");
  return words + ".";
}

}  // namespace fathom
