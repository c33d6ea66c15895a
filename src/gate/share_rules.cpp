// Rules about the samples and what became of requests: audit, completion, outcomes, misses, and the
// gap between lenient and strict scores.
#include <functional>

#include "gate/rule_checks.h"
#include "grade/miss.h"
#include "stats/clustered.h"

namespace fathom {
namespace {

using RowValue = std::function<double(const ScoredAttempt&)>;  // 0..1

Estimate share_over(const std::vector<size_t>& rows, const GateData& data, double confidence,
                    const RowValue& value) {
  std::vector<double> values;
  std::vector<int64_t> clusters;
  for (const size_t row : rows) {
    values.push_back(value(data.results().scores[*data.results().rows[row].score]));
    clusters.push_back(data.clusters[row]);
  }
  return values.empty() ? Estimate{} : clustered_mean_score(values, clusters, confidence);
}

double strict_gap(const ScoredAttempt& attempt) {
  return attempt.official && attempt.strict ? *attempt.official - *attempt.strict : 0.0;
}

bool is_named(const PolicyRule& rule, const ScoredAttempt& attempt, const std::string& name) {
  if (rule.kind == RuleKind::kOutcomes) return to_text(attempt.outcome) == name;
  return !attempt.misses.empty() && to_text(attempt.misses.front().kind) == name;
}

// 1 where the very samples of the run passed.
GateCheck audit_check(const GateData& data) {
  const std::optional<AuditRecord>& audit = data.proofs.audit;
  const RunRecord* record = data.run.record;
  std::string subject = "the run's samples";
  if (!audit) {
    subject += " (never audited: fathom audit DATASET --record)";
  } else if (record == nullptr || audit->samples_hash != record->settings.dataset_hash) {
    subject += " (the audit is of others)";
  } else if (audit->breaches > 0) {
    subject += fmt::format(" (the audit found {} breaches)", audit->breaches);
  }
  const double passed = subject.ends_with(')') ? 0 : 1;
  return {
      .subject = subject,
      .figure = {.value = passed, .low = passed, .high = passed, .n = data.results().total.samples},
      .at_least = 1};
}

}  // namespace

Result<std::vector<GateCheck>> share_checks(const PolicyRule& rule, const GateData& data) {
  TRY(const std::vector<size_t> rows, rows_of(rule, data));
  if (rule.kind == RuleKind::kAudited) return std::vector<GateCheck>{audit_check(data)};
  if (rule.kind == RuleKind::kCompletion)
    return std::vector<GateCheck>{{.subject = "completed requests",
                                   .figure = share_over(rows, data, rule.confidence,
                                                        [](const ScoredAttempt& attempt) {
                                                          return is_complete(attempt.outcome) ? 1.0
                                                                                              : 0.0;
                                                        }),
                                   .at_least = *rule.limit}};
  if (rule.kind == RuleKind::kStrictGap)
    return std::vector<GateCheck>{{.subject = "lenient minus strict score",
                                   .figure = share_over(rows, data, rule.confidence, strict_gap),
                                   .unit = GateUnit::kPoints,
                                   .at_most = *rule.limit}};
  const double confidence = confidence_of_each(rule, rule.limits.size());
  std::vector<GateCheck> checks;
  for (const auto& [name, limit] : rule.limits)
    checks.push_back({.subject = name,
                      .figure = share_over(rows, data, confidence,
                                           [&rule, &name = name](const ScoredAttempt& attempt) {
                                             return is_named(rule, attempt, name) ? 1.0 : 0.0;
                                           }),
                      .at_most = limit});
  return checks;
}

}  // namespace fathom
