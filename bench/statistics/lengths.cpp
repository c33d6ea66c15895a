// Do intervals of effective lengths hold the true length?
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <mutex>

#include "sections.h"
#include "simulation.h"
#include "stats/effective_length.h"
#include "stats/grid_means.h"
#include "stats/interval.h"
#include "stats/isotonic.h"
#include "stats/slope.h"

namespace fathom::simulation {
namespace {

// A task's true mean by length: falls as a logistic curve of log2 length from `top`.
struct TrueCurve {
  double top = 0.98;
  double half = 15;    // log2 of the length at which half of `top` is left
  double steep = 1.2;  // per doubling
  [[nodiscard]] double at(double log2_length) const {
    return top / (1 + std::exp(steep * (log2_length - half)));
  }
};

struct Scenario {
  std::string name;
  std::vector<TrueCurve> tasks;
  double threshold = kRulerThreshold;
};

const std::vector<int64_t> kLengths = {4096, 8192, 16384, 32768, 65536, 131072};

std::vector<TrueCurve> thirteen(double half, double steep, double spread) {
  std::vector<TrueCurve> tasks;
  for (int i = 0; i < 13; ++i)
    tasks.push_back({.top = 1 - 0.004 * i, .half = half + spread * (i % 5 - 2), .steep = steep});
  return tasks;
}

std::vector<Scenario> scenarios() {
  return {
      {"1 task, steep", {{.top = 0.99, .half = 16.2, .steep = 2}}, 0.856},
      {"1 task, gentle", {{.top = 0.99, .half = 17.5, .steep = 0.8}}, 0.856},
      {"1 task, early", {{.top = 0.95, .half = 14.5, .steep = 1}}, 0.856},
      {"1 task, at half", {{.top = 0.97, .half = 15, .steep = 1}}, 0.5},
      {"1 task, cliff", {{.top = 1.0, .half = 15.5, .steep = 5}}, 0.856},
      {"13 tasks, alike", thirteen(16.5, 1.2, 0), 0.856},
      {"13 tasks, spread", thirteen(16.5, 1.2, 0.8), 0.856},
      {"13 tasks, gentle", thirteen(18, 0.7, 0.5), 0.856},
      {"13 tasks, at half", thirteen(15, 1, 1), 0.5},
  };
}

double true_mean(const Scenario& scenario, size_t length) {
  double sum = 0;
  for (const TrueCurve& task : scenario.tasks)
    sum += task.at(std::log2(static_cast<double>(kLengths[length])));
  return sum / static_cast<double>(scenario.tasks.size());
}

struct Truth {
  double crossing = 0;  // of the line through the true means at the grid's lengths
  double curve = 0;     // of the smooth curve itself
  int64_t last = 0;
};

Truth truth_of(const Scenario& scenario) {
  std::vector<double> x;
  std::vector<double> y;
  Truth truth;
  for (size_t length = 0; length < kLengths.size(); ++length) {
    x.push_back(std::log2(static_cast<double>(kLengths[length])));
    y.push_back(true_mean(scenario, length));
    if (y.back() >= scenario.threshold) truth.last = kLengths[length];
  }
  truth.crossing = std::exp2(falling_crossing(x, y, scenario.threshold));
  std::vector<double> fine_x;
  std::vector<double> fine_y;
  for (double place = x.front(); place <= x.back(); place += 1.0 / 256) {
    double sum = 0;
    for (const TrueCurve& task : scenario.tasks) sum += task.at(place);
    fine_x.push_back(place);
    fine_y.push_back(sum / static_cast<double>(scenario.tasks.size()));
  }
  truth.curve = std::exp2(falling_crossing(fine_x, fine_y, scenario.threshold));
  return truth;
}

// Units keep their difficulty over lengths: a uniform "luck" shared in part by all lengths.
ScoreGrid draw_grid(Random& random, const Scenario& scenario, size_t n) {
  ScoreGrid grid = ScoreGrid::empty(kLengths, scenario.tasks.size(), n);
  for (size_t task = 0; task < scenario.tasks.size(); ++task) {
    for (size_t index = 0; index < n; ++index) {
      const double own = random.uniform();
      for (size_t length = 0; length < kLengths.size(); ++length) {
        const double luck = random.uniform() < 0.4 ? own : random.uniform();
        const double mean =
            scenario.tasks[task].at(std::log2(static_cast<double>(kLengths[length])));
        grid.at(task, length, index) = luck < mean ? 1 : 0;
      }
    }
  }
  return grid;
}

bool holds(const Crossing& crossing, double truth) {
  return crossing.low <= truth * (1 + 1e-9) && truth <= crossing.high * (1 + 1e-9);
}

// In doublings, of the intervals with both ends inside the grid.
class MeanWidth {
 public:
  void add(const Crossing& crossing) {
    if (crossing.low <= 0 || crossing.high == Crossing::kNoEnd) return;
    const std::scoped_lock lock(mutex_);
    sum_ += std::log2(crossing.high / crossing.low);
    count_ += 1;
  }
  [[nodiscard]] std::string words() const {
    return count_ > 0 ? fmt::format("{:.2f}", sum_ / count_) : "open";
  }

 private:
  std::mutex mutex_;
  double sum_ = 0;
  double count_ = 0;
};

}  // namespace

void report_effective_lengths(int64_t trials) {
  print_head({"curve", "n", "grid reading", "crossing", "crossing, smooth truth",
              "width (doublings)", "percentile bootstrap", "its width"});
  for (const Scenario& scenario : scenarios()) {
    const Truth truth = truth_of(scenario);
    for (const size_t n : {20U, 50U, 100U, 200U}) {
      MeanWidth width;
      const auto shares = shares_of_trials(
          4 * trials, 3, scenario.name + std::to_string(n),
          [&](Random& random, std::vector<bool>& answers) {
            const ScoreGrid grid = draw_grid(random, scenario, n);
            const EffectiveLength effective = effective_length(grid, scenario.threshold);
            answers[0] = effective.low <= truth.last && truth.last <= effective.high;
            answers[1] = holds(effective.crossing, truth.crossing);
            answers[2] = holds(effective.crossing, truth.curve);
            width.add(effective.crossing);
          });
      // Resampling takes most of the time: a quarter of the trials.
      MeanWidth bootstrap_width;
      const double bootstrap =
          share_of_trials(trials, scenario.name + std::to_string(n), [&](Random& random) {
            const ScoreGrid grid = draw_grid(random, scenario, n);
            const Crossing crossing =
                resample_effective_length(grid, scenario.threshold, 400, RandomKey(random.next()))
                    .crossing;
            bootstrap_width.add(crossing);
            return holds(crossing, truth.crossing);
          });
      print_row({scenario.name, std::to_string(n), percent(shares[0]), percent(shares[1]),
                 percent(shares[2]), width.words(), percent(bootstrap), bootstrap_width.words()});
    }
  }
}

namespace {

// Thirteen tasks in four categories, as RULER's: retrieval (8), tracing, aggregation (2),
// answering.
std::vector<CategoryThreshold> ruler_categories() {
  return {{"retrieval", {0, 1, 2, 3, 4, 5, 6, 7}, 0.9},
          {"tracing", {8}, 0.856},
          {"aggregation", {9, 10}, 0.7},
          {"answering", {11, 12}, 0.6}};
}

std::vector<double> log2_lengths() {
  std::vector<double> x;
  for (const int64_t length : kLengths) x.push_back(std::log2(static_cast<double>(length)));
  return x;
}

double true_crossing(const Scenario& scenario, double threshold) {
  std::vector<double> y;
  for (size_t length = 0; length < kLengths.size(); ++length)
    y.push_back(true_mean(scenario, length));
  return std::exp2(falling_crossing(log2_lengths(), y, threshold));
}

double true_slope(const Scenario& scenario) {
  const std::vector<double> x = log2_lengths();
  double centre = 0;
  for (const double place : x) centre += place / static_cast<double>(x.size());
  double products = 0;
  double squares = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    products += (x[i] - centre) * true_mean(scenario, i);
    squares += (x[i] - centre) * (x[i] - centre);
  }
  return products / squares;
}

}  // namespace

void report_other_lengths(int64_t trials) {
  print_head({"curve", "n", "relative (85 % of the shortest)", "relative to a control", "robust",
              "business risk", "slope", "RULER's average"});
  for (const Scenario& scenario : scenarios()) {
    if (scenario.tasks.size() == 1) continue;
    const double base = true_mean(scenario, 0);
    const double control_mean = 0.97;
    double robust = Crossing::kNoEnd;
    for (const CategoryThreshold& category : ruler_categories()) {
      Scenario part{.name = category.name, .tasks = {}};
      for (const size_t task : category.tasks) part.tasks.push_back(scenario.tasks[task]);
      robust = std::min(robust, true_crossing(part, category.threshold));
    }
    const double average = [&] {
      double sum = 0;
      for (size_t i = 0; i < kLengths.size(); ++i) sum += true_mean(scenario, i) / 6;
      return sum;
    }();
    for (const size_t n : {20U, 50U, 200U}) {
      const auto shares = shares_of_trials(
          trials, 6, "other " + scenario.name + std::to_string(n),
          [&](Random& random, std::vector<bool>& held) {
            const ScoreGrid grid = draw_grid(random, scenario, n);
            std::vector<double> control(13 * n);
            for (double& score : control) score = random.uniform() < control_mean ? 1 : 0;
            // A wrong answer costs 2 of at most 5.
            ScoreGrid losses = grid;
            for (double& score : losses.scores) score = 2 * (1 - score);
            held[0] = holds(relative_effective_length(grid).crossing,
                            true_crossing(scenario, kBaseRatio * base));
            held[1] =
                holds(relative_effective_length(grid, kBaseRatio, mean_score(control)).crossing,
                      true_crossing(scenario, kBaseRatio * control_mean));
            held[2] = holds(robust_effective_length(grid, ruler_categories()).crossing, robust);
            held[3] = holds(risk_effective_length(losses, 0.5, 5).crossing,
                            true_crossing(scenario, 0.75));
            held[4] = covers(slope_per_doubling(grid), true_slope(scenario));
            held[5] = covers(mean_over_lengths(grid_means(grid), {}), average);
          });
      std::vector<std::string> cells = {scenario.name, std::to_string(n)};
      for (const double share : shares) cells.push_back(percent(share));
      print_row(cells);
    }
  }
}

}  // namespace fathom::simulation
