// What is kept of a block's keys against a scan of them (spec A2): real values, blocks of any size,
// keys that arrive in portions.
#include "attention/key_blocks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/random.h"

namespace fathom {
namespace {

struct KeyCase {
  AttentionShape shape;
  int64_t block = 1;
  int64_t positions = 0;
  int64_t stride = 0;
  std::vector<float> keys;

  explicit KeyCase(uint64_t number) {
    Random random(RandomKey(number), "key blocks");
    shape.kv_heads = static_cast<int>(random.between(1, 3));
    shape.query_heads = shape.kv_heads * static_cast<int>(random.between(1, 3));
    shape.head_size = static_cast<int>(random.between(1, 33));
    block = random.between(1, 9);
    positions = random.between(1, 40);
    stride = positions + random.between(0, 5);
    for (int64_t i = 0; i < shape.kv_heads * stride * shape.head_size; ++i)
      keys.push_back(static_cast<float>((random.uniform() - 0.5) * 8));
  }
  [[nodiscard]] float key(int g, int64_t j, int i) const {
    return keys[static_cast<size_t>((g * stride + j) * shape.head_size + i)];
  }
  // All keys, in portions; `check` after each with the number of keys seen.
  template <typename Check>
  void feed(KeyBlocks& blocks, Random& random, Check check) const {
    for (int64_t upto = 0; upto < positions;) {
      upto = std::min(positions, upto + random.between(1, 12));
      blocks.update({keys.data(), upto, stride}, upto);
      ASSERT_EQ(blocks.keys_seen(), upto);
      for (int g = 0; g < shape.kv_heads; ++g)
        for (int64_t b = 0; b * block < upto; ++b)
          check(g, b, b * block, std::min(upto, (b + 1) * block));
    }
  }
};

constexpr uint64_t kKeyCases = 1'000;

TEST(KeyBlocks, A2_BoundsAreThoseOfAScanAndNeverBelowAProduct) {
  for (uint64_t number = 0; number < kKeyCases; ++number) {
    const KeyCase c(number);
    Random random(RandomKey(number), "key blocks: queries");
    KeyBlocks blocks(KeyFact::kBounds, c.shape, c.block);
    c.feed(blocks, random, [&](int g, int64_t b, int64_t begin, int64_t end) {
      std::vector<double> query;
      double bound = 0;
      for (int i = 0; i < c.shape.head_size; ++i) {
        std::vector<float> column;
        for (int64_t j = begin; j < end; ++j) column.push_back(c.key(g, j, i));
        std::sort(column.begin(), column.end());
        ASSERT_EQ(blocks.least(g, b)[i], column.front());
        ASSERT_EQ(blocks.greatest(g, b)[i], column.back());
        query.push_back(random.uniform() - 0.5);
        bound +=
            std::max(query.back() * blocks.least(g, b)[i], query.back() * blocks.greatest(g, b)[i]);
      }
      for (int64_t j = begin; j < end; ++j) {
        double product = 0;  // in the order of `bound`, so that rounding keeps it below
        for (int i = 0; i < c.shape.head_size; ++i) product += query[i] * c.key(g, j, i);
        ASSERT_LE(product, bound) << "case " << number;
      }
    });
    ASSERT_FALSE(HasFatalFailure());
  }
}

TEST(KeyBlocks, A2_SumsAndNormsAreThoseOfAScan) {
  for (uint64_t number = 0; number < kKeyCases; ++number) {
    const KeyCase c(number);
    Random random(RandomKey(number), "key blocks: portions");
    KeyBlocks sums(KeyFact::kSum, c.shape, c.block);
    c.feed(sums, random, [&](int g, int64_t b, int64_t begin, int64_t end) {
      for (int i = 0; i < c.shape.head_size; ++i) {
        double sum = 0;
        for (int64_t j = end - 1; j >= begin; --j) sum += c.key(g, j, i);
        ASSERT_NEAR(sums.sum(g, b)[i], sum, 1e-5) << "case " << number;
      }
    });
    KeyBlocks norms(KeyFact::kNorm, c.shape, c.block);
    c.feed(norms, random, [&](int g, int64_t b, int64_t begin, int64_t end) {
      double lengths = 0;
      for (int64_t j = begin; j < end; ++j) {
        double length = 0;
        for (int i = 0; i < c.shape.head_size; ++i)
          length = std::hypot(length, double{c.key(g, j, i)});
        lengths += length;
      }
      ASSERT_NEAR(norms.norm(g, b), lengths, 1e-4) << "case " << number;
    });
    ASSERT_FALSE(HasFatalFailure());
  }
}

}  // namespace
}  // namespace fathom
