// A budget chosen on one half of the samples and judged on the other, so that the choice does not
// flatter the result (spec A6, S4).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "stats/estimate.h"
#include "stats/paired.h"

namespace fathom {

// Scores of one selector at one budget, aligned with the units and with full attention's.
struct BudgetScores {
  int64_t budget = 0;
  std::span<const double> scores;
};

struct BudgetChoice {
  // The smallest budget whose mean on the development half is at most `margin` below full
  // attention's; none where all lose more, or a half is empty.
  std::optional<int64_t> budget = std::nullopt;
  int64_t development = 0;  // samples of each half
  int64_t held_out = 0;
  double development_difference = 0;  // the chosen budget less full attention, on the first half
  // All below on the held-out half; only where a budget was chosen.
  Estimate difference = {};
  PairedCounts counts = {};  // a: full; right from score 1
  double p = 1;              // exact McNemar test
  double bound = 0;          // lower limit of the difference, one-sided
  bool holds = false;        // bound >= -margin
};

// Whether all samples of the unit (a haystack, a document) are held out: about half of all units,
// by a hash of the name, whatever else is run.
[[nodiscard]] bool is_held_out(std::string_view unit, uint64_t seed);

// `units[i]`: what sample i shares its content through; a unit is in one half whole. Requires: all
// lists as long as `full`; `margin` 0 or more.
[[nodiscard]] BudgetChoice choose_budget(std::span<const std::string> units,
                                         std::span<const double> full,
                                         std::vector<BudgetScores> budgets, double margin,
                                         uint64_t seed = 0);

}  // namespace fathom
