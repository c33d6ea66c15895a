// For each selector with several budgets: which one suffices, chosen on half of the samples and
// judged on the other half (spec A6).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "coverage/budget_choice.h"
#include "results/arm_folder.h"

namespace fathom {

inline constexpr double kBudgetMargin = 0.05;  // of the score, that a budget may cost

struct BudgetStudy {
  std::string selector;          // its arms' name without the budget: "quest", "random-s2"
  std::vector<int64_t> budgets;  // ascending
  int64_t left_out = 0;          // samples that full attention or a budget has not answered yet
  BudgetChoice choice;
};

// Of selectors of their own (is_real()) with two budgets or more that differ in nothing else, in
// the order of their first arms. A unit is a haystack; a sample without one stands for itself.
// Empty without full attention.
[[nodiscard]] std::vector<BudgetStudy> budget_studies(std::span<const FinishedArm> arms,
                                                      double margin = kBudgetMargin);

}  // namespace fathom
