#include "results/budget_study.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "results/arm_study.h"

namespace fathom {
namespace {

// By id: the hash of each answered sample and its score.
struct AnsweredScore {
  std::string_view hash;
  double score = 0;
};
using Scores = std::unordered_map<std::string_view, AnsweredScore>;

Scores scores_of(const Results& results) {
  Scores scores;
  for (size_t row = 0; row < results.rows.size(); ++row)
    if (const ScoredAttempt* score = results.score_of(row))
      scores[results.samples[row].id] = {results.samples[row].hash, score->official.value_or(0)};
  return scores;
}

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
  std::vector<Scores> answered;
  for (const FinishedArm* arm : arms) answered.push_back(scores_of(arm->run.results));
  std::vector<std::string> units;
  std::vector<double> of_full;
  std::vector<std::vector<double>> of_arms(arms.size());
  const Results& rows = full.run.results;
  for (size_t row = 0; row < rows.rows.size(); ++row) {
    const SampleFacts& facts = rows.samples[row];
    const ScoredAttempt* score = rows.score_of(row);
    const bool shared =
        score != nullptr && std::ranges::all_of(answered, [&](const Scores& scores) {
          const auto found = scores.find(facts.id);
          return found != scores.end() && found->second.hash == facts.hash;
        });
    if (!shared) {
      ++study.left_out;
      continue;
    }
    units.push_back(facts.haystack.empty() ? facts.id : facts.haystack);
    of_full.push_back(score->official.value_or(0));
    for (size_t i = 0; i < arms.size(); ++i)
      of_arms[i].push_back(answered[i].find(facts.id)->second.score);
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
  const auto full = std::ranges::find_if(
      arms, [](const FinishedArm& each) { return each.arm.options.kind == SelectorKind::kFull; });
  if (full == arms.end()) return studies;
  for (size_t i = 0; i < arms.size(); ++i) {
    if (!is_real(arms[i].arm)) continue;
    const auto alike = [&](const FinishedArm& other) {
      return same_but_budget(arms[i].arm.options, other.arm.options);
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
