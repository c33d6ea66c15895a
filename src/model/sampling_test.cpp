// Greedy and drawn tokens, and stop texts (R1).
#include "model/sampling.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <map>

namespace fathom {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

TEST(GreedyToken, TakesTheFirstLargestFinite) {
  EXPECT_EQ(greedy_token(std::array{1.0F, 3.0F, 2.0F}), 1);
  EXPECT_EQ(greedy_token(std::array{2.0F, 3.0F, 3.0F}), 1);
  EXPECT_EQ(greedy_token(std::array{-2.0F, kNan, -3.0F}), 0);
  EXPECT_EQ(greedy_token(std::array{-kInfinity, -5.0F, kInfinity}), 1);
  EXPECT_EQ(greedy_token(std::array{kNan, -kInfinity}), std::nullopt);
  EXPECT_EQ(greedy_token(std::span<const float>()), std::nullopt);
}

// Frequencies of 20,000 draws against the softmax, within five standard errors.
TEST(SampledToken, FollowsTheSoftmax) {
  const std::array<float, 4> logits{1.0F, 0.0F, -1.0F, -kInfinity};
  constexpr int kDraws = 20'000;
  for (const double temperature : {0.5, 1.0, 2.0}) {
    Random random(RandomKey(7), "draws");
    std::map<int32_t, int> counts;
    for (int i = 0; i < kDraws; ++i)
      ++counts[sampled_token(logits, temperature, 1.0, random).value()];
    double sum = 0;
    for (size_t i = 0; i < 3; ++i) sum += std::exp(logits[i] / temperature);
    for (int32_t i = 0; i < 3; ++i) {
      const double expected = std::exp(logits[static_cast<size_t>(i)] / temperature) / sum;
      EXPECT_NEAR(counts[i] / double{kDraws}, expected,
                  5 * std::sqrt(expected * (1 - expected) / kDraws))
          << "token " << i << " at temperature " << temperature;
    }
    EXPECT_EQ(counts.count(3), 0U);
  }
}

TEST(SampledToken, KeepsTheNucleus) {
  // Probabilities 0.5, 0.3, 0.15, 0.05, in another order.
  const std::array<float, 4> logits{std::log(0.15F), std::log(0.5F), std::log(0.05F),
                                    std::log(0.3F)};
  const struct {
    double top_p;
    std::map<int32_t, bool> possible;
  } cases[] = {{0.4, {{1, true}, {3, false}, {0, false}, {2, false}}},
               {0.7, {{1, true}, {3, true}, {0, false}, {2, false}}},
               {0.9, {{1, true}, {3, true}, {0, true}, {2, false}}},
               {0.0, {{1, true}, {3, false}, {0, false}, {2, false}}}};
  for (const auto& c : cases) {
    Random random(RandomKey(11), "draws");
    std::map<int32_t, bool> seen{{0, false}, {1, false}, {2, false}, {3, false}};
    for (int i = 0; i < 2000; ++i) seen[sampled_token(logits, 1.0, c.top_p, random).value()] = true;
    EXPECT_EQ(seen, c.possible) << "top_p " << c.top_p;
  }
}

TEST(SampledToken, IsAFunctionOfTheSeed) {
  const std::array<float, 3> logits{0.1F, 0.2F, 0.3F};
  const auto draw = [&](uint64_t seed) {
    Random random(RandomKey(seed), "draws");
    std::string out;
    for (int i = 0; i < 32; ++i) out += std::to_string(sampled_token(logits, 1, 1, random).value());
    return out;
  };
  EXPECT_EQ(draw(1), draw(1));
  EXPECT_NE(draw(1), draw(2));
}

TEST(StopText, StopsAtTheFirstOfThemHoweverItIsCut) {
  const std::string whole = "The answer is 42.\n\nQuestion: next";
  for (size_t step = 1; step <= whole.size(); ++step) {
    StopText text({"Question:", "\n\n", ""});
    bool stopped = false;
    for (size_t at = 0; at < whole.size() && !stopped; at += step)
      stopped = text.append(whole.substr(at, step));
    EXPECT_TRUE(stopped) << step;
    EXPECT_EQ(text.text(), "The answer is 42.") << step;
  }
}

TEST(StopText, WithoutStopsKeepsAll) {
  StopText text({});
  EXPECT_FALSE(text.append("a"));
  EXPECT_FALSE(text.append(""));
  EXPECT_FALSE(text.append("b"));
  EXPECT_EQ(text.text(), "ab");
}

}  // namespace
}  // namespace fathom
