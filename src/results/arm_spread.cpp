#include "results/arm_spread.h"

#include <algorithm>
#include <boost/math/distributions/fisher_f.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace fathom {
namespace {

struct Sum {
  double scores = 0;
  int64_t n = 0;
};
using Cells = std::map<std::pair<size_t, size_t>, Sum>;  // by task, length

// Means of the arms and the covariance of their sampling errors.
class ArmMeans {
 public:
  explicit ArmMeans(std::span<const std::vector<ArmSample>> arms) : arms_(arms.size()) {
    means_.resize(arms_, 0);
    samples_.resize(arms_, 0);
    covariance_.assign(arms_ * arms_, 0);
    std::map<int64_t, std::vector<double>> influences;  // by cluster: one an arm
    std::set<int64_t> strata_units;
    for (size_t arm = 0; arm < arms_; ++arm) add_arm(arm, arms[arm], influences);
    const auto clusters = static_cast<double>(influences.size());
    for (const auto& [cluster, influence] : influences)
      for (size_t a = 0; a < arms_; ++a)
        for (size_t b = 0; b < arms_; ++b)
          covariance_[a * arms_ + b] += influence[a] * influence[b];
    clusters_ = static_cast<int64_t>(clusters);
  }

  [[nodiscard]] double mean(size_t arm) const { return means_[arm]; }
  [[nodiscard]] int64_t samples(size_t arm) const { return samples_[arm]; }
  [[nodiscard]] double variance(size_t arm) const { return covariance_[arm * arms_ + arm]; }
  [[nodiscard]] int64_t clusters() const { return clusters_; }

  // Mean variance between arms that sampling gives on its own.
  [[nodiscard]] double sampling_variance() const {
    double trace = 0;
    double all = 0;
    for (size_t a = 0; a < arms_; ++a)
      for (size_t b = 0; b < arms_; ++b) {
        all += covariance_[a * arms_ + b];
        if (a == b) trace += covariance_[a * arms_ + b];
      }
    const auto count = static_cast<double>(arms_);
    return std::max((trace - all / count) / (count - 1), 0.0);
  }

 private:
  void add_arm(size_t arm, const std::vector<ArmSample>& samples,
               std::map<int64_t, std::vector<double>>& influences) {
    Cells cells;
    std::map<size_t, std::set<size_t>> lengths;  // by task
    std::map<size_t, std::set<int64_t>> units;   // clusters by task
    for (const ArmSample& sample : samples) {
      Sum& cell = cells[{sample.task, sample.length}];
      cell.scores += sample.score;
      ++cell.n;
      lengths[sample.task].insert(sample.length);
      units[sample.task].insert(sample.cluster);
    }
    samples_[arm] = static_cast<int64_t>(samples.size());
    const auto tasks = static_cast<double>(lengths.size());
    const auto weight_of = [&](size_t task) {
      return 1 / (tasks * static_cast<double>(lengths.at(task).size()));
    };
    for (const auto& [key, cell] : cells)
      means_[arm] += weight_of(key.first) * cell.scores / static_cast<double>(cell.n);
    for (const ArmSample& sample : samples) {
      const Sum& cell = cells.at({sample.task, sample.length});
      const auto n = static_cast<double>(cell.n);
      const auto independent = static_cast<double>(units.at(sample.task).size());
      const double correction = independent > 1 ? std::sqrt(independent / (independent - 1)) : 1;
      std::vector<double>& influence = influences[sample.cluster];
      influence.resize(arms_, 0);
      influence[arm] += weight_of(sample.task) * correction * (sample.score - cell.scores / n) / n;
    }
  }

  size_t arms_;
  std::vector<double> means_;
  std::vector<int64_t> samples_;
  std::vector<double> covariance_;
  int64_t clusters_ = 0;
};

// What sampling would give if every arm's mean, drawn half an answer towards the middle, were that
// of a coin: for arms whose scores show no variation at all.
double coin_variance(const ArmMeans& means, size_t arms) {
  double sum = 0;
  for (size_t arm = 0; arm < arms; ++arm) {
    const auto n = static_cast<double>(means.samples(arm));
    const double p = (means.mean(arm) * n + 1) / (n + 2);
    sum += p * (1 - p) / n;
  }
  return sum / static_cast<double>(arms);
}

Estimate arm_estimate(const ArmMeans& means, size_t arm, double coin, double freedom,
                      double confidence) {
  const double variance = means.variance(arm) > 0 ? means.variance(arm) : coin;
  const double t =
      boost::math::quantile(boost::math::students_t(std::max(freedom, 1.0)), 0.5 + confidence / 2);
  const double half = t * std::sqrt(variance);
  return {.value = means.mean(arm),
          .low = std::max(means.mean(arm) - half, 0.0),
          .high = std::min(means.mean(arm) + half, 1.0),
          .n = means.samples(arm),
          .method = IntervalMethod::kClusterRobust};
}

struct Shared {
  int64_t samples = 0;   // that every arm has
  int64_t clusters = 0;  // behind them
  int64_t tasks = 0;
};
Shared shared_by_all(std::span<const std::vector<ArmSample>> arms) {
  std::map<std::tuple<size_t, size_t, int64_t>, std::pair<size_t, int64_t>> counts;
  std::set<size_t> tasks;
  for (const std::vector<ArmSample>& arm : arms)
    for (const ArmSample& sample : arm) {
      auto& [count, cluster] = counts[{sample.task, sample.length, sample.unit}];
      ++count;
      cluster = sample.cluster;
      tasks.insert(sample.task);
    }
  std::set<int64_t> clusters;
  Shared shared{.tasks = static_cast<int64_t>(tasks.size())};
  for (const auto& [key, value] : counts) {
    if (value.first != arms.size()) continue;
    ++shared.samples;
    clusters.insert(value.second);
  }
  shared.clusters = static_cast<int64_t>(clusters.size());
  return shared;
}

}  // namespace

SpreadRow arm_spread(std::span<const std::vector<ArmSample>> arms, double confidence) {
  const ArmMeans means(arms);
  const Shared shared = shared_by_all(arms);
  const auto count = static_cast<double>(arms.size());
  const double coin = coin_variance(means, arms.size());

  SpreadRow row;
  row.shared = shared.samples;
  double centre = 0;
  for (size_t arm = 0; arm < arms.size(); ++arm) centre += means.mean(arm) / count;
  double squares = 0;
  row.lowest = row.highest = means.mean(0);
  for (size_t arm = 0; arm < arms.size(); ++arm) {
    squares += (means.mean(arm) - centre) * (means.mean(arm) - centre);
    row.lowest = std::min(row.lowest, means.mean(arm));
    row.highest = std::max(row.highest, means.mean(arm));
    row.arms.push_back(arm_estimate(
        means, arm, coin, static_cast<double>(means.clusters() - shared.tasks), confidence));
  }
  const double seen = squares / (count - 1);
  const double measured = means.sampling_variance();
  const double sampling = measured > 0 ? measured : coin;
  row.deviation = std::sqrt(seen);
  row.sampling_deviation = std::sqrt(sampling);

  // seen / (arm variance + sampling) is distributed as F: exactly so for equal normal errors.
  const double freedom = std::max(
      shared.samples > 0
          ? (count - 1) * static_cast<double>(shared.clusters - shared.tasks)
          : static_cast<double>(means.clusters()) - count * static_cast<double>(shared.tasks),
      1.0);
  const boost::math::fisher_f ratio(count - 1, freedom);
  row.p = boost::math::cdf(boost::math::complement(ratio, seen / sampling));
  const double upper = boost::math::quantile(ratio, 0.5 + confidence / 2);
  const double lower = boost::math::quantile(ratio, 0.5 - confidence / 2);
  const auto deviation = [](double variance) { return std::sqrt(std::max(variance, 0.0)); };
  row.arm_deviation = {
      .value = deviation(seen - sampling),
      .low = deviation(seen / upper - sampling),
      // A spread smaller than sampling's own says nothing against arms that differ.
      .high = deviation(std::max(seen, sampling) / lower - sampling),
      .n = static_cast<int64_t>(arms.size()),
      .method = IntervalMethod::kVarianceRatio};
  return row;
}

}  // namespace fathom
