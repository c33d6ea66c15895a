// S1–S4, S7, J2: equal to scipy, statsmodels and textbook definitions to 1e-9
// (tests/oracles/statistics_golden.py).
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "stats/agreement.h"
#include "stats/bootstrap.h"
#include "stats/clustered.h"
#include "stats/corrections.h"
#include "stats/correlation.h"
#include "stats/interval.h"
#include "stats/isotonic.h"
#include "stats/linkage.h"
#include "stats/paired.h"
#include "stats/power.h"
#include "stats/quantile.h"

namespace fathom {
namespace {

using GoldenJson = nlohmann::json;
using Numbers = std::vector<double>;

constexpr double kTolerance = 1e-9;

const GoldenJson& golden(const std::string& section) {
  static const GoldenJson file =
      GoldenJson::parse(std::ifstream(std::string(FATHOM_TEST_DATA) + "/stats/golden.json"));
  return file.at(section);
}

void expect_near(const Numbers& found, const GoldenJson& wanted) {
  const auto expected = wanted.get<Numbers>();
  ASSERT_EQ(found.size(), expected.size());
  for (size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], kTolerance) << i;
}

void expect_limits(const Estimate& found, const GoldenJson& row) {
  EXPECT_NEAR(found.low, row.at("low").get<double>(), kTolerance);
  EXPECT_NEAR(found.high, row.at("high").get<double>(), kTolerance);
}

// Runs `check` on every row of a section, which must hold at least two.
template <typename Check>
void for_each_row(const std::string& section, const Check& check) {
  ASSERT_GE(golden(section).size(), 2U);
  for (const GoldenJson& row : golden(section)) {
    SCOPED_TRACE(section + " " + row.dump().substr(0, 200));
    check(row);
  }
}

TEST(Golden, Proportions) {
  for_each_row("proportions", [](const GoldenJson& row) {
    const int64_t k = row.at("k");
    const Estimate score = wilson(static_cast<double>(k), row.at("n"), row.at("confidence"));
    const Estimate exact = clopper_pearson(k, row.at("n"), row.at("confidence"));
    expect_near({score.low, score.high}, row.at("wilson"));
    expect_near({exact.low, exact.high}, row.at("exact"));
  });
}

TEST(Golden, Means) {
  for_each_row("t_intervals", [](const GoldenJson& row) {
    expect_limits(student_t(row.at("scores").get<Numbers>()), row);
  });
  for_each_row("fractional", [](const GoldenJson& row) {
    expect_limits(mean_score(row.at("scores").get<Numbers>()), row);
  });
  for_each_row("clustered", [](const GoldenJson& row) {
    expect_limits(clustered_mean_score(row.at("scores").get<Numbers>(),
                                       row.at("clusters").get<std::vector<int64_t>>()),
                  row);
  });
}

TEST(Golden, ExactBootstraps) {
  for_each_row("bootstraps", [](const GoldenJson& row) {
    const auto scores = row.at("scores").get<Numbers>();
    const Estimate percentile = bootstrap_mean(scores);
    const Estimate bca = bootstrap_mean(scores, {.bca = true});
    expect_near({percentile.low, percentile.high}, row.at("percentile"));
    expect_near({bca.low, bca.high}, row.at("bca"));
  });
}

TEST(Golden, PairedTests) {
  for_each_row("pairs", [](const GoldenJson& row) {
    const PairedCounts counts{.both = row.at("both"),
                              .only_a = row.at("only_a"),
                              .only_b = row.at("only_b"),
                              .neither = row.at("neither")};
    EXPECT_NEAR(mcnemar_exact(counts), row.at("exact").get<double>(), kTolerance);
    EXPECT_NEAR(mcnemar_mid_p(counts), row.at("mid").get<double>(), kTolerance);
    const Estimate difference = tango(counts);
    expect_near({difference.low, difference.high}, row.at("tango"));
  });
  for_each_row("binomial_tests", [](const GoldenJson& row) {
    EXPECT_NEAR(binomial_test(row.at("k"), row.at("n"), row.at("p")), row.at("value").get<double>(),
                kTolerance);
  });
  for_each_row("sign_flips", [](const GoldenJson& row) {
    const SignFlipResult found =
        sign_flip_test(row.at("a").get<Numbers>(), row.at("b").get<Numbers>());
    EXPECT_TRUE(found.exact);
    EXPECT_NEAR(found.p, row.at("p").get<double>(), kTolerance);
  });
  for_each_row("newcombe", [](const GoldenJson& row) {
    expect_limits(unpaired_difference(wilson(row.at("right_a"), row.at("n_a")),
                                      wilson(row.at("right_b"), row.at("n_b"))),
                  row);
  });
}

TEST(Golden, IsotonicFits) {
  for_each_row("isotonic", [](const GoldenJson& row) {
    const auto values = row.at("values").get<Numbers>();
    expect_near(isotonic_decreasing(values, row.at("weights").get<Numbers>()), row.at("fit"));
    expect_near(isotonic_decreasing(values), row.at("plain"));
  });
  for_each_row("isotonic_2d", [](const GoldenJson& row) {
    expect_near(isotonic_decreasing_2d(row.at("values").get<Numbers>(),
                                       row.at("weights").get<Numbers>(), row.at("columns")),
                row.at("fit"));
  });
}

TEST(Golden, Correlations) {
  for_each_row("correlations", [](const GoldenJson& row) {
    const auto x = row.at("x").get<Numbers>();
    const auto y = row.at("y").get<Numbers>();
    EXPECT_NEAR(pearson(x, y), row.at("pearson").get<double>(), kTolerance);
    EXPECT_NEAR(spearman(x, y), row.at("spearman").get<double>(), kTolerance);
    EXPECT_NEAR(kendall_tau_b(x, y), row.at("kendall").get<double>(), kTolerance);
    const Estimate estimate = pearson_estimate(x, y);
    if (!row.at("interval").is_null())
      expect_near({estimate.low, estimate.high}, row.at("interval"));
  });
}

TEST(Golden, Linkages) {
  const std::pair<std::string, LinkageKind> kinds[] = {{"single", LinkageKind::kSingle},
                                                       {"complete", LinkageKind::kComplete},
                                                       {"average", LinkageKind::kAverage},
                                                       {"ward", LinkageKind::kWard}};
  for_each_row("linkages", [&](const GoldenJson& row) {
    for (const auto& [name, kind] : kinds) {
      SCOPED_TRACE(name);
      const std::vector<LinkageStep> steps =
          linkage(row.at("distances").get<Numbers>(), row.at("items"), kind);
      ASSERT_EQ(steps.size(), row.at(name).size());
      for (size_t i = 0; i < steps.size(); ++i)
        expect_near({static_cast<double>(steps[i].left), static_cast<double>(steps[i].right),
                     steps[i].distance, static_cast<double>(steps[i].size)},
                    row.at(name)[i]);
    }
  });
}

TEST(Golden, Corrections) {
  for_each_row("corrections", [](const GoldenJson& row) {
    const auto p = row.at("p").get<Numbers>();
    expect_near(holm(p), row.at("holm"));
    expect_near(benjamini_hochberg(p), row.at("bh"));
  });
}

TEST(Golden, Quantiles) {
  for_each_row("quantiles", [](const GoldenJson& row) {
    Numbers found;
    for (const double share : row.at("shares").get<Numbers>())
      found.push_back(quantile(row.at("values").get<Numbers>(), share));
    expect_near(found, row.at("found"));
  });
}

TEST(Golden, Kappas) {
  for_each_row("kappas", [](const GoldenJson& row) {
    const Estimate kappa = cohens_kappa(
        confusion_matrix(row.at("labels").get<std::vector<size_t>>(),
                         row.at("grades").get<std::vector<size_t>>(), row.at("classes")));
    EXPECT_NEAR(kappa.value, row.at("kappa").get<double>(), kTolerance);
    expect_limits(kappa, row);
  });
}

TEST(Golden, Power) {
  for_each_row("powers", [](const GoldenJson& row) {
    EXPECT_EQ(pairs_needed(row.at("difference"), row.at("variance"),
                           {.alpha = row.at("alpha"), .power = row.at("power")}),
              row.at("n").get<int64_t>());
  });
}

}  // namespace
}  // namespace fathom
