// A curve in few numbers: effective lengths of four kinds, the slope per doubling, and, where a
// suite sweeps a parameter, the region of length × complexity that a model masters.
//
// All intervals come from one set of resamples: whole samples are drawn with all their lengths (the
// same index holds the same content at every length), within each task, clusters kept together.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "results/results_options.h"
#include "stats/effective_length.h"
#include "stats/estimate.h"

namespace fathom {

struct Results;

// Of one curve: "all tasks", a category, or a task.
struct CurveSummary {
  std::string name;             // of the curve; a task's cell name
  std::optional<size_t> curve;  // into Results::curves
  std::optional<size_t> task;   // into Results::tasks
  EffectiveLength absolute;     // usability >= threshold
  EffectiveLength relative;     // usability >= rho · usability at the shortest length
  EffectiveLength strict;       // strict score >= threshold
  EffectiveLength risk;  // mean cost <= risk_limit: the curve is 1 - mean cost, its threshold
                         // 1 - risk_limit
  std::vector<Estimate> safety;  // 1 - mean cost, one per length of Results::lengths
  Estimate slope;  // change of usability per doubling of the length (least squares over the
                   // lengths), -1..1; unknown below two lengths
  Estimate area;   // area under usability over log2 length from the shortest to the longest
                   // length, 0..1: 1 = right everywhere; unknown below two lengths
  bool operator==(const CurveSummary&) const = default;
};

// One category in the robust effective length.
struct RobustPart {
  std::string category;
  double threshold = kRulerThreshold;
  EffectiveLength effective;
  double breaks_first = 0;  // share of resamples in which this one ends first
  bool operator==(const RobustPart&) const = default;
};

// Up to where every category holds its own threshold.
struct RobustLength {
  EffectiveLength effective;  // `threshold`: of the category that breaks first
  std::string breaks_first;   // by the averages; "": none breaks within the lengths tried
  std::vector<RobustPart> parts;
  bool operator==(const RobustLength&) const = default;
};

// Cells of one task that differ in one parameter only, against length.
struct ComplexityRegion {
  std::string task;            // registered name
  std::string parameter;       // "keys", "hops" …
  std::string fixed;           // other swept parameters, the same in all: "values=2"; "": none
  std::vector<double> levels;  // of the parameter, ascending
  std::vector<size_t> tasks;   // into Results::tasks, one per level
  std::vector<EffectiveLength> effective;  // absolute, one per level
  // Where usability, made non-increasing along both axes, crosses the threshold: for every level
  // the length in tokens (log2-interpolated; 0: below the shortest, longest: above it).
  std::vector<Estimate> contour;
  Estimate usable_area;  // share of the log2-length × level grid (levels at equal steps) at or
                         // above the threshold, interpolated
  bool operator==(const ComplexityRegion&) const = default;
};

struct Summaries {
  std::vector<CurveSummary>
      curves;  // those of Results::curves, then one a task where there are several
  RobustLength robust;
  std::vector<ComplexityRegion> regions;
  bool operator==(const Summaries&) const = default;
};

}  // namespace fathom
