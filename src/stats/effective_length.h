// Up to which length a score holds a threshold, by the points of a length grid (spec S2; ruler.md
// §4). Other ways to answer (isotonic crossing, relative and robust thresholds) are further
// functions that return the same value.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "stats/estimate.h"

namespace fathom {

struct LengthPoint {
  int64_t length = 0;  // tokens
  Estimate score;      // 0..1
  bool operator==(const LengthPoint&) const = default;
};

inline constexpr double kRulerThreshold = 0.856;  // Llama-2-7B-chat at 4K, RULER's yardstick

enum class EffectiveLengthKind {
  kAt,             // holds at `length` and no longer, and the intervals agree
  kAboveLongest,   // holds at every length tried
  kBelowShortest,  // fails already at the shortest
  kUnresolved,     // the intervals leave it open: somewhere from `low` to `high`
  kNotMeasured,    // no length has an estimate
};
[[nodiscard]] std::string_view to_text(EffectiveLengthKind kind);  // "at", "above longest", …

struct EffectiveLength {
  EffectiveLengthKind kind = EffectiveLengthKind::kNotMeasured;
  double threshold = kRulerThreshold;
  int64_t length =
      0;  // last grid point whose value passes (value >= threshold): RULER's reading; 0: none
  int64_t low = 0;  // every length up to here clearly passes (interval above the threshold); 0: not
                    // even the shortest
  int64_t high = 0;  // last length before the first that clearly fails; the longest where none does
  int64_t first_failing = 0;  // shortest length whose value is below the threshold; 0: none. Less
                              // than `length`: the curve dips
  int64_t shortest = 0;
  int64_t longest = 0;
  bool operator==(const EffectiveLength&) const = default;

  [[nodiscard]] bool dips() const { return first_failing != 0 && first_failing < length; }
};

// Requires: points sorted by length, lengths distinct. Points without an estimate are left out.
[[nodiscard]] EffectiveLength effective_length(std::span<const LengthPoint> points,
                                               double threshold = kRulerThreshold);

// "4K", "> 8K", "< 1K", "unresolved: 2K by the averages, below 1K to 4K by the intervals".
[[nodiscard]] std::string to_words(const EffectiveLength& effective);

// "4K" for 4096, "1M" for 1048576, "1,000" for 1000.
[[nodiscard]] std::string length_name(int64_t tokens);

}  // namespace fathom
