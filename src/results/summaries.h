// A curve in few numbers: effective lengths by four rules, the slope per doubling, the area under
// it, and, where a suite sweeps a parameter, the region of length × complexity that a model
// masters.
//
// Every interval takes the samples of one index at all lengths together (they are the same question
// in more text) and samples of one haystack as one cluster; tasks are strata. Block-edge lengths
// and variants are left out, and so is, while a run goes on, a length at which a task of the curve
// has not begun.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "results/results_options.h"
#include "stats/effective_length.h"
#include "stats/estimate.h"
#include "stats/region.h"
#include "stats/weighted_mean.h"

namespace fathom {

struct Results;

// Of one curve: "all tasks", a category, or a task.
struct CurveSummary {
  std::string name;             // of the curve; a task's cell name
  std::optional<size_t> curve;  // into Results::curves
  std::optional<size_t> task;   // into Results::tasks
  EffectiveLength absolute;     // usability >= threshold
  EffectiveLength relative;  // usability >= rho · usability at the shortest length or the control
  EffectiveLength strict;    // strict score >= threshold
  EffectiveLength risk;      // mean cost a sample <= risk_limit
  std::vector<Estimate> cost;  // mean cost a sample (RiskWeights), by Results::lengths
  Estimate slope;  // change of usability per doubling of the length (least squares over the
                   // lengths), -1..1; unknown below two lengths
  Estimate area;   // area under usability over log2 length from the shortest to the longest length,
                   // 0..1: 1 = right everywhere; unknown below two lengths
  bool operator==(const CurveSummary&) const = default;
};

// One category in the robust effective length.
struct RobustPart {
  std::string category;
  EffectiveLength effective;  // absolute, against the category's own threshold
  double breaks_first = 0;    // probability, by resampling, that this category's length is the
                              // shortest of all (ties shared); 0 where none breaks
  bool operator==(const RobustPart&) const = default;
};

// Up to where every category holds its own threshold; `effective.limited_by` names the one that
// breaks first by the averages.
struct RobustLength {
  EffectiveLength effective;
  std::vector<RobustPart> parts;
  double none_breaks = 0;  // probability that no category breaks within the lengths tried
  bool operator==(const RobustLength&) const = default;
};

// Cells of one task that differ in one parameter only, against length.
struct ComplexityRegion {
  std::string task;                        // registered name
  std::string parameter;                   // "keys", "hops" …
  std::string fixed;                       // the other parameters: "values=2"; "": none
  std::vector<double> levels;              // of the parameter, ascending
  std::vector<size_t> tasks;               // into Results::tasks, one per level
  std::vector<size_t> lengths;             // into Results::lengths: those of the main curve
  std::vector<EffectiveLength> effective;  // absolute, one per level
  ScoreSurface surface;                    // usability by level and length
  UsableRegion region;                     // where it holds the threshold
};

struct Summaries {
  std::vector<CurveSummary>
      curves;  // those of Results::curves, then one a task where there are several
  RobustLength robust;
  RulerAverages averages;  // over the lengths of the main curve, of the mean over tasks
  std::vector<ComplexityRegion> regions;
};

// Needs everything of `results` up to its curves. O(n).
[[nodiscard]] Summaries summaries_of(const Results& results);

}  // namespace fathom
