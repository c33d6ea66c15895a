// Which ways to attend are worth having: points of cost and quality, dominated ones marked (spec
// A5).
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "stats/estimate.h"

namespace fathom {

struct CostPoint {
  double cost = 0;   // any unit; less is better
  Estimate quality;  // more is better
};

// A rival is at least as good at no more cost, and better in one.
[[nodiscard]] bool dominates(const CostPoint& rival, const CostPoint& point);

struct Domination {
  // The rival of the highest quality among those that dominate the point, of equal ones the
  // cheapest, then the first; none: the point is on the frontier.
  std::optional<size_t> by = std::nullopt;
  // One costs no more and is better beyond both intervals: its lower limit is above the point's
  // upper one.
  bool certain = false;
  bool operator==(const Domination&) const = default;
};
// The point may be among its rivals.
[[nodiscard]] Domination domination(const CostPoint& point, std::span<const CostPoint> rivals);

}  // namespace fathom
