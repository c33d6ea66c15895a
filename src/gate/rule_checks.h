// The checks of one rule: what is measured, against which limits. One function per family of rules;
// gate.cpp decides and sums up.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/result.h"
#include "gate/gate.h"

namespace fathom {

// What rules are checked against. Everything is owned by the caller of check_gate().
struct GateData {
  const Policy& policy;
  const ComparedRun& run;
  const std::optional<ComparedRun>& baseline;
  const GateProofs& proofs;
  const GateOptions& options;
  std::vector<int64_t> clusters;  // sample_clusters() of the run

  [[nodiscard]] const Results& results() const { return *run.results; }
};

// The ordinary, attempted samples of the rule's lengths, as rows of Results. Errors: kUsage, a
// length that the run does not have.
[[nodiscard]] Result<std::vector<size_t>> rows_of(const PolicyRule& rule, const GateData& data);

// "POLICY:LINE: rule 'tasks': " for messages.
[[nodiscard]] std::string place_of(const PolicyRule& rule, const GateData& data);

// The confidence of each of `checks` checks, by the rule's correction.
[[nodiscard]] double confidence_of_each(const PolicyRule& rule, size_t checks);

// Figures and limits, not decided yet.
[[nodiscard]] Result<std::vector<GateCheck>> score_checks(const PolicyRule& rule,
                                                          const GateData& data);
[[nodiscard]] Result<std::vector<GateCheck>> share_checks(const PolicyRule& rule,
                                                          const GateData& data);
[[nodiscard]] Result<std::vector<GateCheck>> arm_checks(const PolicyRule& rule,
                                                        const GateData& data);
[[nodiscard]] Result<std::vector<GateCheck>> not_worse_checks(const PolicyRule& rule,
                                                              const GateData& data);
[[nodiscard]] Result<std::vector<GateCheck>> spending_checks(const PolicyRule& rule,
                                                             const GateData& data);

}  // namespace fathom
