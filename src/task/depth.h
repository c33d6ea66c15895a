// Where evidence stands in its context (G5): the parameters that tasks share, and the draw.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/random.h"
#include "task/parameters.h"

namespace fathom {

enum class PlaceKind {
  kFraction,   // of the context: 0 = before all filler, 1 = after it
  kFromStart,  // tokens from the start of the context, as near as a joint between units allows
  kFromEnd,    // tokens from its end
};

struct Place {
  PlaceKind kind = PlaceKind::kFraction;
  double value = 0;
  [[nodiscard]] bool comes_before(const Place& other) const {
    return kind == PlaceKind::kFromEnd ? value > other.value : value < other.value;
  }
  bool operator==(const Place&) const = default;
};

// depth, depth_value, depth_points, spread.
[[nodiscard]] std::vector<ParameterSpec> depth_parameters();

// Places for `count` pieces of evidence. The first stands at the depth that the policy says
// (uniform: drawn; grid: point `index` modulo the number of points); the others are drawn from a
// window of width `spread` around it. Requires: parameters that have depth_parameters().
[[nodiscard]] std::vector<Place> draw_places(const Parameters& parameters, size_t count,
                                             RandomKey key, int64_t index);

// Behind everything else.
[[nodiscard]] constexpr Place end_of_context() { return {PlaceKind::kFraction, 1.0}; }

// Sorts from the start of the context to its end.
void sort_places(std::vector<Place>& places);

// The joint between units where a place is: 0 before the first, ends.size() after the last. `ends`:
// bytes of the filler up to and with each unit.
[[nodiscard]] size_t joint_of(const Place& place, const std::vector<size_t>& ends,
                              double bytes_per_token);

}  // namespace fathom
