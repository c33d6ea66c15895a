#include "results/results_options.h"

namespace fathom {
namespace {

constexpr double kUnnoticed = 1;   // a wrong answer that looks right
constexpr double kPartly = 0.7;    // right as far as it goes, and it does not say that it stops
constexpr double kWarned = 0.3;    // the reader sees that there is no answer
constexpr double kCosmetic = 0.1;  // right, but written otherwise

double weight_of(Miss miss) {
  switch (miss) {
    case Miss::kWrongBinding:
    case Miss::kOtherValue:
    case Miss::kInvented:
    case Miss::kSlip:
    case Miss::kParametric:
    case Miss::kNeighbour:
    case Miss::kHaystackName:
    case Miss::kMissingList:
    case Miss::kLocalFrequency:
    case Miss::kPartOfWord:
    case Miss::kCopiedDemonstration:
    case Miss::kNotFound:
      return kUnnoticed;
    case Miss::kIncomplete:
    case Miss::kDuplicate:
    case Miss::kBrokenHop:
    case Miss::kFirstOnly:
    case Miss::kExtra:
      return kPartly;
    case Miss::kEmpty:
    case Miss::kDenial:
    case Miss::kPlantedSuspicion:
    case Miss::kHedge:
    case Miss::kRepeatedPrompt:
      return kWarned;
    case Miss::kFormatOnly:
      return kCosmetic;
  }
  return kUnnoticed;
}

}  // namespace

RiskWeights default_risk_weights() {
  RiskWeights weights;
  for (const Miss miss : all_misses()) weights.misses[static_cast<size_t>(miss)] = weight_of(miss);
  for (const Outcome outcome : all_outcomes())
    weights.outcomes[static_cast<size_t>(outcome)] = is_complete(outcome) ? 0 : kWarned;
  return weights;
}

}  // namespace fathom
