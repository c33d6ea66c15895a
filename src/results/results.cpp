#include "results/results.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "grade/ruler_score.h"
#include "stats/interval.h"

namespace fathom {
namespace {

// Gathers samples and turns them into a Tally at the end.
class Pool {
 public:
  void add(const ScoredAttempt* score) {
    ++tally_.samples;
    if (score == nullptr) return;
    ++tally_.attempted;
    ++tally_.outcomes[static_cast<size_t>(score->outcome)];
    if (!score->official) {
      counted_.push_back(0);
      return;
    }
    ++tally_.completed;
    tally_.nulls += score->empty ? 1 : 0;
    counted_.push_back(*score->official);
    graded_.push_back(*score->official);
  }

  [[nodiscard]] bool empty() const { return tally_.samples == 0; }
  [[nodiscard]] const std::vector<double>& graded() const { return graded_; }

  [[nodiscard]] Tally tally() const {
    Tally tally = tally_;
    tally.quality = mean_score(graded_);
    tally.usability = mean_score(counted_);
    tally.completion = wilson(static_cast<double>(tally.completed), tally.attempted);
    return tally;
  }

 private:
  Tally tally_;
  std::vector<double> graded_;   // of the completed
  std::vector<double> counted_;  // of the attempted, failures as 0
};

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

void find_axes(Results& results) {
  std::unordered_map<std::string, size_t> task_of;
  for (const SampleFacts& sample : results.samples) {
    const auto [found, fresh] = task_of.try_emplace(sample.cell, results.tasks.size());
    if (fresh)
      results.tasks.push_back({.cell = sample.cell,
                               .task = sample.task,
                               .category = category_of(sample.task),
                               .metric = sample.metric,
                               .has_depth = false});
    if (sample.depth) results.tasks[found->second].has_depth = true;
    results.lengths.push_back(sample.length);
  }
  std::sort(results.lengths.begin(), results.lengths.end());
  results.lengths.erase(std::unique(results.lengths.begin(), results.lengths.end()),
                        results.lengths.end());

  results.rows.reserve(results.samples.size());
  for (const SampleFacts& sample : results.samples) {
    const auto length =
        std::lower_bound(results.lengths.begin(), results.lengths.end(), sample.length);
    results.rows.push_back({.task = task_of.at(sample.cell),
                            .length = static_cast<size_t>(length - results.lengths.begin()),
                            .score = std::nullopt});
  }
}

void join_scores(Results& results) {
  std::unordered_map<std::string_view, size_t> first_attempt;
  for (size_t i = 0; i < results.scores.size(); ++i)
    if (results.scores[i].number == 0) first_attempt[results.scores[i].sample_id] = i;
  for (size_t row = 0; row < results.rows.size(); ++row) {
    const auto found = first_attempt.find(results.samples[row].id);
    if (found != first_attempt.end()) results.rows[row].score = found->second;
  }
}

const ScoredAttempt* score_of(const Results& results, size_t row) {
  const std::optional<size_t>& score = results.rows[row].score;
  return score ? &results.scores[*score] : nullptr;
}

void fill_cells(Results& results) {
  std::vector<Pool> pools(results.tasks.size() * results.lengths.size());
  Pool all;
  for (size_t row = 0; row < results.rows.size(); ++row) {
    const SampleRow& place = results.rows[row];
    pools[place.task * results.lengths.size() + place.length].add(score_of(results, row));
    all.add(score_of(results, row));
  }
  for (size_t i = 0; i < pools.size(); ++i) {
    Cell cell{.task = i / results.lengths.size(), .length = i % results.lengths.size()};
    cell.tally = pools[i].tally();
    cell.ruler_score = ruler_task_score(pools[i].graded(), cell.tally.nulls).score;
    cell.mark = mark_of(cell.tally);
    results.cells.push_back(cell);
  }
  results.total = all.tally();
}

void fill_depth(Results& results) {
  std::map<std::array<size_t, 3>, Pool> pools;
  for (size_t row = 0; row < results.rows.size(); ++row) {
    const std::optional<double>& depth = results.samples[row].depth;
    if (!depth) continue;
    const int bin = std::clamp(static_cast<int>(*depth * kDepthBins), 0, kDepthBins - 1);
    const SampleRow& place = results.rows[row];
    pools[{place.task, place.length, static_cast<size_t>(bin)}].add(score_of(results, row));
  }
  for (const auto& [key, pool] : pools)
    results.depth.push_back(
        {.task = key[0], .length = key[1], .bin = static_cast<int>(key[2]), .tally = pool.tally()});
}

// The mean over the tasks of `category` (empty: all) at every length.
Curve curve_of(const Results& results, const std::string& category) {
  const auto belongs = [&](size_t task) {
    return category.empty() || results.tasks[task].category == category;
  };
  std::vector<Pool> pools(results.lengths.size());
  for (size_t row = 0; row < results.rows.size(); ++row)
    if (belongs(results.rows[row].task))
      pools[results.rows[row].length].add(score_of(results, row));

  Curve curve{.name = category.empty() ? "all tasks" : category};
  std::vector<LengthPoint> points;
  for (size_t length = 0; length < results.lengths.size(); ++length) {
    std::vector<Estimate> qualities;
    std::vector<Estimate> usabilities;
    for (size_t task = 0; task < results.tasks.size(); ++task) {
      if (!belongs(task)) continue;
      const Tally& tally = results.cell(task, length).tally;
      if (tally.quality.known()) qualities.push_back(tally.quality);
      if (tally.usability.known()) usabilities.push_back(tally.usability);
    }
    LengthSummary summary{.length = length};
    summary.quality = weighted_mean(qualities, {}, Dependence::kIndependent);
    summary.usability = weighted_mean(usabilities, {}, Dependence::kIndependent);
    summary.tasks_with_quality = static_cast<int64_t>(qualities.size());
    summary.tasks_with_usability = static_cast<int64_t>(usabilities.size());
    summary.all = pools[length].tally();
    points.push_back({.length = results.lengths[length], .score = summary.usability});
    curve.points.push_back(std::move(summary));
  }
  curve.effective = effective_length(points, results.threshold);
  return curve;
}

void fill_curves(Results& results) {
  results.curves.push_back(curve_of(results, ""));
  std::vector<std::string> categories;
  for (const ResultTask& task : results.tasks)
    if (std::find(categories.begin(), categories.end(), task.category) == categories.end())
      categories.push_back(task.category);
  if (categories.size() > 1)
    for (const std::string& category : categories)
      results.curves.push_back(curve_of(results, category));

  std::vector<Estimate> by_length;
  for (const LengthSummary& point : results.curves.front().points)
    by_length.push_back(point.usability);
  results.averages = ruler_averages(by_length);
}

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

Results build_results(std::vector<SampleFacts> samples, std::vector<ScoredAttempt> scores,
                      double threshold) {
  Results results;
  results.samples = std::move(samples);
  results.scores = std::move(scores);
  results.threshold = threshold;
  find_axes(results);
  join_scores(results);
  fill_cells(results);
  fill_depth(results);
  fill_curves(results);
  return results;
}

}  // namespace fathom
