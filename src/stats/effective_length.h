// Up to which length a score holds a threshold (spec S2; ruler.md §4): by the last passing point of
// the length grid (RULER's reading) and by the crossing of the falling fit between the points.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "base/random.h"
#include "stats/estimate.h"
#include "stats/score_grid.h"

namespace fathom {

struct LengthPoint {
  int64_t length = 0;  // tokens
  Estimate score;      // 0..1
  bool operator==(const LengthPoint&) const = default;
};

inline constexpr double kRulerThreshold = 0.856;  // Llama-2-7B-chat at 4K, RULER's yardstick
inline constexpr double kBaseRatio = 0.85;  // NoLiMa's share of the score without the haystack

enum class EffectiveLengthKind {
  kAt,             // holds at `length` and no longer, and the intervals agree
  kAboveLongest,   // holds at every length tried
  kBelowShortest,  // fails already at the shortest
  kUnresolved,     // the intervals leave it open: somewhere from `low` to `high`
  kNotMeasured,    // no length has an estimate
};
[[nodiscard]] std::string_view to_text(EffectiveLengthKind kind);  // "at", "above longest", …

enum class EffectiveLengthRule {
  kAbsolute,  // score >= threshold
  kRelative,  // score >= ratio * the score of the shortest length, or of a control
  kRobust,    // every category >= its own threshold
  kRisk,      // mean loss <= limit
};
[[nodiscard]] std::string_view to_text(EffectiveLengthRule rule);  // "absolute", "relative", …

// Where a falling curve meets its threshold, between the points of the grid: in tokens, on a log2
// scale. 0: below the threshold at the shortest length; kNoEnd: not below it at the longest.
struct Crossing {
  static constexpr double kNoEnd = std::numeric_limits<double>::infinity();
  double length = 0;
  double low = 0;
  double high = 0;
  bool known = false;
  bool operator==(const Crossing&) const = default;
};

struct EffectiveLength {
  EffectiveLengthKind kind = EffectiveLengthKind::kNotMeasured;
  double threshold = kRulerThreshold;  // kRelative: ratio * base; kRisk: the limit; kRobust: that
                                       // of `limited_by`
  int64_t length =
      0;  // last grid point whose value passes (value >= threshold): RULER's reading; 0: none
  int64_t low = 0;  // every length up to here clearly passes (interval above the threshold); 0: not
                    // even the shortest
  int64_t high = 0;  // last length that may pass (interval reaching the threshold); 0: none
  int64_t first_failing = 0;  // shortest length whose value is below the threshold; 0: none. Less
                              // than `length`: the curve dips
  int64_t shortest = 0;
  int64_t longest = 0;
  EffectiveLengthRule rule = EffectiveLengthRule::kAbsolute;
  double ratio = 0;             // kRelative
  std::string limited_by = {};  // kRobust: the category that fails first
  Crossing crossing = {};       // of the falling fit; unknown where only points were given
  bool rises = false;  // between two neighbouring lengths the score clearly rises (paired interval
                       // above 0): the curve is not monotone, and the fit smooths over it
  bool operator==(const EffectiveLength&) const = default;

  [[nodiscard]] bool dips() const { return first_failing != 0 && first_failing < length; }
};

// By points alone: no crossing. Requires: points sorted by length, lengths distinct. Points without
// an estimate are left out.
[[nodiscard]] EffectiveLength effective_length(std::span<const LengthPoint> points,
                                               double threshold = kRulerThreshold);

// The functions below take the mean over tasks at each length (each task weighs the same, tasks
// without samples at a length left out), fit it with a falling curve (isotonic.h) and give
// intervals for both readings. Their intervals invert a test: a length belongs to the interval when
// the interval of the score there, interpolated between grid points unit by unit, contains the
// threshold; so they hold their level where a percentile bootstrap does not (docs/statistics.md).
// O(scores). Requires: scores in [0, 1].
[[nodiscard]] EffectiveLength effective_length(const ScoreGrid& grid,
                                               double threshold = kRulerThreshold,
                                               double confidence = kConfidence);

// score >= ratio * base, where base is the score of the shortest length, or `control` where known
// (a run without the haystack, independent of the grid). The error of the base counts.
[[nodiscard]] EffectiveLength relative_effective_length(const ScoreGrid& grid,
                                                        double ratio = kBaseRatio,
                                                        const Estimate& control = {},
                                                        double confidence = kConfidence);

struct CategoryThreshold {
  std::string name;
  std::vector<size_t> tasks;  // of the grid
  double threshold = kRulerThreshold;
};
// The shortest of the categories' effective lengths.
[[nodiscard]] EffectiveLength robust_effective_length(const ScoreGrid& grid,
                                                      std::span<const CategoryThreshold> categories,
                                                      double confidence = kConfidence);

// Mean loss <= limit, where the grid holds losses in [0, worst] instead of scores: for each sample
// the weight of what went wrong, 0 where nothing did. Requires: worst > 0.
[[nodiscard]] EffectiveLength risk_effective_length(const ScoreGrid& losses, double limit,
                                                    double worst, double confidence = kConfidence);

// What resampling whole units gives (clusters where the grid has them), within each task: shares[0]
// is the share of resamples in which no length passes, shares[i + 1] that in which lengths[i] is
// the last that does; `crossing` has percentile limits. Deterministic in `key`.
struct ResampledEffectiveLength {
  std::vector<double> shares;
  Crossing crossing;
};
[[nodiscard]] ResampledEffectiveLength resample_effective_length(const ScoreGrid& grid,
                                                                 double threshold,
                                                                 int64_t resamples, RandomKey key,
                                                                 double confidence = kConfidence);

// "4K", "> 8K", "< 1K", "unresolved: 2K by the averages, below 1K to 4K by the intervals".
[[nodiscard]] std::string to_words(const EffectiveLength& effective);

// "about 5,900 (4,400 to 7,800)", "> 8K (7,100 to > 8K)", "< 1K", "not measured".
[[nodiscard]] std::string to_words(const Crossing& crossing, int64_t shortest, int64_t longest);

// "4K" for 4096, "1M" for 1048576, "1,000" for 1000.
[[nodiscard]] std::string length_name(int64_t tokens);

}  // namespace fathom
