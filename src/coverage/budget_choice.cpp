#include "coverage/budget_choice.h"

#include <algorithm>
#include <unordered_map>

#include "base/random.h"

namespace fathom {
namespace {

struct Half {
  std::vector<size_t> rows;
  std::vector<int64_t> clusters;  // of each row

  [[nodiscard]] std::vector<double> of(std::span<const double> scores) const {
    std::vector<double> own;
    own.reserve(rows.size());
    for (const size_t row : rows) own.push_back(scores[row]);
    return own;
  }
};

double mean_difference(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += b[i] - a[i];
  return sum / static_cast<double>(a.size());
}

}  // namespace

bool is_held_out(std::string_view unit, uint64_t seed) {
  return Random(RandomKey(seed).with(unit), "held-out half").below(2) == 1;
}

BudgetChoice choose_budget(std::span<const std::string> units, std::span<const double> full,
                           std::vector<BudgetScores> budgets, double margin, uint64_t seed) {
  Half halves[2];  // development, held out
  std::unordered_map<std::string_view, int64_t> numbers;
  for (size_t row = 0; row < units.size(); ++row) {
    Half& half = halves[is_held_out(units[row], seed) ? 1 : 0];
    half.rows.push_back(row);
    half.clusters.push_back(
        numbers.try_emplace(units[row], static_cast<int64_t>(numbers.size())).first->second);
  }
  const auto& [development, held_out] = halves;
  BudgetChoice choice{.development = static_cast<int64_t>(development.rows.size()),
                      .held_out = static_cast<int64_t>(held_out.rows.size())};
  if (choice.development == 0 || choice.held_out == 0) return choice;
  std::ranges::sort(budgets, {}, &BudgetScores::budget);
  const std::vector<double> full_development = development.of(full);
  for (const BudgetScores& each : budgets) {
    const double difference = mean_difference(full_development, development.of(each.scores));
    if (difference < -margin) continue;
    const std::vector<double> a = held_out.of(full);
    const std::vector<double> b = held_out.of(each.scores);
    choice.budget = each.budget;
    choice.development_difference = difference;
    choice.difference = paired_difference(a, b, held_out.clusters);
    choice.counts = paired_counts(a, b);
    choice.p = mcnemar_exact(choice.counts);
    choice.bound = non_inferiority_bound(a, b, held_out.clusters);
    choice.holds = choice.bound >= -margin;
    break;
  }
  return choice;
}

}  // namespace fathom
