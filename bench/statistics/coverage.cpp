// Do intervals of means hold the true mean?
#include <fmt/format.h>

#include <array>
#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <string>
#include <utility>

#include "sections.h"
#include "simulation.h"
#include "stats/bootstrap.h"
#include "stats/clustered.h"
#include "stats/interval.h"
#include "stats/mover.h"
#include "stats/weighted_mean.h"

namespace fathom::simulation {
namespace {

constexpr double kZ = 1.959963984540054;

// What a table without care prints: value ± 1.96 standard errors.
Estimate plain_normal(double mean, double error, int64_t n) {
  return {.value = mean, .low = mean - kZ * error, .high = mean + kZ * error, .n = n};
}

const std::vector<double> kMeans = {0.02, 0.05, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 0.95, 0.98};

// One column of a coverage table: a method and what it covered at each n.
struct Column {
  std::string name;
  CoverageSummary summary;
};

void print_columns(const std::string& first, const std::vector<Column>& columns) {
  std::vector<std::string> cells = {first};
  for (const Column& column : columns) {
    cells.push_back(column.summary.average());
    cells.push_back(column.summary.worst());
  }
  print_row(cells);
}

void print_column_head(const std::string& first, const std::vector<Column>& columns) {
  std::vector<std::string> cells = {first};
  for (const Column& column : columns) {
    cells.push_back(column.name);
    cells.emplace_back("worst");
  }
  print_head(cells);
}

}  // namespace

void report_proportions() {
  const std::vector<Column> empty = {
      {"Wilson (default)", {}}, {"Clopper-Pearson", {}}, {"normal", {}}};
  print_column_head("n", empty);
  for (const int64_t n : {5, 12, 20, 50, 100, 500}) {
    std::vector<Column> columns = empty;
    std::vector<std::array<Estimate, 3>> intervals;
    for (int64_t k = 0; k <= n; ++k) {
      const double p = static_cast<double>(k) / static_cast<double>(n);
      intervals.push_back({wilson(static_cast<double>(k), n), clopper_pearson(k, n),
                           plain_normal(p, std::sqrt(p * (1 - p) / static_cast<double>(n)), n)});
    }
    for (int step = 1; step < 200; ++step) {
      const double p = step / 200.0;
      const boost::math::binomial_distribution<> right(static_cast<double>(n), p);
      std::array<double, 3> covered{};
      for (int64_t k = 0; k <= n; ++k)
        for (size_t i = 0; i < 3; ++i)
          if (covers(intervals[static_cast<size_t>(k)][i], p))
            covered[i] += boost::math::pdf(right, static_cast<double>(k));
      for (size_t i = 0; i < 3; ++i) columns[i].summary.add(covered[i], fmt::format("{}", p));
    }
    print_columns(std::to_string(n), columns);
  }
}

void report_fractions(int64_t trials) {
  const std::vector<Column> empty = {{"Wilson, effective n (default)", {}},
                                     {"Student t", {}},
                                     {"bootstrap", {}},
                                     {"BCa bootstrap", {}}};
  print_column_head("n", empty);
  for (const size_t n : {5U, 12U, 20U, 50U, 100U, 500U}) {
    std::vector<Column> columns = empty;
    for (const double mean : kMeans) {
      for (const int references : {2, 4, 10}) {
        for (const double correlation : {0.0, 0.3, 0.8}) {
          const TaskModel model{mean, references, correlation};
          const std::string where =
              fmt::format("mean {}, {} answers, ρ {}", mean, references, correlation);
          const auto shares = shares_of_trials(
              trials, 4, where + std::to_string(n), [&](Random& random, std::vector<bool>& held) {
                std::vector<double> scores(n);
                for (double& score : scores) score = draw_score(random, model);
                held[0] = covers(mean_score(scores), mean);
                held[1] = covers(student_t(scores), mean);
                held[2] = covers(bootstrap_mean(scores), mean);
                held[3] = covers(bootstrap_mean(scores, {.bca = true}), mean);
              });
          for (size_t i = 0; i < 4; ++i) columns[i].summary.add(shares[i], where);
        }
      }
    }
    print_columns(std::to_string(n), columns);
  }
}

void report_clusters(int64_t trials) {
  const std::vector<Column> empty = {{"cluster-robust (default)", {}},
                                     {"naive: as if independent", {}},
                                     {"cluster bootstrap", {}}};
  print_column_head("clusters", empty);
  for (const size_t groups : {3U, 5U, 8U, 12U, 20U, 50U}) {
    std::vector<Column> columns = empty;
    for (const bool uneven : {false, true}) {
      for (const double correlation : {0.02, 0.2, 0.5, 0.9}) {
        for (const int references : {1, 4}) {
          for (const double mean : {0.05, 0.2, 0.5, 0.8, 0.9, 0.95, 0.98}) {
            const std::string where = fmt::format("mean {}, ρ {}, {} answers{}", mean, correlation,
                                                  references, uneven ? ", sizes 1 to 14" : "");
            const auto shares = shares_of_trials(
                trials, 3, where + std::to_string(groups),
                [&](Random& random, std::vector<bool>& held) {
                  std::vector<double> scores;
                  std::vector<int64_t> clusters;
                  for (size_t group = 0; group < groups; ++group) {
                    const double chance = draw_beta(random, mean, correlation);
                    const size_t size = uneven ? 1 + 13 * group / (groups - 1) : 8;
                    for (size_t i = 0; i < size; ++i) {
                      scores.push_back(draw_score(random, chance, references));
                      clusters.push_back(static_cast<int64_t>(group));
                    }
                  }
                  held[0] = covers(clustered_mean_score(scores, clusters), mean);
                  held[1] = covers(mean_score(scores), mean);
                  held[2] =
                      covers(cluster_bootstrap_mean(scores, clusters, {.resamples = 400}), mean);
                });
            for (size_t i = 0; i < 3; ++i) columns[i].summary.add(shares[i], where);
          }
        }
      }
    }
    print_columns(std::to_string(groups), columns);
  }
}

namespace {

// Thirteen tasks' true means.
struct TaskProfile {
  std::string name;
  std::vector<double> means;
};

std::vector<TaskProfile> profiles() {
  const auto all = [](double mean) { return std::vector<double>(13, mean); };
  return {{"all .5", all(0.5)},
          {"all .8", all(0.8)},
          {"all .9", all(0.9)},
          {"all .95", all(0.95)},
          {"all .98", all(0.98)},
          {"eight perfect", {1, 1, 1, 1, 1, 1, 1, 1, .9, .85, .8, .6, .5}},
          {"spread", {1, .99, .98, .97, .9, .85, .8, .7, .6, .5, .4, .2, .05}},
          {"one weak", {1, 1, 1, 1, 1, 1, .99, .99, .99, .98, .98, .97, .6}},
          {"two halves", {.99, .99, .99, .99, .99, .99, .1, .1, .1, .1, .1, .1, .1}}};
}

}  // namespace

void report_task_means(int64_t trials) {
  const std::vector<Column> empty = {
      {"stratified (default)", {}}, {"MOVER of Wilson limits", {}}, {"pooled as one task", {}}};
  print_column_head("n a task", empty);
  for (const size_t n : {5U, 12U, 20U, 50U, 100U, 500U}) {
    std::vector<Column> columns = empty;
    for (const TaskProfile& profile : profiles()) {
      for (const int references : {1, 4}) {
        double truth = 0;
        for (const double mean : profile.means) truth += mean / 13;
        const std::string where = fmt::format("{}, {} answers", profile.name, references);
        const auto shares = shares_of_trials(
            trials, 3, where + std::to_string(n), [&](Random& random, std::vector<bool>& held) {
              std::vector<Estimate> parts;
              std::vector<double> pool;
              for (const double mean : profile.means) {
                std::vector<double> scores(n);
                for (double& score : scores) score = draw_score(random, mean, references);
                pool.insert(pool.end(), scores.begin(), scores.end());
                parts.push_back(mean_score(scores));
              }
              const std::vector<double> weights(13, 1.0 / 13);
              held[0] = covers(weighted_mean(parts, {}, Dependence::kIndependent), truth);
              held[1] = covers(mover(parts, weights), truth);
              held[2] = covers(mean_score(pool), truth);
            });
        for (size_t i = 0; i < 3; ++i) columns[i].summary.add(shares[i], where);
      }
    }
    print_columns(std::to_string(n), columns);
  }
}

}  // namespace fathom::simulation
