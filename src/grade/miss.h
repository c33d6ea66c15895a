// Why an answer is not wholly right: one kind out of a fixed list, with a plain sentence for
// people (spec J3). What each kind means exactly stands in docs/grading.md.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.h"

namespace fathom {

enum class Miss {
  kEmpty,                // nothing was answered
  kNotFound,             // the answer holds nothing that could be told apart further
  kWrongBinding,         // the value of another key, or the right values given to the wrong keys
  kOtherValue,           // a value of the right shape; whether the text holds it was not kept
  kInvented,             // a value of the right shape that stands nowhere in the text
  kSlip,                 // the right value with a few characters wrong
  kFormatOnly,           // right, but written otherwise: 1,234,567 for 1234567
  kPartOfWord,           // the reference stands only inside a longer word or number
  kDenial,               // says that the text does not hold it
  kPlantedSuspicion,     // remarks that the evidence does not belong to the text, or is a test
  kHedge,                // does not commit itself: "maybe", "either A or B"
  kIncomplete,           // some of the references
  kDuplicate,            // the same item again and again in place of others
  kCopiedDemonstration,  // the answer of the solved example
  kRepeatedPrompt,       // repeats the prompt instead of answering
  kParametric,           // an answer that the documents do not hold: from what the model "knows"
  kNeighbour,            // text next to the evidence: the right place, the wrong words
  kHaystackName,         // a name or word that stands elsewhere in the text
  kBrokenHop,            // a chain followed up to a hop, not further
  kFirstOnly,            // only the first variable of a chain
  kMissingList,          // a word that is not in all lists
  kLocalFrequency,       // a word of one part of the text that is not among the most common overall
  kExtra,                // everything asked for, and more
};
inline constexpr size_t kMissCount = 23;

// All kinds in the order of the enumeration: all_misses()[static_cast<size_t>(miss)] == miss.
[[nodiscard]] constexpr std::array<Miss, kMissCount> all_misses() {
  std::array<Miss, kMissCount> all{};
  for (size_t i = 0; i < kMissCount; ++i) all[i] = static_cast<Miss>(i);
  return all;
}

[[nodiscard]] std::string_view to_text(Miss miss);     // "wrong-binding": in files
[[nodiscard]] std::string_view miss_label(Miss miss);  // "wrong binding": in tables and legends
[[nodiscard]] std::string_view sentence(Miss miss);    // "It gave the value of another key."
[[nodiscard]] Result<Miss> miss_from_text(std::string_view text);

struct MissNote {
  Miss kind = Miss::kNotFound;
  std::string detail = {};  // of this answer: "7654321 belongs to calm-river"; may be empty. Holds
                            // model output: escape it like any other
  bool operator==(const MissNote&) const = default;
};

}  // namespace fathom
