// S3, S7, J2: regions, clustering, predictive subsets, agreement, quantiles, resampling, clusters.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/random.h"
#include "stats/agreement.h"
#include "stats/bootstrap.h"
#include "stats/clustered.h"
#include "stats/correlation.h"
#include "stats/interval.h"
#include "stats/isotonic.h"
#include "stats/linkage.h"
#include "stats/predictive_subset.h"
#include "stats/quantile.h"
#include "stats/region.h"

namespace fathom {
namespace {

using Numbers = std::vector<double>;

TEST(Isotonic, FallsAndKeepsTheMean) {
  Random random(RandomKey(1), "isotonic");
  for (int trial = 0; trial < 200; ++trial) {
    Numbers values(1 + random.below(12));
    Numbers weights(values.size());
    double mean = 0;
    double fitted_mean = 0;
    for (size_t i = 0; i < values.size(); ++i) {
      values[i] = random.uniform();
      weights[i] = 1 + static_cast<double>(random.below(9));
    }
    const Numbers fit = isotonic_decreasing(values, weights);
    for (size_t i = 0; i < fit.size(); ++i) {
      mean += weights[i] * values[i];
      fitted_mean += weights[i] * fit[i];
      EXPECT_LE(fit[i], fit[i == 0 ? 0 : i - 1]);
    }
    EXPECT_NEAR(mean, fitted_mean, 1e-9);
    EXPECT_EQ(isotonic_decreasing(fit, weights), fit);
  }
}

TEST(Isotonic, CrossingsAndTheirEnds) {
  const Numbers x = {10, 11, 13};
  const Numbers y = {0.9, 0.7, 0.1};
  EXPECT_NEAR(falling_crossing(x, y, 0.8), 10.5, 1e-12);
  EXPECT_NEAR(falling_crossing(x, y, 0.4), 12, 1e-12);
  EXPECT_NEAR(falling_crossing(x, y, 0.9), 10, 1e-12);
  EXPECT_EQ(falling_crossing(x, y, 0.95), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(falling_crossing(x, y, 0.1), std::numeric_limits<double>::infinity());
}

ScoreSurface surface_of(const Numbers& values, size_t lengths) {
  ScoreSurface surface;
  for (size_t i = 0; i < lengths; ++i) surface.lengths.push_back(int64_t{1024} << i);
  for (size_t i = 0; i < values.size() / lengths; ++i)
    surface.complexities.push_back(static_cast<double>(i + 1));
  for (const double value : values)
    surface.cells.push_back(std::isnan(value) ? Estimate{} : wilson(value * 100, 100));
  return surface;
}

TEST(Region, ContourRunsBetweenPassingAndFailing) {
  const UsableRegion region = usable_region(
      surface_of({1.0, 0.9, 0.8, 0.6, 0.9, 0.8, 0.6, 0.2, 0.7, 0.4, 0.2, 0.0}, 4), 0.75);
  EXPECT_EQ(region.passing, (std::vector<bool>{true, true, true, false, true, true, false, false,
                                               false, false, false, false}));
  EXPECT_NEAR(region.area, 5 / 12.0, 1e-12);
  ASSERT_EQ(region.contours.size(), 1U);
  const std::vector<RegionPoint>& line = region.contours[0];
  ASSERT_GE(line.size(), 4U);
  // One end at the lowest complexity between 4K and 8K, the other at 1K between 2 and 3.
  const bool forward = line.front().complexity == 1;
  const RegionPoint top = forward ? line.front() : line.back();
  const RegionPoint bottom = forward ? line.back() : line.front();
  EXPECT_NEAR(top.length, 4096 * std::exp2(0.25), 1e-6);
  EXPECT_NEAR(bottom.complexity, 2.75, 1e-9);
  EXPECT_EQ(bottom.length, 1024);
  for (size_t i = 1; i < line.size(); ++i)
    EXPECT_GE((line[i].complexity - line[i - 1].complexity) * (forward ? 1 : -1), -1e-9);
}

TEST(Region, GapsAndEdges) {
  const double nan = std::nan("");
  const UsableRegion gaps = usable_region(surface_of({0.9, nan, 0.5, 0.8, 0.6, 0.3}, 3), 0.7);
  EXPECT_FALSE(gaps.passing[1]);
  EXPECT_LE(gaps.fitted[1], gaps.fitted[0]);
  EXPECT_GE(gaps.fitted[1], gaps.fitted[2] - 1e-9);
  EXPECT_EQ(gaps.contours.size(), 1U);
  EXPECT_TRUE(usable_region(surface_of({0.9, 0.9, 0.9, 0.9}, 2), 0.5).contours.empty());
  EXPECT_TRUE(usable_region(surface_of({nan, nan}, 2), 0.5).fitted.empty());
  const UsableRegion row = usable_region(surface_of({0.9, 0.7, 0.5}, 3), 0.8);
  ASSERT_EQ(row.contours.size(), 1U);
  EXPECT_NEAR(row.contours[0][0].length, 1024 * std::exp2(0.5), 1e-6);
  EXPECT_TRUE(usable_region({}, 0.5).passing.empty());
}

TEST(Linkage, LeavesAndFlatClusters) {
  // Two tight pairs far apart: 0-2 and 1-3.
  const Numbers distances = {9, 1, 8, 9, 2, 9};
  const std::vector<LinkageStep> steps = linkage(distances, 4, LinkageKind::kAverage);
  ASSERT_EQ(steps.size(), 3U);
  EXPECT_EQ(steps[0], (LinkageStep{.left = 0, .right = 2, .distance = 1, .size = 2}));
  EXPECT_EQ(leaf_order(steps, 4), (std::vector<size_t>{0, 2, 1, 3}));
  EXPECT_EQ(flat_clusters(steps, 4, 3), (std::vector<size_t>{0, 1, 0, 1}));
  EXPECT_EQ(flat_clusters(steps, 4, 0.5), (std::vector<size_t>{0, 1, 2, 3}));
  EXPECT_EQ(flat_clusters(steps, 4, 100), (std::vector<size_t>{0, 0, 0, 0}));
  EXPECT_TRUE(linkage({}, 1, LinkageKind::kWard).empty());
  EXPECT_EQ(leaf_order({}, 1), (std::vector<size_t>{0}));
  EXPECT_TRUE(leaf_order({}, 0).empty());
}

TEST(PredictiveSubset, FindsTheTasksThatSayItAll) {
  // Tasks 1 and 3 average to the mean of all four, for every model.
  Numbers scores;
  Random random(RandomKey(8), "models");
  for (int model = 0; model < 8; ++model) {
    const double mean = 0.3 + 0.5 * random.uniform();
    const double spread = 0.2 * random.uniform();
    const double other = 0.2 * random.uniform();
    for (const double score : {mean - other, mean + spread, mean + other, mean - spread})
      scores.push_back(score);
  }
  const std::vector<PredictiveSubset> subsets = predictive_subsets(scores, 4);
  ASSERT_EQ(subsets.size(), 3U);
  EXPECT_TRUE(subsets[1].error < 1e-12);
  const PredictiveSubset best = smallest_predictive_subset(subsets, 0.001);
  EXPECT_EQ(best.tasks.size(), 2U);
  EXPECT_LE(subsets[1].error, subsets[0].error);
  EXPECT_EQ(smallest_predictive_subset(subsets, -1).tasks.size(), 3U);
  EXPECT_TRUE(smallest_predictive_subset({}, 1).tasks.empty());
  EXPECT_TRUE(predictive_subsets({}, 0).empty());
  EXPECT_TRUE(predictive_subsets(Numbers(8, 1), 4).empty());  // two models
  EXPECT_TRUE(predictive_subsets(Numbers(60, 1), 20).empty());
}

TEST(PredictiveSubset, RidgeLearnsAScale) {
  // Task 0 is half of the overall mean plus a constant: a mean predictor misses it, a fit does not.
  Numbers scores;
  for (int model = 0; model < 10; ++model) {
    const double level = 0.05 * model;
    scores.insert(scores.end(), {0.2 + level / 2, level, 0.1 + level});
  }
  const PredictiveSubset mean = predictive_subsets(scores, 3)[0];
  const PredictiveSubset fit = predictive_subsets(scores, 3, SubsetPredictor::kRidge)[0];
  EXPECT_LT(fit.error, 0.01);
  EXPECT_LT(fit.error, mean.error);
  // A task without variation is no reason to fail.
  const Numbers constant(12, 0.5);
  for (const PredictiveSubset& subset : predictive_subsets(constant, 4, SubsetPredictor::kRidge))
    EXPECT_NEAR(subset.error, 0, 1e-9);
}

TEST(Correlation, EndsAndConstants) {
  const Numbers up = {1, 2, 3, 4};
  const Numbers down = {4, 3, 2, 1};
  const Numbers flat = {2, 2, 2, 2};
  EXPECT_NEAR(pearson(up, up), 1, 1e-12);
  EXPECT_NEAR(spearman(up, down), -1, 1e-12);
  EXPECT_NEAR(kendall_tau_b(up, down), -1, 1e-12);
  EXPECT_TRUE(std::isnan(pearson(up, flat)));
  EXPECT_TRUE(std::isnan(kendall_tau_b(flat, up)));
  EXPECT_TRUE(std::isnan(pearson({}, {})));
  EXPECT_FALSE(pearson_estimate(up, flat).known());
  EXPECT_EQ(ranks(Numbers{5, 1, 5}), (Numbers{2.5, 1, 2.5}));
}

TEST(Agreement, CountsAndEnds) {
  const std::vector<size_t> labels = {0, 0, 1, 1};
  const std::vector<size_t> grades = {0, 1, 1, 1};
  const ConfusionMatrix matrix = confusion_matrix(labels, grades, 2);
  EXPECT_EQ(matrix.counts, (std::vector<int64_t>{1, 1, 0, 2}));
  EXPECT_EQ(accuracy(matrix), wilson(3, 4));
  EXPECT_NEAR(cohens_kappa(matrix).value, 0.5, 1e-12);
  const ConfusionMatrix same = confusion_matrix(labels, labels, 2);
  EXPECT_EQ(cohens_kappa(same).value, 1);
  const std::vector<size_t> one(5, 0);
  EXPECT_EQ(cohens_kappa(confusion_matrix(one, one, 2)).value, 1);
  EXPECT_FALSE(cohens_kappa(confusion_matrix({}, {}, 2)).known());
  EXPECT_FALSE(accuracy(confusion_matrix({}, {}, 2)).known());
}

// The order statistics around a quantile hold it with at least the confidence asked for.
TEST(Quantile, IntervalsHoldWhateverTheDistribution) {
  Random random(RandomKey(13), "latencies");
  const int trials = 2000;
  for (const double share : {0.5, 0.9}) {
    int held = 0;
    for (int trial = 0; trial < trials; ++trial) {
      Numbers values(80);
      for (double& value : values) value = -std::log(1 - random.uniform());
      const Estimate estimate = quantile_estimate(values, share);
      EXPECT_LE(estimate.low, estimate.value);
      EXPECT_LE(estimate.value, estimate.high);
      EXPECT_EQ(estimate.method, IntervalMethod::kOrderStatistics);
      const double truth = -std::log(1 - share);
      held += estimate.low <= truth && truth <= estimate.high ? 1 : 0;
    }
    EXPECT_GE(held, static_cast<int>(0.945 * trials)) << share;
  }
  const Numbers few = {3, 1, 2};
  EXPECT_EQ(quantile_estimate(few, 0.99).method, IntervalMethod::kNone);
  EXPECT_EQ(quantile_estimate(few, 0.99).high, 3);
  EXPECT_FALSE(quantile_estimate({}, 0.5).known());
  EXPECT_EQ(quantile(few, 0), 1);
  EXPECT_EQ(quantile(few, 1), 3);
}

TEST(Bootstrap, ExactAndDrawnAgree) {
  Random random(RandomKey(3), "scores");
  Numbers scores(30);
  for (double& score : scores) score = static_cast<double>(random.below(5)) / 4;
  const Estimate exact = bootstrap_mean(scores);
  Numbers drawn = resampled_means(scores, {.resamples = 20'000});
  EXPECT_NEAR(quantile(drawn, 0.025), exact.low, 0.01);
  EXPECT_NEAR(quantile(drawn, 0.975), exact.high, 0.01);
  EXPECT_EQ(resampled_means(scores, {.resamples = 50}), resampled_means(scores, {.resamples = 50}));
}

TEST(Bootstrap, OddScoresAreDrawn) {
  const Numbers scores = {0.123, 0.456, 0.789, 0.5, 0.77777};
  const Estimate estimate = bootstrap_mean(scores);
  EXPECT_EQ(estimate.method, IntervalMethod::kBootstrap);
  EXPECT_LT(estimate.low, estimate.value);
  EXPECT_GT(estimate.high, estimate.value);
  EXPECT_FALSE(bootstrap_mean({}).known());
  const Numbers one = {1};
  EXPECT_EQ(bootstrap_mean(one).low, 1);
  EXPECT_EQ(bootstrap_mean(one, {.bca = true}).high, 1);
}

TEST(Clustered, SingleSamplesAreAPlainMean) {
  const Numbers scores = {1, 0, 0.5, 1, 1};
  const std::vector<int64_t> apart = {5, 3, 1, 9, 7};
  EXPECT_EQ(clustered_mean_score(scores, apart), mean_score(scores));
  const std::vector<int64_t> one(5, 2);
  const Estimate unknown = clustered_mean_score(scores, one);
  EXPECT_EQ(unknown.low, 0);
  EXPECT_EQ(unknown.high, 1);
  EXPECT_EQ(unknown.clusters, 1);
  EXPECT_FALSE(clustered_mean_score({}, {}).known());
}

TEST(Clustered, CopiesOfASampleAddNothing) {
  // Ten documents, six equal answers each: hardly more than ten samples.
  Numbers scores;
  std::vector<int64_t> clusters;
  for (int64_t document = 0; document < 10; ++document) {
    for (int i = 0; i < 6; ++i) {
      scores.push_back(document < 7 ? 1 : 0);
      clusters.push_back(document);
    }
  }
  const Estimate clustered = clustered_mean_score(scores, clusters);
  const Estimate ten = wilson(7, 10);
  EXPECT_EQ(clustered.n, 60);
  EXPECT_EQ(clustered.clusters, 10);
  EXPECT_LT(clustered.low, ten.low + 0.02);
  EXPECT_GT(clustered.high, ten.high - 0.02);
  const Estimate drawn = cluster_bootstrap_mean(scores, clusters);
  EXPECT_EQ(drawn.method, IntervalMethod::kClusterBootstrap);
  EXPECT_LT(drawn.low, mean_score(scores).low);
}

// Q4: documents of eight samples that mostly stand or fall together.
TEST(ClusteredSlow, CoversWhereTheNaiveIntervalDoesNot) {
  const int trials = 3000;
  int robust = 0;
  int naive = 0;
  Random random(RandomKey(17), "documents");
  for (int trial = 0; trial < trials; ++trial) {
    Numbers scores;
    std::vector<int64_t> clusters;
    for (int64_t document = 0; document < 15; ++document) {
      const double chance = random.uniform() < 0.7 ? 0.95 : 0.15;
      for (int i = 0; i < 8; ++i) {
        scores.push_back(random.uniform() < chance ? 1 : 0);
        clusters.push_back(document);
      }
    }
    const double truth = 0.7 * 0.95 + 0.3 * 0.15;
    const auto holds = [&](const Estimate& e) { return e.low <= truth && truth <= e.high; };
    robust += holds(clustered_mean_score(scores, clusters)) ? 1 : 0;
    naive += holds(mean_score(scores)) ? 1 : 0;
  }
  EXPECT_GE(robust, static_cast<int>(0.93 * trials));
  EXPECT_LE(naive, static_cast<int>(0.7 * trials));
}

}  // namespace
}  // namespace fathom
