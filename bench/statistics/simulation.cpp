#include "simulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/distributions/beta.hpp>
#include <cmath>
#include <cstdio>
#include <mutex>

#include "base/threads.h"

namespace fathom::simulation {

std::vector<double> shares_of_trials(
    int64_t trials, size_t questions, const std::string& purpose,
    const std::function<void(Random&, std::vector<bool>&)>& answers) {
  constexpr int64_t kBlock = 50;
  const auto blocks = static_cast<size_t>((trials + kBlock - 1) / kBlock);
  std::vector<std::vector<int64_t>> counts(blocks, std::vector<int64_t>(questions));
  parallel_for(blocks, 0, [&](size_t block) {
    std::vector<bool> answer(questions);
    const int64_t first = static_cast<int64_t>(block) * kBlock;
    for (int64_t trial = first; trial < std::min(trials, first + kBlock); ++trial) {
      Random random(RandomKey(1).with(static_cast<uint64_t>(trial)), purpose);
      answers(random, answer);
      for (size_t i = 0; i < questions; ++i) counts[block][i] += answer[i] ? 1 : 0;
    }
  });
  std::vector<double> shares(questions);
  for (const auto& block : counts)
    for (size_t i = 0; i < questions; ++i)
      shares[i] += static_cast<double>(block[i]) / static_cast<double>(trials);
  return shares;
}

double share_of_trials(int64_t trials, const std::string& purpose,
                       const std::function<bool(Random&)>& holds) {
  return shares_of_trials(trials, 1, purpose, [&](Random& random, std::vector<bool>& answer) {
    answer[0] = holds(random);
  })[0];
}

void CoverageSummary::add(double coverage, const std::string& where) {
  sum_ += coverage;
  count_ += 1;
  if (coverage >= least_) return;
  least_ = coverage;
  where_ = where;
}

std::string CoverageSummary::average() const { return percent(sum_ / count_); }

std::string CoverageSummary::worst() const {
  return fmt::format("{} at {}", percent(least_), where_);
}

double draw_beta(Random& random, double mean, double correlation) {
  if (correlation <= 0 || mean <= 0 || mean >= 1) return mean;
  const double size = (1 - correlation) / correlation;
  const boost::math::beta_distribution<> beta(mean * size, (1 - mean) * size);
  return boost::math::quantile(beta, random.uniform());
}

double draw_score(Random& random, double chance, int references) {
  int found = 0;
  for (int i = 0; i < references; ++i) found += random.uniform() < chance ? 1 : 0;
  return static_cast<double>(found) / references;
}

double draw_score(Random& random, const TaskModel& model) {
  return draw_score(random, draw_beta(random, model.mean, model.correlation), model.references);
}

bool covers(const Estimate& estimate, double truth) {
  constexpr double kRounding = 1e-12;
  return estimate.low <= truth + kRounding && truth <= estimate.high + kRounding;
}

std::string percent(double share) { return fmt::format("{:.1f}", 100 * share); }

void print_row(const std::vector<std::string>& cells) {
  fmt::print("| {} |\n", fmt::join(cells, " | "));
  std::fflush(stdout);
}

void print_head(const std::vector<std::string>& cells) {
  print_row(cells);
  std::string line = "|---|";
  for (size_t i = 1; i < cells.size(); ++i) line += "---:|";
  fmt::print("{}\n", line);
}

}  // namespace fathom::simulation
