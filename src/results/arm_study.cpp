#include "results/arm_study.h"

#include <algorithm>
#include <array>

#include "coverage/coverage_file.h"
#include "coverage/pareto.h"
#include "coverage/read_cost.h"
#include "results/answered_scores.h"
#include "stats/corrections.h"
#include "stats/interval.h"

namespace fathom {
namespace {

CrossArm crossing(const FinishedArm& arm) { return {arm.arm.name, &arm.run.results}; }

void compare_with_full(std::span<const FinishedArm> arms, const FinishedArm& full,
                       ArmStudy& study) {
  ComparisonOptions options;
  options.shared_only = true;  // an arm may still be running
  // Samples chosen because an arm failed them say nothing of a difference on all.
  std::array<std::vector<double>, 2> p_values;
  std::array<std::vector<size_t>, 2> places;
  for (size_t i = 0; i < arms.size(); ++i) {
    if (&arms[i] == &full) continue;
    const auto comparison = compare_runs(compared(full.run), compared(arms[i].run), options);
    if (!comparison) continue;
    if (arms[i].arm.options.kind == SelectorKind::kFull) {
      study.noise = comparison->all.counts;
      continue;
    }
    study.arms[i].against = comparison->all;
    const size_t family = arms[i].arm.only_failed.empty() ? 0 : 1;
    p_values[family].push_back(comparison->all.p);
    places[family].push_back(i);
  }
  for (size_t family = 0; family < places.size(); ++family) {
    const std::vector<double> corrected = holm(p_values[family]);
    for (size_t i = 0; i < corrected.size(); ++i)
      study.arms[places[family][i]].p_holm = corrected[i];
  }
}

// `of_full`: null where full attention did not run.
void count_right(const Results& results, const AnsweredScores* of_full, ArmSummary& summary) {
  summary.asked = static_cast<int64_t>(results.rows.size());
  for (size_t row = 0; row < results.rows.size(); ++row) {
    const ScoredAttempt* score = results.score_of(row);
    const bool right = score != nullptr && score->official.value_or(0) >= 1;
    const AnsweredScore* other = of_full ? of_full->find(results.samples[row]) : nullptr;
    const bool full_right = other != nullptr && other->right();
    summary.right += right ? 1 : 0;
    summary.full_right += full_right ? 1 : 0;
    summary.both_right += right && full_right ? 1 : 0;
  }
}

CostPoint point_of(const ArmSummary& arm) { return {arm.read_share, arm.score}; }

void mark_dominated(std::vector<ArmSummary>& arms) {
  std::vector<CostPoint> rivals;
  for (const ArmSummary& arm : arms)
    if (is_real(arm.arm) && knows_cost(arm)) rivals.push_back(point_of(arm));
  for (ArmSummary& arm : arms) {
    if (!knows_cost(arm) || !arm.arm.only_failed.empty()) continue;
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
  if (!arm.only_failed.empty()) return false;
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

std::string intervention_words(const ArmSummary& arm) {
  if (arm.arm.only_failed.empty()) return "";
  const Estimate share = wilson(static_cast<double>(arm.right), arm.asked);
  std::string words =
      fmt::format("{}: of {} samples that {} failed {} right ({:.1f} %, {:.1f} to {:.1f})",
                  arm.arm.name, arm.asked, arm.arm.only_failed, arm.right, share.value * 100,
                  share.low * 100, share.high * 100);
  if (!arm.against) return words + ".";
  return words + fmt::format("; of the {} among them that full attention answers, {}.",
                             arm.full_right, arm.both_right);
}

ArmStudy arm_study(std::span<const FinishedArm> arms) {
  ArmStudy study;
  const FinishedArm* full = first_of(arms, SelectorKind::kFull);
  if (!arms.empty()) study.model = arms.front().run.description.model;
  std::optional<AnsweredScores> of_full;
  if (full != nullptr) of_full.emplace(full->run.results);
  for (const FinishedArm& each : arms) {
    ArmSummary& summary = study.arms.emplace_back();
    summary.arm = each.arm;
    summary.score = each.run.results.total.usability;
    if (each.run.results.total.attempted < each.run.results.total.samples) ++study.unfinished;
    count_right(each.run.results, of_full ? &*of_full : nullptr, summary);
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
