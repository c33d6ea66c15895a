#include "stats/corrections.h"

#include <algorithm>
#include <numeric>

namespace fathom {
namespace {

std::vector<size_t> ascending_order(std::span<const double> values) {
  std::vector<size_t> order(values.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return values[a] < values[b]; });
  return order;
}

}  // namespace

std::vector<double> holm(std::span<const double> p_values) {
  const std::vector<size_t> order = ascending_order(p_values);
  std::vector<double> adjusted(p_values.size());
  double most = 0;
  for (size_t rank = 0; rank < order.size(); ++rank) {
    most = std::max(most, p_values[order[rank]] * static_cast<double>(order.size() - rank));
    adjusted[order[rank]] = std::min(1.0, most);
  }
  return adjusted;
}

std::vector<double> benjamini_hochberg(std::span<const double> p_values) {
  const std::vector<size_t> order = ascending_order(p_values);
  const auto count = static_cast<double>(order.size());
  std::vector<double> adjusted(p_values.size());
  double least = 1;
  for (size_t rank = order.size(); rank-- > 0;) {
    const double p = p_values[order[rank]];
    least = std::min(least, std::max(p, p * count / static_cast<double>(rank + 1)));
    adjusted[order[rank]] = least;
  }
  return adjusted;
}

}  // namespace fathom
