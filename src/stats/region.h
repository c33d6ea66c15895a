// Where in length × complexity a score holds (spec S3): the two-dimensional effective length.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "stats/estimate.h"

namespace fathom {

struct ScoreSurface {
  std::vector<int64_t> lengths;      // ascending
  std::vector<double> complexities;  // ascending: hops, needles, items … whatever the suite varies
  std::vector<Estimate> cells;       // [complexity * lengths + length]; unknown: not measured
};

struct RegionPoint {
  double length = 0;  // tokens, log2-interpolated
  double complexity = 0;
  bool operator==(const RegionPoint&) const = default;
};

struct UsableRegion {
  double threshold = 0;
  std::vector<double> fitted;  // falling in both directions; unknown cells interpolated
  std::vector<bool> passing;   // by the measured value; unknown cells fail
  std::vector<bool> surely;    // interval above the threshold
  std::vector<bool> possibly;  // interval reaching it
  double area = 0;             // share of the known cells that pass
  std::vector<std::vector<RegionPoint>> contours;  // of the fit at the threshold; empty where it
                                                   // never crosses
};

// Contours by marching squares on the grid of fitted values. Requires: one cell for each pair.
[[nodiscard]] UsableRegion usable_region(const ScoreSurface& surface, double threshold);

}  // namespace fathom
