// A5: the frontier of cost and quality.
#include "coverage/pareto.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/random.h"

namespace fathom {
namespace {

CostPoint point(double cost, double value, double half = 0.1) {
  return {cost, {.value = value, .low = value - half, .high = value + half, .n = 10}};
}

TEST(Pareto, A5_MarksWhatARivalBeats) {
  const std::vector<CostPoint> points = {point(1, 0.5), point(2, 0.7), point(2, 0.4),
                                         point(3, 0.7), point(4, 0.9), point(4, 0.9)};
  EXPECT_EQ(domination(points[0], points), Domination{});
  EXPECT_EQ(domination(points[1], points), Domination{});
  EXPECT_EQ(domination(points[2], points), (Domination{1, true}));   // 0.6 > 0.5
  EXPECT_EQ(domination(points[3], points), (Domination{1, false}));  // as good for less
  EXPECT_EQ(domination(points[4], points), Domination{});            // equals do not
  EXPECT_EQ(domination(point(4, 0.75), points), (Domination{4, false}));
}

// A point is on the frontier exactly where no other one is in its quadrant.
TEST(Pareto, A5_TheFrontierRisesOnRandomPoints) {
  for (uint64_t number = 0; number < 1'000; ++number) {
    Random random(RandomKey(number), "points");
    std::vector<CostPoint> points;
    for (int i = 0; i < 8; ++i)
      points.push_back(point(double(random.below(5)), double(random.below(5)) / 5));
    for (const CostPoint& each : points) {
      const Domination got = domination(each, points);
      bool beaten = false;
      for (const CostPoint& other : points) {
        const bool worse = other.cost > each.cost || other.quality.value < each.quality.value;
        const bool same = other.cost == each.cost && other.quality.value == each.quality.value;
        beaten = beaten || (!worse && !same);
      }
      ASSERT_EQ(got.by.has_value(), beaten);
      if (!got.by) continue;
      // Its champion is beaten by none of the same quality, and by none at all that is better.
      EXPECT_TRUE(dominates(points[*got.by], each));
      EXPECT_FALSE(domination(points[*got.by], points).certain);
    }
  }
}

}  // namespace
}  // namespace fathom
