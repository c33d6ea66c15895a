#include "results/budget_study.h"

#include <algorithm>

#include "results/answered_scores.h"
#include "results/arm_study.h"

namespace fathom {
namespace {

bool same_but_budget(SelectorOptions a, const SelectorOptions& b) {
  a.budget = b.budget;
  return a == b;
}

std::string name_without_budget(const AttentionArm& arm) {
  const std::string part = fmt::format("-{}", arm.options.budget);
  std::string name = arm.name;
  const size_t at = name.find(part);
  if (at != std::string::npos) name.erase(at, part.size());
  return name;
}

BudgetStudy study_of(const FinishedArm& full, const std::vector<const FinishedArm*>& arms,
                     double margin) {
  BudgetStudy study{.selector = name_without_budget(arms.front()->arm)};
  std::vector<AnsweredScores> answered;
  for (const FinishedArm* arm : arms) answered.emplace_back(arm->run.results);
  std::vector<std::string> units;
  std::vector<double> of_full;
  std::vector<std::vector<double>> of_arms(arms.size());
  const Results& rows = full.run.results;
  for (size_t row = 0; row < rows.rows.size(); ++row) {
    const SampleFacts& facts = rows.samples[row];
    const ScoredAttempt* score = rows.score_of(row);
    const bool shared =
        score != nullptr && std::ranges::all_of(answered, [&](const AnsweredScores& scores) {
          return scores.find(facts) != nullptr;
        });
    if (!shared) {
      ++study.left_out;
      continue;
    }
    units.push_back(facts.haystack.empty() ? facts.id : facts.haystack);
    of_full.push_back(score->official.value_or(0));
    for (size_t i = 0; i < arms.size(); ++i) of_arms[i].push_back(answered[i].find(facts)->score);
  }
  std::vector<BudgetScores> budgets;
  for (size_t i = 0; i < arms.size(); ++i) {
    study.budgets.push_back(arms[i]->arm.options.budget);
    budgets.push_back({arms[i]->arm.options.budget, of_arms[i]});
  }
  std::ranges::sort(study.budgets);
  study.choice = choose_budget(units, of_full, std::move(budgets), margin);
  return study;
}

}  // namespace

std::vector<BudgetStudy> budget_studies(std::span<const FinishedArm> arms, double margin) {
  std::vector<BudgetStudy> studies;
  const FinishedArm* full = first_of(arms, SelectorKind::kFull);
  if (full == nullptr) return studies;
  for (size_t i = 0; i < arms.size(); ++i) {
    if (!is_real(arms[i].arm) || !arms[i].arm.server.empty()) continue;
    const auto alike = [&](const FinishedArm& other) {
      return is_real(other.arm) && same_but_budget(arms[i].arm.options, other.arm.options);
    };
    if (std::ranges::any_of(arms.first(i), alike)) continue;  // told with its first budget
    std::vector<const FinishedArm*> budgets;
    for (const FinishedArm& other : arms)
      if (alike(other)) budgets.push_back(&other);
    if (budgets.size() > 1) studies.push_back(study_of(*full, budgets, margin));
  }
  return studies;
}

}  // namespace fathom
