// S4: paired tests and differences.
#include "stats/paired.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "base/random.h"
#include "stats/corrections.h"
#include "stats/interval.h"
#include "stats/power.h"

namespace fathom {
namespace {

using Numbers = std::vector<double>;

TEST(Paired, CountsBothDirections) {
  const Numbers a = {1, 1, 0, 0, 1};
  const Numbers b = {1, 0, 1, 0, 0};
  const PairedCounts counts = paired_counts(a, b);
  EXPECT_EQ(counts, (PairedCounts{.both = 1, .only_a = 2, .only_b = 1, .neither = 1}));
  EXPECT_EQ(counts.n(), 5);
  EXPECT_EQ(counts.discordant(), 3);
  const Numbers half = {0.5};
  EXPECT_EQ(paired_counts(half, half).neither, 1);
  EXPECT_EQ(paired_counts(half, half, 0.5).both, 1);
}

TEST(Paired, NothingDiffersMeansNothingFound) {
  const Numbers same = {1, 0, 0.5, 0.25, 1};
  EXPECT_EQ(mcnemar_exact({.both = 5, .neither = 3}), 1);
  EXPECT_EQ(sign_flip_test(same, same).p, 1);
  EXPECT_EQ(sign_flip_test({}, {}).p, 1);
  const Estimate difference = paired_difference(same, same);
  EXPECT_EQ(difference.value, 0);
  EXPECT_LT(difference.low, -0.05);  // five equal pairs prove little
  EXPECT_GT(difference.high, 0.05);
  EXPECT_FALSE(paired_difference({}, {}).known());
}

// All signs, one by one.
double brute_sign_flips(const Numbers& differences) {
  double observed = 0;
  for (const double d : differences) observed += d;
  int hits = 0;
  const unsigned patterns = 1U << differences.size();
  for (unsigned pattern = 0; pattern < patterns; ++pattern) {
    double sum = 0;
    for (size_t i = 0; i < differences.size(); ++i)
      sum += (pattern >> i & 1) != 0 ? differences[i] : -differences[i];
    hits += std::abs(sum) >= std::abs(observed) - 1e-9 ? 1 : 0;
  }
  return hits / static_cast<double>(patterns);
}

TEST(SignFlips, CountedEqualsEnumerated) {
  Random random(RandomKey(2), "flips");
  for (int trial = 0; trial < 60; ++trial) {
    const size_t n = 1 + random.below(9);
    const uint64_t levels = trial % 2 == 0 ? 1 + random.below(6) : 0;
    Numbers a(n);
    Numbers b(n);
    Numbers differences(n);
    for (size_t i = 0; i < n; ++i) {
      const auto draw = [&] {
        return levels == 0
                   ? random.uniform()
                   : static_cast<double>(random.below(levels + 1)) / static_cast<double>(levels);
      };
      a[i] = draw();
      b[i] = draw();
      differences[i] = b[i] - a[i];
    }
    const SignFlipResult found = sign_flip_test(a, b);
    EXPECT_TRUE(found.exact);
    EXPECT_NEAR(found.p, brute_sign_flips(differences), 1e-9);
  }
}

TEST(SignFlips, OfZeroesAndOnesIsMcNemar) {
  const Numbers a = {1, 1, 1, 1, 1, 0, 0, 1};
  const Numbers b = {0, 0, 0, 0, 1, 0, 1, 0};
  EXPECT_NEAR(sign_flip_test(a, b).p, mcnemar_exact(paired_counts(a, b)), 1e-12);
}

TEST(SignFlips, ClustersFlipWhole) {
  // Three clusters, all in favour of b: p = 2 / 8 however many pairs they hold.
  const Numbers a(12, 0);
  const Numbers b(12, 1);
  const std::vector<int64_t> clusters = {7, 7, 7, 7, 1, 1, 1, 1, 3, 3, 3, 3};
  EXPECT_NEAR(sign_flip_test(a, b, {.clusters = clusters}).p, 0.25, 1e-12);
  EXPECT_EQ(sign_flip_test(a, b, {.clusters = clusters}).units, 3);
  EXPECT_NEAR(sign_flip_test(a, b).p, 2 / 4096.0, 1e-12);
}

TEST(SignFlips, MonteCarloNeverSaysZeroAndAgreesWithCounting) {
  Random random(RandomKey(5), "monte carlo");
  Numbers a(60);
  Numbers b(60);
  for (size_t i = 0; i < a.size(); ++i) {
    a[i] = random.uniform();
    b[i] = std::min(1.0, random.uniform() + 0.1);
  }
  const SignFlipResult chance = sign_flip_test(a, b);
  EXPECT_FALSE(chance.exact);
  EXPECT_EQ(chance.flips, 20'000);
  // The same scores in steps of a sixtieth can be counted.
  Numbers coarse_a = a;
  Numbers coarse_b = b;
  for (size_t i = 0; i < a.size(); ++i) {
    coarse_a[i] = std::round(a[i] * 60) / 60;
    coarse_b[i] = std::round(b[i] * 60) / 60;
  }
  EXPECT_TRUE(sign_flip_test(coarse_a, coarse_b).exact);
  EXPECT_NEAR(chance.p, sign_flip_test(coarse_a, coarse_b).p, 0.02);
  EXPECT_GE(sign_flip_test(Numbers(60, 0), b).p, 1 / 20'001.0);
}

TEST(PairedDifference, ChoosesByTheScores) {
  const Numbers a = {1, 1, 0, 1, 1, 0};
  const Numbers b = {1, 0, 0, 0, 1, 1};
  EXPECT_EQ(paired_difference(a, b), tango(paired_counts(a, b)));
  const Numbers fraction = {0.5, 0, 0.25, 0, 1, 1};
  EXPECT_EQ(paired_difference(a, fraction).method, IntervalMethod::kGainsLosses);
  const std::vector<int64_t> clusters = {1, 1, 1, 2, 2, 2};
  const Estimate clustered = paired_difference(a, b, clusters);
  EXPECT_EQ(clustered.clusters, 2);
  EXPECT_LE(clustered.low, tango(paired_counts(a, b)).low);
  const std::vector<int64_t> apart = {1, 2, 3, 4, 5, 6};
  EXPECT_EQ(paired_difference(a, b, apart), paired_difference(a, b));
}

TEST(PairedDifference, TurnsAroundWithTheArms) {
  Random random(RandomKey(6), "turn");
  for (int trial = 0; trial < 200; ++trial) {
    const size_t n = 1 + random.below(40);
    const uint64_t levels = 1 + random.below(4);
    Numbers a(n);
    Numbers b(n);
    for (size_t i = 0; i < n; ++i) {
      a[i] = static_cast<double>(random.below(levels + 1)) / static_cast<double>(levels);
      b[i] = static_cast<double>(random.below(levels + 1)) / static_cast<double>(levels);
    }
    const Estimate forth = paired_difference(a, b);
    const Estimate back = paired_difference(b, a);
    EXPECT_NEAR(forth.low, -back.high, 1e-9);
    EXPECT_NEAR(forth.high, -back.low, 1e-9);
    EXPECT_LE(-1, forth.low);
    EXPECT_LE(forth.low, forth.value + 1e-12);
    EXPECT_LE(forth.value, forth.high + 1e-12);
    EXPECT_LE(forth.high, 1);
  }
}

TEST(NonInferiority, IsClopperPearsonWhereNothingIsGained) {
  for (const auto& [lost, n] : {std::pair(0, 20), std::pair(2, 50), std::pair(10, 200)}) {
    Numbers a(static_cast<size_t>(n), 1);
    Numbers b = a;
    for (int i = 0; i < lost; ++i) b[static_cast<size_t>(i)] = 0;
    const double exact = clopper_pearson(lost, n, 0.9).high;
    EXPECT_NEAR(non_inferiority_bound(a, b), -exact, 0.05 * exact) << lost << " of " << n;
  }
}

TEST(NonInferiority, ClustersMakeItStricter) {
  Numbers a(60, 1);
  Numbers b(60, 1);
  for (size_t i = 0; i < 6; ++i) b[i] = 0;
  std::vector<int64_t> clusters;
  for (int64_t i = 0; i < 60; ++i) clusters.push_back(i / 6);
  EXPECT_LT(non_inferiority_bound(a, b, clusters), non_inferiority_bound(a, b));
  EXPECT_EQ(non_inferiority_bound({}, {}), -1);
}

TEST(Unpaired, PValueIsWhereTheIntervalTouchesZero) {
  Numbers a(40, 1);
  Numbers b(50, 1);
  for (size_t i = 0; i < 10; ++i) a[i] = 0;
  for (size_t i = 0; i < 25; ++i) b[i] = 0;
  const double p = unpaired_p_value(a, b);
  EXPECT_LT(p, 0.05);
  EXPECT_NEAR(unpaired_difference(a, b, 1 - p).high, 0, 1e-9);
  EXPECT_EQ(unpaired_p_value({}, b), 1);
  EXPECT_GT(unpaired_p_value(a, a), 0.99);
}

TEST(Power, NeededAndDetectableAreInverse) {
  for (const double discord : {0.05, 0.2, 0.6}) {
    for (const int64_t n : {50, 200, 2000}) {
      const double difference = detectable_difference_mcnemar(n, discord);
      if (difference >= 1) continue;
      EXPECT_LE(difference, discord);
      EXPECT_NEAR(static_cast<double>(pairs_needed_mcnemar(difference, discord)),
                  static_cast<double>(n), 1);
    }
  }
  EXPECT_EQ(detectable_difference_mcnemar(3, 0.01), 1);
  EXPECT_EQ(detectable_difference(0, 0.1), 1);
  EXPECT_NEAR(detectable_difference(100, 0.25), 2.801585 * 0.05, 1e-6);
  // Equal arms, 5 % of pairs differing, a margin of 5 points: what is seen is the margin.
  const auto n = static_cast<double>(non_inferiority_pairs(0.05, 0.05, {.power = 0.9}));
  EXPECT_NEAR(1 / n + 1.644854 * std::sqrt((0.05 + 1 / n) / n) + 1.281552 * std::sqrt(0.05 / n),
              0.05, 2e-4);
  // No pair differs: a difference may still hide.
  EXPECT_NEAR(discordance({.both = 18}), 1 / 20.0, 1e-12);
  EXPECT_NEAR(difference_variance(Numbers(4, 1), Numbers(4, 1)), 0.25, 1e-12);
}

TEST(Corrections, HolmIsNeverBelowBenjaminiHochberg) {
  Random random(RandomKey(9), "p values");
  for (int trial = 0; trial < 100; ++trial) {
    Numbers p(1 + random.below(20));
    for (double& value : p) value = random.uniform() * random.uniform();
    const Numbers family = holm(p);
    const Numbers discovery = benjamini_hochberg(p);
    for (size_t i = 0; i < p.size(); ++i) {
      EXPECT_LE(p[i], discovery[i]);
      EXPECT_LE(discovery[i], family[i] + 1e-15);
      EXPECT_LE(family[i], 1);
    }
  }
  EXPECT_TRUE(holm({}).empty());
  EXPECT_TRUE(benjamini_hochberg({}).empty());
}

// Q4: the exact test keeps its level, whatever the share of pairs that differ.
TEST(Paired, ExactTestsKeepTheirLevel) {
  for (const int n : {5, 12, 30, 100}) {
    double size = 0;
    for (int k = 0; k <= n; ++k) {
      const double chance = std::exp(std::lgamma(n + 1.0) - std::lgamma(k + 1.0) -
                                     std::lgamma(n - k + 1.0) - n * std::log(2.0));
      if (mcnemar_exact({.only_a = k, .only_b = n - k}) <= 0.05) size += chance;
    }
    EXPECT_LE(size, 0.05) << n;
  }
}

// Q4: B is worse by exactly the margin; the gate may pass in at most 5 of 100.
TEST(NonInferioritySlow, PassesNoMoreThanItSays) {
  const int trials = 400;
  int passed = 0;
  for (int trial = 0; trial < trials; ++trial) {
    Random random(RandomKey(21).with(static_cast<uint64_t>(trial)), "gate");
    Numbers a(100);
    Numbers b(100);
    for (size_t i = 0; i < a.size(); ++i) {
      const double chance = random.uniform();
      a[i] = chance < 0.85 ? 1 : 0.5;
      b[i] = random.uniform() < 0.1 ? a[i] / 2 : a[i];
    }
    const double truth = -0.1 * 0.5 * (0.85 + 0.15 * 0.5);
    passed += non_inferiority_bound(a, b) >= truth ? 1 : 0;
  }
  EXPECT_LE(passed, static_cast<int>(0.05 * trials + 2 * std::sqrt(0.05 * 0.95 * trials)));
}

}  // namespace
}  // namespace fathom
