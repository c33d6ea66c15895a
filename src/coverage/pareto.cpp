#include "coverage/pareto.h"

namespace fathom {

bool dominates(const CostPoint& rival, const CostPoint& point) {
  const bool no_worse = rival.cost <= point.cost && rival.quality.value >= point.quality.value;
  return no_worse && (rival.cost < point.cost || rival.quality.value > point.quality.value);
}

Domination domination(const CostPoint& point, std::span<const CostPoint> rivals) {
  Domination out;
  for (size_t i = 0; i < rivals.size(); ++i) {
    const CostPoint& rival = rivals[i];
    if (!dominates(rival, point)) continue;
    out.certain = out.certain || rival.quality.low > point.quality.high;
    const bool better =
        !out.by || rival.quality.value > rivals[*out.by].quality.value ||
        (rival.quality.value == rivals[*out.by].quality.value && rival.cost < rivals[*out.by].cost);
    if (better) out.by = i;
  }
  return out;
}

}  // namespace fathom
