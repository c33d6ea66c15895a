#include "base/half.h"

#include <gtest/gtest.h>

#include <cmath>

namespace fathom {
namespace {

TEST(Half, EveryHalfComesBack) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const auto half = static_cast<uint16_t>(bits);
    const float value = float_of_half(half);
    if (std::isnan(value)) {
      EXPECT_TRUE(std::isnan(float_of_half(half_of(value))));
    } else {
      EXPECT_EQ(half_of(value), half) << bits;
    }
  }
}

// Between two neighbours the nearer one, in the middle the even one.
TEST(Half, RoundsToTheNearest) {
  for (uint32_t bits = 0; bits < 0x7BFF; ++bits) {
    const float low = float_of_half(static_cast<uint16_t>(bits));
    const float high = float_of_half(static_cast<uint16_t>(bits + 1));
    const float middle = low + (high - low) / 2;
    EXPECT_EQ(half_of(middle), bits % 2 == 0 ? bits : bits + 1) << bits;
    EXPECT_EQ(half_of(std::nextafter(middle, 0.0F)), bits) << bits;
    EXPECT_EQ(half_of(std::nextafter(middle, INFINITY)), bits + 1) << bits;
    EXPECT_EQ(half_of(-std::nextafter(middle, INFINITY)), (bits + 1) | 0x8000U) << bits;
  }
}

TEST(Half, KnownValues) {
  EXPECT_EQ(half_of(1.0F), 0x3C00);
  EXPECT_EQ(half_of(-2.0F), 0xC000);
  EXPECT_EQ(half_of(65504.0F), 0x7BFF);
  EXPECT_EQ(half_of(65520.0F), 0x7C00);
  EXPECT_EQ(float_of_half(0x0001), 0x1p-24F);
  EXPECT_EQ(float_of_half(0x3555), 0.333251953125F);
  EXPECT_TRUE(std::isinf(float_of_half(0xFC00)));
}

}  // namespace
}  // namespace fathom
