// What the simulations share: made-up scores with a known truth, trials on all cores, and tables.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/random.h"
#include "stats/estimate.h"

namespace fathom::simulation {

// Share of trials in which `holds` is true; trial i always draws the same numbers.
[[nodiscard]] double share_of_trials(int64_t trials, const std::string& purpose,
                                     const std::function<bool(Random&)>& holds);

// Several questions on the same draws: the share of trials in which each answer is true.
[[nodiscard]] std::vector<double> shares_of_trials(
    int64_t trials, size_t questions, const std::string& purpose,
    const std::function<void(Random&, std::vector<bool>&)>& answers);

// Means and worst points of coverage over a list of truths.
class CoverageSummary {
 public:
  void add(double coverage, const std::string& where);
  [[nodiscard]] std::string average() const;  // "94.9"
  [[nodiscard]] std::string worst() const;    // "91.2 at mean .95"
  [[nodiscard]] double average_value() const { return sum_ / count_; }
  [[nodiscard]] double worst_value() const { return least_; }
  [[nodiscard]] const std::string& worst_place() const { return where_; }

 private:
  double sum_ = 0;
  double count_ = 0;
  double least_ = 2;
  std::string where_;
};

// How samples of a task differ: each has its own chance of finding each of `references` answers,
// Beta with this mean and this correlation between the answers of one sample.
struct TaskModel {
  double mean = 0.8;
  int references = 1;  // a score is a multiple of 1 / references
  double correlation = 0;
};
[[nodiscard]] double draw_beta(Random& random, double mean, double correlation);
[[nodiscard]] double draw_score(Random& random, double chance, int references);
[[nodiscard]] double draw_score(Random& random, const TaskModel& model);

[[nodiscard]] bool covers(const Estimate& estimate, double truth);

// A Markdown table row by row.
void print_row(const std::vector<std::string>& cells);
void print_head(const std::vector<std::string>& cells);  // first column left, the others right
[[nodiscard]] std::string percent(double share);         // "94.9"

}  // namespace fathom::simulation
