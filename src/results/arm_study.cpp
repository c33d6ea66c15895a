#include "results/arm_study.h"

#include <algorithm>

#include "coverage/coverage_file.h"
#include "coverage/pareto.h"
#include "coverage/read_cost.h"
#include "stats/corrections.h"

namespace fathom {
namespace {

const FinishedArm* first_of(std::span<const FinishedArm> arms, SelectorKind kind) {
  const auto found = std::find_if(arms.begin(), arms.end(), [&](const FinishedArm& each) {
    return each.arm.options.kind == kind;
  });
  return found == arms.end() ? nullptr : &*found;
}

CrossArm crossing(const FinishedArm& arm) { return {arm.arm.name, &arm.run.results}; }

void compare_with_full(std::span<const FinishedArm> arms, const FinishedArm& full,
                       ArmStudy& study) {
  ComparisonOptions options;
  options.shared_only = true;  // an arm may still be running
  std::vector<double> p_values;
  std::vector<size_t> places;
  for (size_t i = 0; i < arms.size(); ++i) {
    if (&arms[i] == &full) continue;
    const auto comparison = compare_runs(compared(full.run), compared(arms[i].run), options);
    if (!comparison) continue;
    if (arms[i].arm.options.kind == SelectorKind::kFull) {
      study.noise = comparison->all.counts;
      continue;
    }
    study.arms[i].against = comparison->all;
    p_values.push_back(comparison->all.p);
    places.push_back(i);
  }
  const std::vector<double> corrected = holm(p_values);
  for (size_t i = 0; i < places.size(); ++i) study.arms[places[i]].p_holm = corrected[i];
}

CostPoint point_of(const ArmSummary& arm) { return {arm.read_share, arm.score}; }

void mark_dominated(std::vector<ArmSummary>& arms) {
  std::vector<CostPoint> rivals;
  for (const ArmSummary& arm : arms)
    if (is_real(arm.arm) && knows_cost(arm)) rivals.push_back(point_of(arm));
  for (ArmSummary& arm : arms) {
    if (!knows_cost(arm)) continue;
    const Domination found = domination(point_of(arm), rivals);
    arm.dominated = found.by.has_value();
    arm.surely_dominated = found.certain;
  }
}

}  // namespace

bool knows_cost(const ArmSummary& arm) {
  return arm.arm.server.empty() || arm.arm.options.kind == SelectorKind::kFull || arm.covered > 0;
}

bool is_real(const AttentionArm& arm) {
  switch (arm.options.kind) {
    case SelectorKind::kFull:
    case SelectorKind::kEvidence:
    case SelectorKind::kEvidenceRandom:
    case SelectorKind::kForced:
    case SelectorKind::kKnockout:
      return false;
    default:
      return true;
  }
}

ArmStudy arm_study(std::span<const FinishedArm> arms) {
  ArmStudy study;
  for (const FinishedArm& each : arms) {
    ArmSummary& summary = study.arms.emplace_back();
    summary.arm = each.arm;
    summary.score = each.run.results.total.usability;
    summary.coverage = mean_coverage(each.coverage);
    summary.covered = static_cast<int64_t>(each.coverage.size());
    const SampleCoverage& mean = summary.coverage;
    const ReadCost cost =
        read_cost({.read = mean.pairs, .full = mean.pairs_full, .to_select = mean.pairs_to_select},
                  mean.head_size, mean.group);
    summary.read_share = cost.share;
    summary.kv_bytes = cost.bytes;
    summary.flops = cost.flops;
  }
  const FinishedArm* full = first_of(arms, SelectorKind::kFull);
  const FinishedArm* oracle = first_of(arms, SelectorKind::kEvidence);
  if (full != nullptr) compare_with_full(arms, *full, study);
  mark_dominated(study.arms);
  study.budgets = budget_studies(arms);
  if (full == nullptr || oracle == nullptr) return study;
  for (const FinishedArm& each : arms) {
    if (!is_real(each.arm)) continue;
    auto cross = cross_table(crossing(*full), crossing(*oracle), crossing(each));
    if (cross) study.crosses.push_back(std::move(*cross));
  }
  return study;
}

}  // namespace fathom
