// Paired comparisons: do intervals hold the true difference, do tests keep their level, does the
// gate err as often as it says?
#include "stats/paired.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "sections.h"
#include "simulation.h"
#include "stats/corrections.h"
#include "stats/interval.h"
#include "stats/power.h"

namespace fathom::simulation {
namespace {

// Two arms of 0/1 scores by the shares of lost and gained pairs.
struct PairShares {
  double lost = 0;
  double gained = 0;
};

// Every outcome of n pairs with its chance: sums exact probabilities of what `holds` is true for.
double exact_share(int64_t n, const PairShares& shares,
                   const std::function<bool(const PairedCounts&)>& holds) {
  double sum = 0;
  const double discordance = shares.lost + shares.gained;
  const boost::math::binomial_distribution<> discordant(static_cast<double>(n), discordance);
  for (int64_t different = 0; different <= n; ++different) {
    const double chance = boost::math::pdf(discordant, static_cast<double>(different));
    if (chance < 1e-7) continue;
    const boost::math::binomial_distribution<> losses(
        static_cast<double>(different), discordance > 0 ? shares.lost / discordance : 0);
    for (int64_t lost = 0; lost <= different; ++lost) {
      const double split = boost::math::pdf(losses, static_cast<double>(lost));
      if (split < 1e-7) continue;
      const PairedCounts counts{.both = n - different, .only_a = lost, .only_b = different - lost};
      if (holds(counts)) sum += chance * split;
    }
  }
  return sum;
}

const std::vector<double> kDiscordances = {0.02, 0.05, 0.1, 0.2, 0.4};

// Two arms of fractional scores that share each sample's difficulty, and often the answer itself.
struct PairModel {
  TaskModel a;
  double drop = 0;  // of b's chances, as a share
  double same = 0;  // chance that b's score is simply a's
  [[nodiscard]] double difference() const { return -(1 - same) * drop * a.mean; }
};

void draw_pair(Random& random, const PairModel& model, double& a, double& b) {
  const double chance = draw_beta(random, model.a.mean, model.a.correlation);
  a = draw_score(random, chance, model.a.references);
  b = random.uniform() < model.same
          ? a
          : draw_score(random, chance * (1 - model.drop), model.a.references);
}

std::vector<PairModel> pair_models() {
  std::vector<PairModel> models;
  for (const double mean : {0.3, 0.6, 0.8, 0.9, 0.95})
    for (const double drop : {0.0, 0.1, 0.3})
      for (const double same : {0.0, 0.5, 0.9, 0.97})
        for (const int references : {2, 4, 10})
          models.push_back({{mean, references, 0.4}, drop, same});
  return models;
}

std::string words(const PairModel& model) {
  return fmt::format("mean {}, drop {}, {} same, {} answers", model.a.mean, model.drop, model.same,
                     model.a.references);
}

void report_binary_intervals() {
  print_head({"n, 0/1 pairs", "Tango (default)", "worst", "normal", "worst"});
  for (const int64_t n : {5, 12, 20, 50, 100, 500}) {
    CoverageSummary score;
    CoverageSummary normal;
    for (const double discordance : kDiscordances) {
      for (const double tilt : {0.0, 0.3, 0.7, 1.0}) {
        const PairShares shares{discordance * (1 + tilt) / 2, discordance * (1 - tilt) / 2};
        const double truth = shares.gained - shares.lost;
        const std::string where =
            fmt::format("{:.3f} lost, {:.3f} gained", shares.lost, shares.gained);
        score.add(
            exact_share(n, shares,
                        [&](const PairedCounts& counts) { return covers(tango(counts), truth); }),
            where);
        normal.add(
            exact_share(
                n, shares,
                [&](const PairedCounts& counts) {
                  const auto pairs = static_cast<double>(n);
                  const double mean = static_cast<double>(counts.only_b - counts.only_a) / pairs;
                  const double error = std::sqrt(
                      (static_cast<double>(counts.discordant()) / pairs - mean * mean) / pairs);
                  return std::abs(mean - truth) <= 1.96 * error + 1e-12;
                }),
            where);
      }
    }
    print_row(
        {std::to_string(n), score.average(), score.worst(), normal.average(), normal.worst()});
  }
}

void report_fractional_intervals(int64_t trials) {
  print_head({"n, fractional pairs", "gains less losses (default)", "worst", "Student t", "worst",
              "bootstrap", "worst"});
  for (const size_t n : {5U, 12U, 20U, 50U, 100U, 500U}) {
    CoverageSummary columns[3];
    for (const PairModel& model : pair_models()) {
      const double truth = model.difference();
      const auto shares = shares_of_trials(trials, 3, words(model) + std::to_string(n),
                                           [&](Random& random, std::vector<bool>& held) {
                                             std::vector<double> a(n);
                                             std::vector<double> b(n);
                                             std::vector<double> halves(n);
                                             for (size_t i = 0; i < n; ++i) {
                                               draw_pair(random, model, a[i], b[i]);
                                               halves[i] = (b[i] - a[i] + 1) / 2;
                                             }
                                             held[0] = covers(paired_difference(a, b), truth);
                                             held[1] = covers(student_t(halves), (truth + 1) / 2);
                                             held[2] = covers(paired_bootstrap(a, b), truth);
                                           });
      for (size_t i = 0; i < 3; ++i) columns[i].add(shares[i], words(model));
    }
    std::vector<std::string> cells = {std::to_string(n)};
    for (const CoverageSummary& column : columns) {
      cells.push_back(column.average());
      cells.push_back(column.worst());
    }
    print_row(cells);
  }
}

double normal_p(double statistic) {
  return 2 * boost::math::cdf(boost::math::normal(), -std::abs(statistic));
}

// The largest chance over the discordances that a test of equal arms says "different".
void report_binary_sizes() {
  print_head({"n, 0/1 pairs", "exact McNemar (default)", "mid-p", "McNemar's z"});
  for (const int64_t n : {12, 20, 50, 100, 500}) {
    double worst[3] = {};
    for (const double discordance : kDiscordances) {
      const PairShares shares{discordance / 2, discordance / 2};
      const auto size = [&](const std::function<double(const PairedCounts&)>& p) {
        return exact_share(n, shares,
                           [&](const PairedCounts& counts) { return p(counts) <= 0.05; });
      };
      worst[0] = std::max(worst[0], size(mcnemar_exact));
      worst[1] = std::max(worst[1], size(mcnemar_mid_p));
      worst[2] = std::max(worst[2], size([](const PairedCounts& counts) {
                            if (counts.discordant() == 0) return 1.0;
                            return normal_p(static_cast<double>(counts.only_b - counts.only_a) /
                                            std::sqrt(static_cast<double>(counts.discordant())));
                          }));
    }
    print_row({std::to_string(n), percent(worst[0]), percent(worst[1]), percent(worst[2])});
  }
}

// Arms equal on average; with clusters, each cluster favours one arm by chance.
void report_fractional_sizes(int64_t trials) {
  print_head({"fractional pairs", "sign flips (default)", "sign flips ignoring clusters"});
  for (const size_t n : {12U, 20U, 50U, 100U}) {
    const PairModel model{{0.8, 4, 0.4}, 0, 0.5};
    const double size =
        share_of_trials(trials, "sign flips" + std::to_string(n), [&](Random& random) {
          std::vector<double> a(n);
          std::vector<double> b(n);
          for (size_t i = 0; i < n; ++i) draw_pair(random, model, a[i], b[i]);
          return sign_flip_test(a, b).p <= 0.05;
        });
    print_row({fmt::format("{} independent", n), percent(size), "same"});
  }
  for (const size_t groups : {8U, 20U, 50U}) {
    const auto sizes =
        shares_of_trials(trials, 2, "clustered flips" + std::to_string(groups),
                         [&](Random& random, std::vector<bool>& rejected) {
                           std::vector<double> a;
                           std::vector<double> b;
                           std::vector<int64_t> clusters;
                           for (size_t group = 0; group < groups; ++group) {
                             const double lean = random.uniform() < 0.5 ? 0.2 : -0.2;
                             for (int i = 0; i < 6; ++i) {
                               a.push_back(draw_score(random, 0.7 - lean, 4));
                               b.push_back(draw_score(random, 0.7 + lean, 4));
                               clusters.push_back(static_cast<int64_t>(group));
                             }
                           }
                           rejected[0] = sign_flip_test(a, b, {.clusters = clusters}).p <= 0.05;
                           rejected[1] = sign_flip_test(a, b).p <= 0.05;
                         });
    print_row({fmt::format("{} clusters of 6", groups), percent(sizes[0]), percent(sizes[1])});
  }
}

}  // namespace

void report_paired_intervals(int64_t trials) {
  report_binary_intervals();
  fmt::print("\n");
  report_fractional_intervals(trials);
}

void report_paired_tests(int64_t trials) {
  report_binary_sizes();
  fmt::print("\n");
  report_fractional_sizes(trials);
}

namespace {

// A bound takes thousands of draws: fewer cases than for intervals, among them those where
// Student's t fails.
std::vector<PairModel> gate_models() {
  std::vector<PairModel> models;
  for (const double mean : {0.3, 0.8, 0.95})
    for (const double drop : {0.1, 0.3})
      for (const double same : {0.0, 0.9}) models.push_back({{mean, 4, 0.4}, drop, same});
  return models;
}

// The gate's bound from counts alone, remembered: exact_share() asks for the same ones again.
class GateBounds {
 public:
  explicit GateBounds(int64_t n) : n_(n) {}
  double operator()(const PairedCounts& counts) {
    const auto key = std::pair(counts.only_a, counts.only_b);
    const auto known = bounds_.find(key);
    if (known != bounds_.end()) return known->second;
    std::vector<double> a(static_cast<size_t>(n_));
    std::vector<double> b(static_cast<size_t>(n_));
    for (size_t i = 0; i < a.size(); ++i) {
      a[i] = static_cast<int64_t>(i) < counts.only_a ? 1 : 0;
      b[i] = static_cast<int64_t>(a.size() - i) <= counts.only_b ? 1 : 0;
    }
    return bounds_[key] = non_inferiority_bound(a, b);
  }

 private:
  int64_t n_;
  std::map<std::pair<int64_t, int64_t>, double> bounds_;
};

}  // namespace

void report_gate(int64_t trials) {
  // Worst case of a gate that must fail: B is worse by exactly the margin.
  print_head({"n, 0/1 pairs", "passes though worse by the margin, average", "worst",
              "with Tango's limit, worst"});
  for (const int64_t n : {20, 50, 100, 200}) {
    CoverageSummary held;
    CoverageSummary score;
    GateBounds bound(n);
    for (const double margin : {0.01, 0.02, 0.05, 0.1}) {
      for (const double extra : {0.0, 0.02, 0.05, 0.1}) {
        const PairShares shares{margin + extra / 2, extra / 2};
        const std::string where = fmt::format("margin {:.2f}, {:.2f} lost, {:.2f} gained", margin,
                                              shares.lost, shares.gained);
        held.add(
            1 - exact_share(n, shares,
                            [&](const PairedCounts& counts) { return bound(counts) >= -margin; }),
            where);
        score.add(1 - exact_share(n, shares,
                                  [&](const PairedCounts& counts) {
                                    return tango(counts, 0.9).low >= -margin;
                                  }),
                  where);
      }
    }
    print_row({std::to_string(n), percent(1 - held.average_value()),
               percent(1 - held.worst_value()) + " at " + held.worst_place(),
               percent(1 - score.worst_value())});
  }
  fmt::print("\n");
  print_head({"fractional pairs", "passes though worse by the margin", "worst"});
  for (const size_t n : {20U, 50U, 100U, 200U}) {
    CoverageSummary held;
    for (const PairModel& model : gate_models()) {
      const double passes =
          share_of_trials(trials, "gate " + words(model) + std::to_string(n), [&](Random& random) {
            std::vector<double> a(n);
            std::vector<double> b(n);
            for (size_t i = 0; i < n; ++i) draw_pair(random, model, a[i], b[i]);
            return non_inferiority_bound(a, b) >= model.difference();
          });
      held.add(1 - passes, words(model));
    }
    print_row({std::to_string(n), percent(1 - held.average_value()),
               percent(1 - held.worst_value()) + " at " + held.worst_place()});
  }
  fmt::print("\n");
  // A gate that must pass: B equals A, with as many pairs as the plan for this power asks.
  print_head({"margin, discordance", "pairs for 90 % power", "fails though equal (10 planned)"});
  for (const double margin : {0.03, 0.05, 0.1}) {
    for (const double discordance : {0.02, 0.05, 0.1}) {
      const int64_t n = non_inferiority_pairs(margin, discordance, {.alpha = 0.05, .power = 0.9});
      GateBounds bound(n);
      const double passes =
          exact_share(n, {discordance / 2, discordance / 2},
                      [&](const PairedCounts& counts) { return bound(counts) >= -margin; });
      print_row(
          {fmt::format("{}, {}", margin, discordance), std::to_string(n), percent(1 - passes)});
    }
  }
}

void report_corrections(int64_t trials) {
  // 40 tests, some of a true difference: how often is any true null rejected (Holm), and what share
  // of the rejections is false (Benjamini-Hochberg)?
  print_head({"of 40 tests, real differences", "Holm: any false", "Benjamini-Hochberg: false share",
              "unadjusted: any false"});
  for (const int real : {0, 10, 30}) {
    double false_share = 0;
    std::mutex mutex;
    const auto shares = shares_of_trials(
        trials, 2, "corrections" + std::to_string(real),
        [&](Random& random, std::vector<bool>& any) {
          std::vector<double> p(40);
          for (size_t i = 0; i < p.size(); ++i)
            p[i] = static_cast<int>(i) < real ? std::pow(random.uniform(), 12) : random.uniform();
          const std::vector<double> family = holm(p);
          const std::vector<double> discovery = benjamini_hochberg(p);
          double rejected = 0;
          double wrong = 0;
          any = {false, false};
          for (size_t i = 0; i < p.size(); ++i) {
            const bool null = static_cast<int>(i) >= real;
            any[0] = any[0] || (null && family[i] <= 0.05);
            any[1] = any[1] || (null && p[i] <= 0.05);
            rejected += discovery[i] <= 0.05 ? 1 : 0;
            wrong += null && discovery[i] <= 0.05 ? 1 : 0;
          }
          const std::scoped_lock lock(mutex);
          false_share += rejected > 0 ? wrong / rejected : 0;
        });
    print_row({std::to_string(real), percent(shares[0]),
               percent(false_share / static_cast<double>(trials)), percent(shares[1])});
  }
}

}  // namespace fathom::simulation
