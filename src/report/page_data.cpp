#include "report/page_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "io/json.h"
#include "results/effective_length_json.h"
#include "results/labels.h"
#include "results/verdict.h"

namespace fathom {
namespace {

constexpr int kPageVersion = 1;
constexpr int64_t kNone = -1;

// Page figures keep six decimals: more than any screen shows, a third of the bytes.
double rounded(double value) { return std::round(value * 1e6) / 1e6; }

Json to_json(const Estimate& estimate) {
  if (!estimate.known()) return nullptr;
  return {{"value", rounded(estimate.value)},
          {"low", rounded(estimate.low)},
          {"high", rounded(estimate.high)},
          {"n", estimate.n},
          {"method", std::string(to_text(estimate.method))}};
}

Json to_json(const Tally& tally) {
  return {{"samples", tally.samples},
          {"attempted", tally.attempted},
          {"completed", tally.completed},
          {"nulls", tally.nulls},
          {"outcomes", tally.outcomes},
          {"quality", to_json(tally.quality)},
          {"completion", to_json(tally.completion)},
          {"usability", to_json(tally.usability)}};
}

// Tasks and lengths of all runs; each run's own indices are translated into these.
struct Axes {
  std::vector<int64_t> lengths;
  std::vector<ResultTask> tasks;

  [[nodiscard]] size_t length_index(int64_t length) const {
    return static_cast<size_t>(std::lower_bound(lengths.begin(), lengths.end(), length) -
                               lengths.begin());
  }
  [[nodiscard]] size_t task_index(const std::string& cell) const {
    const auto found = std::find_if(tasks.begin(), tasks.end(),
                                    [&](const ResultTask& task) { return task.cell == cell; });
    return static_cast<size_t>(found - tasks.begin());
  }
};

Axes axes_of(std::span<const PageRun> runs) {
  Axes axes;
  for (const PageRun& run : runs) {
    for (const ResultTask& task : run.results->tasks) {
      const size_t at = axes.task_index(task.cell);
      if (at == axes.tasks.size()) {
        axes.tasks.push_back(task);
      } else if (task.has_depth) {
        axes.tasks[at].has_depth = true;
      }
    }
    axes.lengths.insert(axes.lengths.end(), run.results->lengths.begin(),
                        run.results->lengths.end());
  }
  std::sort(axes.lengths.begin(), axes.lengths.end());
  axes.lengths.erase(std::unique(axes.lengths.begin(), axes.lengths.end()), axes.lengths.end());
  return axes;
}

// A run's results in the indices of the page.
struct RunAxes {
  std::vector<size_t> task;
  std::vector<size_t> length;
};

RunAxes run_axes(const Results& results, const Axes& axes) {
  RunAxes own;
  for (const ResultTask& task : results.tasks) own.task.push_back(axes.task_index(task.cell));
  for (const int64_t length : results.lengths) own.length.push_back(axes.length_index(length));
  return own;
}

Json cells_json(const Results& results, const RunAxes& own) {
  Json cells = Json::array();
  for (const Cell& cell : results.cells) {
    if (cell.mark == CellMark::kNoSamples) continue;
    cells.push_back({{"task", own.task[cell.task]},
                     {"length", own.length[cell.length]},
                     {"tally", to_json(cell.tally)},
                     {"ruler", cell.ruler_score},
                     {"mark", static_cast<int>(cell.mark)}});
  }
  return cells;
}

Json curves_json(const Results& results, const RunAxes& own) {
  Json curves = Json::array();
  for (const Curve& curve : results.curves) {
    Json points = Json::array();
    for (const LengthSummary& point : curve.points)
      points.push_back({{"length", own.length[point.length]},
                        {"quality", to_json(point.quality)},
                        {"usability", to_json(point.usability)},
                        {"tasks_with_quality", point.tasks_with_quality},
                        {"tasks_with_usability", point.tasks_with_usability},
                        {"pool", to_json(point.all)}});
    curves.push_back({{"name", curve.name},
                      {"effective", effective_length_json(curve.effective)},
                      {"points", std::move(points)}});
  }
  return curves;
}

Json depth_json(const Results& results, const RunAxes& own) {
  Json bins = Json::array();
  for (const DepthBin& bin : results.depth)
    bins.push_back({{"task", own.task[bin.task]},
                    {"length", own.length[bin.length]},
                    {"bin", bin.bin},
                    {"tally", to_json(bin.tally)}});
  return bins;
}

void append_column(std::string& out, std::string_view name, const std::vector<int64_t>& values) {
  fmt::format_to(std::back_inserter(out), "\"{}\":[", name);
  for (size_t i = 0; i < values.size(); ++i)
    fmt::format_to(std::back_inserter(out), "{}{}", i == 0 ? "" : ",", values[i]);
  out += ']';
}

int64_t thousandths(double share) { return static_cast<int64_t>(std::lround(share * 1000)); }

// Where each of the results' cells stands in the list that cells_json() wrote.
std::vector<int64_t> listed_cells(const Results& results) {
  std::vector<int64_t> place(results.cells.size(), kNone);
  int64_t next = 0;
  for (size_t i = 0; i < results.cells.size(); ++i)
    if (results.cells[i].mark != CellMark::kNoSamples) place[i] = next++;
  return place;
}

std::string usual_id(const SampleFacts& sample) {
  return fmt::format("{}:{}:{}", sample.cell, sample.length, sample.index);
}

std::string samples_json(const Results& results) {
  const size_t count = results.rows.size();
  const std::vector<int64_t> place = listed_cells(results);
  std::vector<int64_t> cell(count);
  std::vector<int64_t> index(count);
  std::vector<int64_t> outcome(count, kNone);
  std::vector<int64_t> score(count, kNone);
  std::vector<int64_t> depth(count, kNone);
  Json ids = Json::object();
  for (size_t i = 0; i < count; ++i) {
    const SampleFacts& sample = results.samples[i];
    const SampleRow& row = results.rows[i];
    cell[i] = place[row.task * results.lengths.size() + row.length];
    index[i] = sample.index;
    if (sample.depth) depth[i] = thousandths(*sample.depth);
    if (sample.id != usual_id(sample)) ids[std::to_string(i)] = sample.id;
    if (!row.score) continue;
    const ScoredAttempt& attempt = results.scores[*row.score];
    outcome[i] = static_cast<int64_t>(attempt.outcome);
    if (attempt.official) score[i] = thousandths(*attempt.official);
  }
  std::string out = fmt::format("{{\"count\":{},", count);
  append_column(out, "cell", cell);
  out += ',';
  append_column(out, "index", index);
  out += ',';
  append_column(out, "outcome", outcome);
  out += ',';
  append_column(out, "score", score);
  out += ',';
  append_column(out, "depth", depth);
  out += ",\"ids\":" + to_json_line(ids) + "}";
  return out;
}

// The cases that fit into `bytes`, as a JSON list, and how many did not.
struct PackedCases {
  std::string json = "[";
  size_t left_out = 0;
};

PackedCases pack_cases(const PageRun& run, size_t bytes) {
  PackedCases packed;
  for (size_t i = 0; i < run.cases.size(); ++i) {
    const std::string json = case_json(run.cases[i], run.results->samples[run.cases[i].row]);
    if (packed.json.size() + json.size() > bytes) {
      packed.left_out = run.cases.size() - i;
      break;
    }
    if (i > 0) packed.json += ',';
    packed.json += json;
  }
  packed.json += ']';
  return packed;
}

std::string run_json(const PageRun& run, const Axes& axes, size_t case_bytes) {
  const Results& results = *run.results;
  const RunDescription& description = *run.description;
  const RunAxes own = run_axes(results, axes);
  const PackedCases cases = pack_cases(run, case_bytes);
  Json conditions = Json::array();
  for (const Condition& condition : description.conditions)
    conditions.push_back(
        {{"group", condition.group}, {"name", condition.name}, {"value", condition.value}});
  const EffectiveLength effective =
      results.curves.empty() ? EffectiveLength{} : results.curves.front().effective;
  const Json json = {{"name", description.name},
                     {"model", description.model},
                     {"provider", description.provider},
                     {"suite", description.suite},
                     {"started", description.started},
                     {"settings", description.settings},
                     {"simulated", description.simulated},
                     {"verdict", verdict(results, description)},
                     {"effective", effective_length_json(effective)},
                     {"averages",
                      {{"average", to_json(results.averages.average)},
                       {"increasing", to_json(results.averages.increasing)},
                       {"decreasing", to_json(results.averages.decreasing)}}},
                     {"conditions", std::move(conditions)},
                     {"total", to_json(results.total)},
                     {"cells", cells_json(results, own)},
                     {"curves", curves_json(results, own)},
                     {"depth", depth_json(results, own)},
                     {"cases_left_out", cases.left_out},
                     {"remake", description.remake_command}};
  std::string out = to_json_line(json);
  out.pop_back();  // the closing brace: the long parts follow
  out += ",\"samples\":" + samples_json(results) + ",\"cases\":" + cases.json + "}";
  return out;
}

Json outcomes_json() {
  Json outcomes = Json::array();
  for (const Outcome outcome : all_outcomes())
    outcomes.push_back({{"kind", std::string(to_text(outcome))},
                        {"label", outcome_label(outcome)},
                        {"complete", is_complete(outcome)}});
  return outcomes;
}

Json marks_json() {
  Json marks = Json::array();
  for (const CellMark mark : all_marks())
    marks.push_back({{"kind", std::string(to_text(mark))}, {"label", mark_label(mark)}});
  return marks;
}

std::string title_of(std::span<const PageRun> runs) {
  std::string title;
  for (const PageRun& run : runs) {
    const std::string name =
        run.description->model.empty() ? run.description->name : run.description->model;
    if (title.find(name) != std::string::npos) continue;
    title += (title.empty() ? "" : ", ") + name;
  }
  return title;
}

Json top_json(std::span<const PageRun> runs, const Axes& axes, const PageOptions& options) {
  Json lengths = Json::array();
  for (const int64_t length : axes.lengths)
    lengths.push_back({{"tokens", length}, {"name", length_name(length)}});
  Json tasks = Json::array();
  Json categories = Json::array();
  for (const ResultTask& task : axes.tasks) {
    tasks.push_back({{"cell", task.cell},
                     {"task", task.task},
                     {"category", task.category},
                     {"metric", std::string(to_text(task.metric))},
                     {"has_depth", task.has_depth}});
    if (std::find(categories.begin(), categories.end(), Json(task.category)) == categories.end())
      categories.push_back(task.category);
  }
  return {{"format", "fathom-page"},
          {"version", kPageVersion},
          {"made", {{"by", options.made_by}, {"at", options.made_at}}},
          {"title", title_of(runs)},
          {"threshold", runs.empty() ? kRulerThreshold : runs.front().results->threshold},
          {"confidence", kConfidence},
          {"lengths", std::move(lengths)},
          {"tasks", std::move(tasks)},
          {"categories", std::move(categories)},
          {"outcomes", outcomes_json()},
          {"marks", marks_json()},
          {"depth_bins", kDepthBins}};
}

}  // namespace

std::string page_data(std::span<const PageRun> runs, const PageOptions& options) {
  const Axes axes = axes_of(runs);
  std::string out = to_json_line(top_json(runs, axes, options));
  out.pop_back();  // the closing brace: the runs follow
  out += ",\"runs\":[";
  const size_t share = options.case_bytes / std::max<size_t>(1, runs.size());
  for (size_t i = 0; i < runs.size(); ++i) {
    if (i > 0) out += ',';
    out += run_json(runs[i], axes, share);
  }
  out += "]}";
  return out;
}

}  // namespace fathom
