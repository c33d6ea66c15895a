#include "task/depth.h"

#include <algorithm>
#include <cmath>

namespace fathom {
namespace {

// Points of a logistic curve from 0 to 1, denser at both ends (Kamradt's second grid).
double sigmoid_point(double share) {
  constexpr double kSteepness = 10;
  const auto curve = [](double x) { return 1 / (1 + std::exp(-kSteepness * (x - 0.5))); };
  return (curve(share) - curve(0)) / (curve(1) - curve(0));
}

double grid_share(int64_t index, int64_t points) {
  if (points == 1) return 0.5;
  return static_cast<double>(index % points) / static_cast<double>(points - 1);
}

}  // namespace

std::vector<ParameterSpec> depth_parameters() {
  return {
      {"depth",
       "where the first piece of evidence stands: uniform (drawn), grid or sigmoid (point INDEX of "
       "depth_points), fixed (share depth_value of the context), from_start or from_end "
       "(depth_value "
       "tokens)",
       std::string("uniform"),
       0,
       0,
       {"uniform", "grid", "sigmoid", "fixed", "from_start", "from_end"}},
      {"depth_value",
       "share of the context (fixed) or tokens (from_start, from_end)",
       0.5,
       0,
       1e9,
       {}},
      {"depth_points", "points of the grid", int64_t{11}, 1, 1000, {}},
      {"spread",
       "share of the context over which several pieces of evidence are spread",
       1.0,
       0,
       1,
       {}},
  };
}

std::vector<Place> draw_places(const Parameters& parameters, size_t count, RandomKey key,
                               int64_t index) {
  const std::string& policy = parameters.text("depth");
  const double value = parameters.number("depth_value");
  if (policy == "from_start" || policy == "from_end") {
    const PlaceKind kind = policy == "from_start" ? PlaceKind::kFromStart : PlaceKind::kFromEnd;
    return std::vector<Place>(count, Place{kind, value});
  }
  Random random(key, "depth");
  double first = random.uniform();
  const double share = grid_share(index, parameters.integer("depth_points"));
  if (policy == "fixed") first = std::min(value, 1.0);
  if (policy == "grid") first = share;
  if (policy == "sigmoid") first = sigmoid_point(share);

  const double spread = parameters.number("spread");
  const double low = first * (1 - spread);
  std::vector<Place> places;
  for (size_t i = 0; i < count; ++i) {
    const double drawn = low + random.uniform() * spread;
    places.push_back({PlaceKind::kFraction, i == 0 ? first : drawn});
  }
  return places;
}

void sort_places(std::vector<Place>& places) {
  std::stable_sort(places.begin(), places.end(),
                   [](const Place& a, const Place& b) { return a.comes_before(b); });
}

size_t joint_of(const Place& place, const std::vector<size_t>& ends, double bytes_per_token) {
  const size_t last = ends.size();
  if (place.kind == PlaceKind::kFraction) {
    const double at = std::max(0.0, place.value) * static_cast<double>(last + 1);
    return std::min(last, static_cast<size_t>(at));
  }
  const double bytes = ends.empty() ? 0 : static_cast<double>(ends.back());
  const double distance = place.value * bytes_per_token;
  const double wanted = place.kind == PlaceKind::kFromEnd ? bytes - distance : distance;
  if (wanted <= 0) return 0;
  const auto found = std::lower_bound(ends.begin(), ends.end(), wanted, [](size_t end, double at) {
    return static_cast<double>(end) < at;
  });
  return std::min(last, static_cast<size_t>(found - ends.begin()) + 1);
}

}  // namespace fathom
