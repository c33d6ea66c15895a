// A policy held against a run: each rule passes, fails or stays unresolved, with the numbers and
// the reason in words (spec S5; docs/formats/gate.md).
//
//   TRY(const Policy policy, load_policy("regression"));
//   TRY(const GateResult result, check_gate(policy, run, baseline));
//   return result.exit_code;   // 0, 100, or what the policy says of unresolved rules
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "coverage/coverage.h"
#include "gate/policy.h"
#include "results/comparison.h"
#include "stats/estimate.h"
#include "suite/audit_record.h"

namespace fathom {

enum class GateStatus { kPass, kFail, kUnresolved };
[[nodiscard]] std::string_view to_text(GateStatus status);  // "pass", "fail", "unresolved"

enum class GateUnit { kShare, kPoints, kTokens, kMilliseconds, kMoney, kRatio };
[[nodiscard]] std::string_view to_text(GateUnit unit);  // "share", "points", "tokens", "ms" …

// One number against one limit.
struct GateCheck {
  std::string subject;  // "vt", "retrieval", "4K", "all samples"
  GateStatus status = GateStatus::kUnresolved;
  Estimate figure = {};                 // n = 0: nothing was measured, and the check is unresolved
  GateUnit unit = GateUnit::kShare;     // of figure, at_least and at_most
  std::optional<double> at_least = {};  // the limit, or both ends of a band
  std::optional<double> at_most = {};
  std::string reason = {};  // "61.0 % (50.2–70.9, n = 80): all of the interval is below 75 %"
  bool operator==(const GateCheck&) const = default;
};

// A rule fails where a check fails, else is unresolved where one is.
struct RuleResult {
  PolicyRule rule;
  GateStatus status = GateStatus::kUnresolved;
  std::vector<GateCheck> checks;
  std::string reason;  // the checks that decided, in a sentence
  bool operator==(const RuleResult&) const = default;
};

struct GateResult {
  std::string policy;         // its name
  std::string policy_source;  // embedded name or path
  std::string policy_sha256;
  std::string policy_description;
  RunDescription run;
  std::optional<RunDescription> baseline;
  std::vector<ConditionDifference> conditions;  // between baseline and run
  GateStatus status = GateStatus::kUnresolved;  // of the rules
  std::vector<RuleResult> rules;                // in the policy's order
  UnresolvedAs unresolved = UnresolvedAs::kPass;
  int64_t not_run = 0;   // samples without an answer yet, where GateOptions::partial let them pass
  std::string currency;  // of money; empty: none is in play
  int exit_code = 0;     // 0, 100, or the policy's own for unresolved

  [[nodiscard]] int64_t count(GateStatus wanted) const;
};

// What some rules need beside the run and its baseline.
struct GateProofs {
  std::optional<ComparedRun> oracle = {};     // the evidence alone
  std::vector<SampleCoverage> coverage = {};  // of the gated arm; empty: none was recorded
  std::optional<AuditRecord> audit = {};      // of the run's dataset; none: not audited
};

struct GateOptions {
  bool partial = false;      // gate a run that is not finished by what is answered
  bool shared_only = false;  // compare with the baseline by the samples that both have
};

// Errors (kUsage): the run is not finished; a rule needs a baseline, an oracle or a coverage and
// none is given; a rule names a task, category or length that the run does not have; baseline and
// run are not of the same samples.
[[nodiscard]] Result<GateResult> check_gate(const Policy& policy, const ComparedRun& run,
                                            const std::optional<ComparedRun>& baseline,
                                            const GateOptions& options = {},
                                            const GateProofs& proofs = {});

// "macro ≥ 85 %", "not worse than the baseline by more than 3 points, each task"; a rule's own name
// where it has one.
[[nodiscard]] std::string title_of(const PolicyRule& rule);

// "FAIL: 2 of 7 rules fail (not worse than the baseline; tasks), 1 unresolved."
[[nodiscard]] std::string gate_verdict(const GateResult& result);

}  // namespace fathom
