#include "results/results.h"

#include <algorithm>
#include <functional>
#include <map>
#include <unordered_map>

#include "base/threads.h"
#include "grade/ruler_score.h"
#include "results/cell_name.h"
#include "results/sample_clusters.h"
#include "results/tally_pool.h"
#include "stats/macro_mean.h"

namespace fathom {
namespace {

// Why a cell without any complete answer failed: its most frequent outcome.
CellMark failure_mark(const Tally& tally) {
  const auto most = std::max_element(tally.outcomes.begin(), tally.outcomes.end());
  switch (all_outcomes()[static_cast<size_t>(most - tally.outcomes.begin())]) {
    case Outcome::kOutOfMemory:
      return CellMark::kOutOfMemory;
    case Outcome::kTimedOut:
      return CellMark::kTimedOut;
    case Outcome::kOverWindow:
      return CellMark::kOverWindow;
    case Outcome::kAnswered:
    case Outcome::kOutputCut:
    case Outcome::kThinkingCut:
    case Outcome::kInputTruncated:
    case Outcome::kRefused:
    case Outcome::kErrorPermanent:
    case Outcome::kErrorTransient:
      return CellMark::kFailed;
  }
  return CellMark::kFailed;
}

CellMark mark_of(const Tally& tally) {
  if (tally.samples == 0) return CellMark::kNoSamples;
  if (tally.attempted == 0) return CellMark::kNotRun;
  if (tally.completed == 0) return failure_mark(tally);
  return tally.quality.value > 0 ? CellMark::kScore : CellMark::kZero;
}

// Samples of controls have no length, so they are kept out of the grid.
void set_controls_aside(Results& results) {
  const auto controls =
      std::stable_partition(results.samples.begin(), results.samples.end(),
                            [](const SampleFacts& facts) { return !facts.variant.is_control(); });
  for (auto each = controls; each != results.samples.end(); ++each)
    results.control_samples.push_back({.facts = std::move(*each), .score = std::nullopt});
  results.samples.erase(controls, results.samples.end());
}

void find_axes(Results& results) {
  std::unordered_map<std::string, size_t> task_of;
  results.rows.reserve(results.samples.size());
  for (const SampleFacts& sample : results.samples) {
    const auto [found, fresh] = task_of.try_emplace(sample.cell, results.tasks.size());
    if (fresh)
      results.tasks.push_back({.cell = sample.cell,
                               .task = sample.task,
                               .category = category_of(sample.task),
                               .metric = sample.metric,
                               .has_depth = false,
                               .parameters = cell_parameters(sample.cell),
                               .variant = sample.variant});
    if (sample.depth) results.tasks[found->second].has_depth = true;
    results.lengths.push_back(sample.length);
    results.rows.push_back({.task = found->second, .length = 0, .score = std::nullopt});
  }
  std::sort(results.lengths.begin(), results.lengths.end());
  results.lengths.erase(std::unique(results.lengths.begin(), results.lengths.end()),
                        results.lengths.end());
  for (size_t row = 0; row < results.rows.size(); ++row) {
    const auto length = std::lower_bound(results.lengths.begin(), results.lengths.end(),
                                         results.samples[row].length);
    results.rows[row].length = static_cast<size_t>(length - results.lengths.begin());
  }
}

void join_scores(Results& results) {
  std::unordered_map<std::string_view, size_t> first_attempt;
  first_attempt.reserve(results.scores.size());
  for (size_t i = 0; i < results.scores.size(); ++i)
    if (results.scores[i].number == 0) first_attempt[results.scores[i].sample_id] = i;
  const auto score_of = [&](const std::string& id) -> std::optional<size_t> {
    const auto found = first_attempt.find(id);
    if (found == first_attempt.end()) return std::nullopt;
    return found->second;
  };
  for (size_t row = 0; row < results.rows.size(); ++row)
    results.rows[row].score = score_of(results.samples[row].id);
  for (ControlSample& control : results.control_samples) control.score = score_of(control.facts.id);
}

void fill_cells(Results& results) {
  const double confidence = results.options.confidence;
  std::vector<TallyPool> pools(results.tasks.size() * results.lengths.size());
  TallyPool all;
  all.reserve(results.rows.size());
  for (size_t row = 0; row < results.rows.size(); ++row) {
    const SampleRow& place = results.rows[row];
    pools[place.task * results.lengths.size() + place.length].add(results.score_of(row),
                                                                  results.clusters[row]);
    all.add(results.score_of(row), results.clusters[row]);
  }
  for (size_t i = 0; i < pools.size(); ++i) {
    Cell cell{.task = i / results.lengths.size(), .length = i % results.lengths.size()};
    cell.tally = pools[i].tally(confidence);
    cell.ruler_score = ruler_task_score(pools[i].graded(), cell.tally.nulls).score;
    cell.mark = mark_of(cell.tally);
    results.cells.push_back(cell);
  }
  results.total = all.tally(confidence);
}

void fill_depth(Results& results) {
  std::map<std::array<size_t, 3>, TallyPool> pools;
  for (size_t row = 0; row < results.rows.size(); ++row) {
    const std::optional<double>& depth = results.samples[row].depth;
    if (!depth) continue;
    const int bin = std::clamp(static_cast<int>(*depth * kDepthBins), 0, kDepthBins - 1);
    const SampleRow& place = results.rows[row];
    pools[{place.task, place.length, static_cast<size_t>(bin)}].add(results.score_of(row),
                                                                    results.clusters[row]);
  }
  for (const auto& [key, pool] : pools)
    results.depth.push_back({.task = key[0],
                             .length = key[1],
                             .bin = static_cast<int>(key[2]),
                             .tally = pool.tally(results.options.confidence)});
}

// The ordinary tasks of `category` (empty: of all), in order.
std::vector<size_t> tasks_of(const Results& results, const std::string& category) {
  std::vector<size_t> tasks;
  for (size_t task = 0; task < results.tasks.size(); ++task)
    if (results.tasks[task].variant.ordinary() &&
        (category.empty() || results.tasks[task].category == category))
      tasks.push_back(task);
  return tasks;
}

// The scores at one length, for means over tasks that have clusters in common.
struct PointScores {
  TaskScores quality;
  TaskScores usability;
  TaskScores strict;

  void add(const ScoredAttempt* score, size_t task, int64_t cluster) {
    if (score == nullptr) return;
    usability.add(score->official.value_or(0), task, cluster);
    strict.add(score->strict.value_or(0), task, cluster);
    if (score->official) quality.add(*score->official, task, cluster);
  }
};

class Curves {
 public:
  explicit Curves(Results& results)
      : results_(results),
        boundaries_(block_boundaries(results.lengths)),
        spans_tasks_(share_spanning_tasks(results, results.clusters) > 0) {}

  void fill() {
    std::vector<std::string> categories;
    for (const size_t task : tasks_of(results_, ""))
      if (const std::string& category = results_.tasks[task].category;
          std::find(categories.begin(), categories.end(), category) == categories.end())
        categories.push_back(category);
    std::vector<std::string> names = {""};
    if (categories.size() > 1) names.insert(names.end(), categories.begin(), categories.end());
    results_.curves.resize(names.size());
    parallel_for(names.size(), results_.options.threads,
                 [&](size_t curve) { results_.curves[curve] = curve_of(names[curve]); });
  }

 private:
  // The mean over the tasks of `category` (empty: all) at every length.
  [[nodiscard]] Curve curve_of(const std::string& category) const {
    const std::vector<size_t> tasks = tasks_of(results_, category);
    std::vector<bool> belongs(results_.tasks.size(), false);
    for (const size_t task : tasks) belongs[task] = true;
    std::vector<TallyPool> pools(results_.lengths.size());
    std::vector<PointScores> scores(results_.lengths.size());
    for (size_t row = 0; row < results_.rows.size(); ++row) {
      const SampleRow& place = results_.rows[row];
      if (!belongs[place.task]) continue;
      pools[place.length].add(results_.score_of(row), results_.clusters[row]);
      if (spans_tasks_)
        scores[place.length].add(results_.score_of(row), place.task, results_.clusters[row]);
    }

    Curve curve{.name = category.empty() ? "all tasks" : category};
    for (size_t length = 0; length < results_.lengths.size(); ++length) {
      curve.points.push_back(point_of(tasks, length, scores[length]));
      curve.points.back().all = pools[length].tally(results_.options.confidence);
    }
    return curve;
  }

  [[nodiscard]] LengthSummary point_of(const std::vector<size_t>& tasks, size_t length,
                                       const PointScores& scores) const {
    std::vector<Estimate> qualities;
    std::vector<Estimate> usabilities;
    std::vector<Estimate> stricts;
    for (const size_t task : tasks) {
      const Tally& tally = results_.cell(task, length).tally;
      if (tally.quality.known()) qualities.push_back(tally.quality);
      if (!tally.usability.known()) continue;
      usabilities.push_back(tally.usability);
      stricts.push_back(tally.strict);
    }
    LengthSummary summary{.length = length, .edge = boundaries_[length] != length};
    const auto mean = [&](const std::vector<Estimate>& parts, const TaskScores& own) {
      const double confidence = results_.options.confidence;
      return spans_tasks_ ? macro_mean(own, confidence)
                          : weighted_mean(parts, {}, Dependence::kIndependent, confidence);
    };
    summary.quality = mean(qualities, scores.quality);
    summary.usability = mean(usabilities, scores.usability);
    summary.strict = mean(stricts, scores.strict);
    summary.tasks_with_quality = static_cast<int64_t>(qualities.size());
    summary.tasks_with_usability = static_cast<int64_t>(usabilities.size());
    return summary;
  }

  Results& results_;
  std::vector<size_t> boundaries_;
  bool spans_tasks_;  // some cluster holds samples of several tasks
};

}  // namespace

std::string_view to_text(CellMark mark) {
  switch (mark) {
    case CellMark::kScore:
      return "score";
    case CellMark::kZero:
      return "zero";
    case CellMark::kNotRun:
      return "not-run";
    case CellMark::kNoSamples:
      return "no-samples";
    case CellMark::kOutOfMemory:
      return "out-of-memory";
    case CellMark::kTimedOut:
      return "timed-out";
    case CellMark::kOverWindow:
      return "over-window";
    case CellMark::kFailed:
      return "failed";
  }
  return "failed";
}

const ScoredAttempt* Results::score_of(size_t row) const {
  const std::optional<size_t>& score = rows[row].score;
  return score ? &scores[*score] : nullptr;
}

Results build_results(std::vector<SampleFacts> samples, std::vector<ScoredAttempt> scores,
                      const ResultsOptions& options) {
  Results results;
  results.samples = std::move(samples);
  results.scores = std::move(scores);
  results.threshold = options.threshold;
  results.options = options;
  set_controls_aside(results);
  find_axes(results);
  join_scores(results);
  results.clusters = sample_clusters(results);
  fill_cells(results);
  fill_depth(results);
  Curves(results).fill();
  results.summaries = summaries_of(results);
  results.averages = results.summaries.averages;
  for (size_t curve = 0; curve < results.curves.size(); ++curve)
    results.curves[curve].effective = results.summaries.curves[curve].absolute;
  const std::function<void()> rest[] = {
      [&] { results.positions = positions_of(results); },
      [&] { results.spending = spending_of(results); },
      [&] { results.controls = control_rows(results); },
      [&] { results.variants = variants_within(results); },
  };
  parallel_for(std::size(rest), options.threads, [&](size_t part) { rest[part](); });
  return results;
}

}  // namespace fathom
