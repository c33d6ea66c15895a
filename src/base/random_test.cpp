#include "base/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace fathom {
namespace {

// G3: values of an independent implementation of Philox 4x32-10 (key 42, counter words 2 and 3 =
// XXH3 of ""), so that samples stay the same for ever.
TEST(RandomTest, IsPhilox4x32) {
  Random random(RandomKey(42), "");
  for (const uint64_t expected :
       {0x3bca8a9a57bb0a65U, 0x51755c6665130846U, 0x4bcdc3cfdafb3ff3U, 0x27aa9b104f9b2f53U})
    EXPECT_EQ(random.next(), expected);
}

TEST(RandomTest, PurposesAndKeysGiveDifferentStreams) {
  const RandomKey key = RandomKey(42).with("niah_single_1").with(uint64_t{7});
  Random a(key, "keys");
  Random b(key, "values");
  Random c(RandomKey(43).with("niah_single_1").with(uint64_t{7}), "keys");
  std::set<uint64_t> seen;
  for (int i = 0; i < 100; ++i) seen.insert({a.next(), b.next(), c.next()});
  EXPECT_EQ(seen.size(), 300U);
}

TEST(RandomTest, KeyBoundariesMatter) {
  EXPECT_NE(RandomKey(1).with("ab").with("c").value(), RandomKey(1).with("a").with("bc").value());
}

TEST(RandomTest, BelowIsUniform) {
  Random random(RandomKey(1), "below");
  std::vector<int> counts(7, 0);
  for (int i = 0; i < 70000; ++i) ++counts[random.below(7)];
  double chi_square = 0;
  for (const int count : counts) chi_square += (count - 10000.0) * (count - 10000.0) / 10000.0;
  EXPECT_LT(chi_square, 22.5);  // 99.9 % point with 6 degrees of freedom
}

TEST(RandomTest, BetweenCoversItsEnds) {
  Random random(RandomKey(2), "between");
  std::set<int64_t> seen;
  for (int i = 0; i < 1000; ++i) seen.insert(random.between(-2, 2));
  EXPECT_EQ(seen, (std::set<int64_t>{-2, -1, 0, 1, 2}));
}

TEST(RandomTest, DistinctIsASampleWithoutRepetition) {
  Random random(RandomKey(3), "distinct");
  for (uint64_t count = 0; count <= 20; ++count) {
    auto picked = random.distinct(count, 20);
    std::sort(picked.begin(), picked.end());
    EXPECT_EQ(std::adjacent_find(picked.begin(), picked.end()), picked.end());
    EXPECT_EQ(picked.size(), count);
    if (!picked.empty()) {
      EXPECT_LT(picked.back(), 20U);
    }
  }
}

}  // namespace
}  // namespace fathom
