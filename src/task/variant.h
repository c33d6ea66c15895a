// Controls and robustness variants: cells beside a suite's ordinary ones that change one thing and
// keep the rest, index by index (G9, S8). Suite form: docs/formats/suite.md, "Controls and
// variants".
//
//   SampleVariant variant{VariantAxis::kControl, "no-context", "vt[hops=4]"};
//   variant.cell();   // "vt[hops=4,control=no-context]"
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace fathom {

// What is changed; everything else stays as in the ordinary sample of the same index.
enum class VariantAxis {
  kNone,         // an ordinary sample
  kControl,      // how much of the context there is: kNoContext or kNeedlesOnly. It has no length
                 // axis: its samples are as long as their text, their `length` is 0
  kWording,      // the wording pack: its name
  kSeed,         // the suite's seed: a number. All content is another
  kEntities,     // names, keys, values and words: the number of the set. Places and filler stay
  kInstruction,  // where instruction and question stand: "before", "after" or "both" the context
  kPlace,        // where the evidence stands: kBesideQuestion. Filler and distractors stay
  kHop,          // what is asked of a chain: its value at one hop alone, from 0. The context stays
};
[[nodiscard]] std::string_view to_text(VariantAxis axis);  // "", "control", "wording", "seed" …
[[nodiscard]] Result<VariantAxis> variant_axis_from_text(std::string_view text);

// The question without its context: what is scored here was known or guessed.
inline constexpr std::string_view kNoContext = "no-context";
// The evidence and its distractors without filler: the shortest the task can be.
inline constexpr std::string_view kNeedlesOnly = "needles-only";

// The evidence at the end of the context, in its order: what is right there and wrong at its own
// place was lost on the way; what is wrong in both was not understood.
inline constexpr std::string_view kBesideQuestion = "beside-question";

struct SampleVariant {
  VariantAxis axis = VariantAxis::kNone;
  std::string value;
  std::string of;  // the ordinary cell that it is compared with; its samples pair by index

  [[nodiscard]] bool ordinary() const { return axis == VariantAxis::kNone; }
  [[nodiscard]] bool is_control() const { return axis == VariantAxis::kControl; }
  // "no-context" or "needles-only"; empty where it is no control.
  [[nodiscard]] std::string_view control() const {
    return is_control() ? std::string_view(value) : std::string_view();
  }
  // Its own cell: AXIS=VALUE as the last parameter of `of`. Requires: not ordinary.
  [[nodiscard]] std::string cell() const;

  bool operator==(const SampleVariant&) const = default;
};

}  // namespace fathom
