#include "results/controls.h"

#include <algorithm>
#include <map>
#include <string>

#include "results/tally_pool.h"
#include "stats/paired.h"
#include "stats/weighted_mean.h"

namespace fathom {
namespace {

using ByIndex = std::map<int64_t, double>;  // scores, failures 0

// Scores of one control by ordinary cell and index.
std::map<std::string, ByIndex> control_samples_of(const Results& results,
                                                  std::string_view control) {
  std::map<std::string, ByIndex> cells;
  for (const ControlSample& sample : results.control_samples)
    if (sample.score && sample.facts.variant.control() == control)
      cells[sample.facts.variant.of][sample.facts.index] =
          results.scores[*sample.score].official.value_or(0);
  return cells;
}

// One control of a run, ready to be held against its cells.
class Control {
 public:
  Control(const Results& results, std::string_view control)
      : results_(results),
        samples_(control_samples_of(results, control)),
        scores_(control_scores(results, control)) {}

  [[nodiscard]] const Estimate& score(size_t task) const { return scores_[task]; }

  // Mean of cell minus control: by index where they have indices in common, else of two groups.
  [[nodiscard]] Estimate cell_minus_control(size_t task, const ByIndex& cell,
                                            const Estimate& cell_score) const {
    const auto own = samples_.find(results_.tasks[task].cell);
    if (own == samples_.end() || !cell_score.known()) return {};
    std::vector<double> control;
    std::vector<double> with_context;
    for (const auto& [index, score] : cell)
      if (const auto found = own->second.find(index); found != own->second.end()) {
        control.push_back(found->second);
        with_context.push_back(score);
      }
    if (control.empty()) return unpaired_difference(scores_[task], cell_score);
    return paired_difference(control, with_context, {}, results_.options.confidence);
  }

 private:
  const Results& results_;
  std::map<std::string, ByIndex> samples_;
  std::vector<Estimate> scores_;
};

Estimate negated(const Estimate& estimate) {
  if (!estimate.known()) return {};
  Estimate other = estimate;
  other.value = -estimate.value;
  other.low = -estimate.high;
  other.high = -estimate.low;
  return other;
}

// The mean over the rows' tasks that know a part.
ControlRow mean_row(const std::vector<ControlRow>& rows, size_t length) {
  ControlRow mean{.length = length};
  constexpr Estimate ControlRow::*kParts[] = {
      &ControlRow::score, &ControlRow::no_context, &ControlRow::needles_only,
      &ControlRow::above_no_context, &ControlRow::below_needles_only};
  for (Estimate ControlRow::*part : kParts) {
    std::vector<Estimate> parts;
    for (const ControlRow& row : rows)
      if (row.length == length) parts.push_back(row.*part);
    mean.*part = weighted_mean(parts, {}, Dependence::kIndependent);
  }
  return mean;
}

}  // namespace

std::vector<Estimate> control_scores(const Results& results, std::string_view control) {
  std::map<std::string, TallyPool> pools;
  std::map<std::string, int64_t> clusters;  // by haystack
  for (const ControlSample& sample : results.control_samples) {
    if (sample.facts.variant.control() != control) continue;
    const std::string& own = sample.facts.id;
    const std::string& haystack = sample.facts.haystack.empty() ? own : sample.facts.haystack;
    const auto cluster =
        clusters.try_emplace(haystack, static_cast<int64_t>(clusters.size())).first->second;
    pools[sample.facts.variant.of].add(sample.score ? &results.scores[*sample.score] : nullptr,
                                       cluster);
  }
  std::vector<Estimate> scores(results.tasks.size());
  for (size_t task = 0; task < results.tasks.size(); ++task)
    if (const auto found = pools.find(results.tasks[task].cell); found != pools.end())
      scores[task] = found->second.tally(results.options.confidence).usability;
  return scores;
}

Estimate control_mean(std::span<const Estimate> scores, std::span<const size_t> tasks) {
  std::vector<Estimate> parts;
  for (const size_t task : tasks) {
    if (!scores[task].known()) return {};
    parts.push_back(scores[task]);
  }
  return weighted_mean(parts, {}, Dependence::kIndependent);
}

std::vector<ControlRow> control_rows(const Results& results) {
  if (results.control_samples.empty()) return {};
  const Control no_context(results, kNoContext);
  const Control needles_only(results, kNeedlesOnly);
  std::vector<ByIndex> cells(results.cells.size());
  for (size_t row = 0; row < results.rows.size(); ++row)
    if (const ScoredAttempt* score = results.score_of(row))
      cells[results.rows[row].task * results.lengths.size() + results.rows[row].length]
           [results.samples[row].index] = score->official.value_or(0);

  std::vector<ControlRow> rows;
  size_t tasks = 0;
  for (size_t task = 0; task < results.tasks.size(); ++task) {
    if (!no_context.score(task).known() && !needles_only.score(task).known()) continue;
    ++tasks;
    for (size_t length = 0; length < results.lengths.size(); ++length) {
      const Estimate& score = results.cell(task, length).tally.usability;
      const ByIndex& cell = cells[task * results.lengths.size() + length];
      if (results.cell(task, length).tally.samples == 0) continue;
      rows.push_back(
          {.task = task,
           .length = length,
           .score = score,
           .no_context = no_context.score(task),
           .needles_only = needles_only.score(task),
           .above_no_context = no_context.cell_minus_control(task, cell, score),
           .below_needles_only = negated(needles_only.cell_minus_control(task, cell, score))});
    }
  }
  if (tasks > 1) {
    const std::vector<ControlRow> of_tasks = rows;
    for (size_t length = 0; length < results.lengths.size(); ++length)
      if (const ControlRow mean = mean_row(of_tasks, length); mean.score.known())
        rows.push_back(mean);
  }
  return rows;
}

}  // namespace fathom
