#include "results/summaries.h"

#include <algorithm>
#include <string>

#include "base/threads.h"
#include "results/complexity_regions.h"
#include "results/controls.h"
#include "results/results.h"
#include "results/sample_clusters.h"
#include "results/score_grids.h"
#include "stats/clustered.h"
#include "stats/grid_means.h"
#include "stats/slope.h"

namespace fathom {
namespace {

// Area under the means over log2 length by the trapezoid rule; unknown below two lengths.
Estimate area_under(const GridMeans& means, double confidence) {
  if (means.size() < 2) return {};
  std::vector<double> weights(means.size(), 0);
  for (size_t i = 0; i + 1 < means.size(); ++i) {
    const double step = means.log2[i + 1] - means.log2[i];
    weights[i] += step / 2;
    weights[i + 1] += step / 2;
  }
  return mean_over_lengths(means, weights, confidence);
}

// RULER's three averages: plain, weights 1..k and k..1.
RulerAverages averages_of(const GridMeans& means, double confidence) {
  std::vector<double> rising(means.size());
  for (size_t i = 0; i < rising.size(); ++i) rising[i] = static_cast<double>(i + 1);
  const std::vector<double> falling(rising.rbegin(), rising.rend());
  return {.average = mean_over_lengths(means, {}, confidence),
          .increasing = mean_over_lengths(means, rising, confidence),
          .decreasing = mean_over_lengths(means, falling, confidence)};
}

Estimate scaled(Estimate estimate, double factor) {
  estimate.value *= factor;
  estimate.low *= factor;
  estimate.high *= factor;
  estimate.error *= factor;
  return estimate;
}

// Mean cost a sample of every cell as a share of the worst, [task * lengths + length].
std::vector<Estimate> cell_costs(const Results& results, double worst) {
  struct Costs {
    std::vector<double> shares;  // of the worst
    std::vector<int64_t> clusters;
  };
  std::vector<Costs> cells(results.cells.size());
  for (size_t row = 0; row < results.rows.size(); ++row) {
    const ScoredAttempt* score = results.score_of(row);
    if (score == nullptr) continue;
    const SampleRow& place = results.rows[row];
    Costs& cell = cells[place.task * results.lengths.size() + place.length];
    cell.shares.push_back(cost_of(*score, results.options.risk) / worst);
    cell.clusters.push_back(results.clusters[row]);
  }
  std::vector<Estimate> costs;
  for (const Costs& cell : cells)
    costs.push_back(clustered_mean_score(cell.shares, cell.clusters, results.options.confidence));
  return costs;
}

class SummaryMaker {
 public:
  explicit SummaryMaker(const Results& results)
      : results_(results),
        options_(results.options),
        grids_(run_grids(results)),
        dependence_(task_dependence(results, results.clusters)),
        costs_(cell_costs(results, grids_.worst_cost)),
        needles_(control_scores(results, kNeedlesOnly)) {}

  [[nodiscard]] Summaries summaries() const {
    Summaries summaries;
    struct Wanted {
      std::string name;
      std::vector<size_t> tasks;
      std::optional<size_t> curve = std::nullopt;
      std::optional<size_t> task = std::nullopt;
    };
    std::vector<Wanted> wanted;
    for (size_t curve = 0; curve < results_.curves.size(); ++curve)
      wanted.push_back(
          {.name = results_.curves[curve].name, .tasks = tasks_of(curve), .curve = curve});
    if (grids_.tasks.size() > 1)
      for (const size_t task : grids_.tasks)
        wanted.push_back({.name = results_.tasks[task].cell, .tasks = {task}, .task = task});
    summaries.curves.resize(wanted.size());
    parallel_for(wanted.size(), options_.threads, [&](size_t i) {
      summaries.curves[i] = summary(wanted[i].name, wanted[i].tasks);
      summaries.curves[i].curve = wanted[i].curve;
      summaries.curves[i].task = wanted[i].task;
    });
    summaries.robust = robust();
    summaries.averages = averages();
    summaries.regions = complexity_regions(results_, grids_);
    return summaries;
  }

 private:
  // Of Results::curves: the first is of all ordinary tasks, the others of a category each.
  [[nodiscard]] std::vector<size_t> tasks_of(size_t curve) const {
    if (curve == 0) return grids_.tasks;
    return tasks_of_category(results_.curves[curve].name);
  }
  [[nodiscard]] std::vector<size_t> tasks_of_category(const std::string& category) const {
    std::vector<size_t> tasks;
    for (const size_t task : grids_.tasks)
      if (results_.tasks[task].category == category) tasks.push_back(task);
    return tasks;
  }

  // The grid of these tasks, without the lengths that wait for one of them.
  [[nodiscard]] ScoreGrid part_of(const ScoreGrid& grid, const std::vector<size_t>& tasks) const {
    const std::vector<size_t> chosen = grids_.grid_tasks(tasks);
    ScoreGrid part = grid;
    blank_waiting(part, tasks);
    return part.of_tasks(chosen);
  }

  // A length at which one of the tasks has samples and none is asked yet is blank: the mean of the
  // others would be that of other tasks than at the lengths beside it.
  void blank_waiting(ScoreGrid& grid, const std::vector<size_t>& tasks) const {
    const std::vector<size_t> chosen = grids_.grid_tasks(tasks);
    for (size_t length = 0; length < grids_.lengths.size(); ++length) {
      const bool waiting = std::any_of(tasks.begin(), tasks.end(), [&](size_t task) {
        return results_.cell(task, grids_.lengths[length]).mark == CellMark::kNotRun;
      });
      if (!waiting) continue;
      for (const size_t task : chosen)
        for (size_t unit = 0; unit < grid.indices; ++unit)
          grid.at(task, length, unit) = ScoreGrid::kMissing;
    }
  }

  [[nodiscard]] CurveSummary summary(const std::string& name,
                                     const std::vector<size_t>& tasks) const {
    const ScoreGrid usability = part_of(grids_.usability, tasks);
    const double confidence = options_.confidence;
    CurveSummary summary{.name = name};
    summary.absolute = effective_length(usability, options_.threshold, confidence);
    const Estimate base =
        options_.relative_to == RelativeBase::kControl ? control_mean(needles_, tasks) : Estimate{};
    summary.relative = relative_effective_length(usability, options_.relative, base, confidence);
    // Nothing is a share of nothing, and one length is always as good as itself.
    if (summary.relative.threshold <= 0 ||
        (!base.known() && summary.relative.shortest == summary.relative.longest))
      summary.relative = {.rule = EffectiveLengthRule::kRelative, .ratio = options_.relative};
    summary.strict =
        effective_length(part_of(grids_.strict, tasks), options_.threshold, confidence);
    summary.risk = risk_effective_length(part_of(grids_.cost, tasks), options_.risk_limit,
                                         grids_.worst_cost, confidence);
    summary.cost = costs_of(tasks);
    summary.slope = slope_per_doubling(usability, confidence);
    summary.area = area_under(grid_means(usability, confidence), confidence);
    return summary;
  }

  [[nodiscard]] std::vector<Estimate> costs_of(const std::vector<size_t>& tasks) const {
    std::vector<Estimate> costs;
    for (size_t length = 0; length < results_.lengths.size(); ++length) {
      std::vector<Estimate> parts;
      for (const size_t task : tasks)
        parts.push_back(costs_[task * results_.lengths.size() + length]);
      costs.push_back(
          scaled(weighted_mean(parts, {}, dependence_, options_.confidence), grids_.worst_cost));
    }
    return costs;
  }

  [[nodiscard]] RulerAverages averages() const {
    if (!grids_.lengths.empty() || results_.curves.front().points.empty())
      return averages_of(grid_means(part_of(grids_.usability, grids_.tasks), options_.confidence),
                         options_.confidence);
    const Estimate& only = results_.curves.front().points.front().usability;
    return {.average = only, .increasing = only, .decreasing = only};
  }

  [[nodiscard]] RobustLength robust() const {
    std::vector<std::string> categories;
    for (const size_t task : grids_.tasks)
      if (const std::string& category = results_.tasks[task].category;
          std::find(categories.begin(), categories.end(), category) == categories.end())
        categories.push_back(category);

    RobustLength robust;
    robust.parts.resize(categories.size());
    std::vector<CategoryThreshold> thresholds(categories.size());
    std::vector<std::vector<double>> shares(categories.size());
    parallel_for(categories.size(), options_.threads, [&](size_t i) {
      const auto own = options_.category_thresholds.find(categories[i]);
      const double threshold =
          own == options_.category_thresholds.end() ? options_.threshold : own->second;
      thresholds[i] = {categories[i], grids_.grid_tasks(tasks_of_category(categories[i])),
                       threshold};
      const ScoreGrid grid = part_of(grids_.usability, tasks_of_category(categories[i]));
      robust.parts[i] = {.category = categories[i],
                         .effective = effective_length(grid, threshold, options_.confidence)};
      const RandomKey key = RandomKey(options_.seed).with("robust").with(categories[i]);
      shares[i] =
          resample_effective_length(grid, threshold, options_.resamples, key, options_.confidence)
              .shares;
    });
    ScoreGrid begun = grids_.usability;
    for (const std::string& category : categories)
      blank_waiting(begun, tasks_of_category(category));
    robust.effective = robust_effective_length(begun, thresholds, options_.confidence);
    share_first(shares, robust);
    return robust;
  }

  // Categories share no samples, so their resampled lengths are independent: the chance that one is
  // the shortest follows from the single distributions, a tie of k counting 1/k for each.
  static void share_first(const std::vector<std::vector<double>>& shares, RobustLength& robust) {
    robust.none_breaks = shares.empty() ? 0 : 1;
    for (size_t one = 0; one < shares.size(); ++one) {
      if (shares[one].empty()) continue;
      robust.none_breaks *= shares[one].back();
      for (size_t end = 0; end + 1 < shares[one].size(); ++end) {
        std::vector<double> ties = {1};  // by number of others that end here; none ends before
        for (size_t other = 0; other < shares.size(); ++other) {
          if (other == one || shares[other].empty()) continue;
          double later = 0;
          for (size_t i = end + 1; i < shares[other].size(); ++i) later += shares[other][i];
          ties.push_back(0);
          for (size_t k = ties.size(); k-- > 1;)
            ties[k] = ties[k] * later + ties[k - 1] * shares[other][end];
          ties[0] *= later;
        }
        for (size_t k = 0; k < ties.size(); ++k)
          robust.parts[one].breaks_first += shares[one][end] * ties[k] / static_cast<double>(k + 1);
      }
    }
  }

  const Results& results_;
  const ResultsOptions& options_;
  RunGrids grids_;
  Dependence dependence_;
  std::vector<Estimate> costs_;    // by cell, shares of the worst
  std::vector<Estimate> needles_;  // by Results::tasks
};

}  // namespace

Summaries summaries_of(const Results& results) { return SummaryMaker(results).summaries(); }

}  // namespace fathom
