// What a study of arms says, in words: what full attention answers, what reading little costs by
// itself, what each selector loses and to what, and what is left open (spec A6, V2).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "results/arm_study.h"

namespace fathom {

// How an arm stands to full attention, by the corrected p and the interval of the difference.
enum class ArmStanding {
  kUnknown,     // not compared
  kLoses,       // p after Holm below 0.05, and the difference below 0
  kGains,       // the same above 0
  kKeepsUp,     // a loss of kBudgetMargin or more lies outside the interval
  kUnresolved,  // neither
};
[[nodiscard]] ArmStanding standing_of(const ArmSummary& arm);
[[nodiscard]] std::string_view to_text(ArmStanding standing);  // "loses", "keeps up" …

// A selector that could run as it is: is_real(), and no oracle of attention mass, which reads every
// key.
[[nodiscard]] bool chooses_by_itself(const AttentionArm& arm);

struct ArmVerdict {
  // "SmolLM2-135M, 360 samples: full attention answers 70.0 %. quest-256 keeps up …"
  std::string headline;
  // One a thought, in the order they are to be read: the evidence alone, the selectors, the
  // knock-out, budgets, chance, what is missing.
  std::vector<std::string> sentences;
  bool operator==(const ArmVerdict&) const = default;
};

// Nothing is claimed that an interval leaves open.
[[nodiscard]] ArmVerdict arm_verdict(const ArmStudy& study);

}  // namespace fathom
