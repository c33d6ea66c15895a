#include "report/result_files.h"

#include <fmt/format.h>

#include "grade/python_text.h"
#include "io/file.h"
#include "report/terminal_text.h"
#include "results/effective_length_json.h"
#include "results/labels.h"
#include "results/verdict.h"
#include "text/utf8.h"

namespace fathom {
namespace {

constexpr int kSummaryVersion = 1;

Json to_json(const Estimate& estimate) {
  if (!estimate.known()) return nullptr;
  return {{"value", estimate.value},
          {"low", estimate.low},
          {"high", estimate.high},
          {"n", estimate.n},
          {"method", std::string(to_text(estimate.method))}};
}

Json to_json(const Tally& tally) {
  Json outcomes = Json::object();
  for (const Outcome outcome : all_outcomes())
    outcomes[std::string(to_text(outcome))] = tally.outcomes[static_cast<size_t>(outcome)];
  return {{"samples", tally.samples},
          {"attempted", tally.attempted},
          {"completed", tally.completed},
          {"nulls", tally.nulls},
          {"outcomes", std::move(outcomes)},
          {"quality", to_json(tally.quality)},
          {"completion", to_json(tally.completion)},
          {"usability", to_json(tally.usability)}};
}

Json curve_json(const Results& results, const Curve& curve) {
  Json points = Json::array();
  for (const LengthSummary& point : curve.points)
    points.push_back({{"length", results.lengths[point.length]},
                      {"quality", to_json(point.quality)},
                      {"usability", to_json(point.usability)},
                      {"tasks_with_quality", point.tasks_with_quality},
                      {"tasks_with_usability", point.tasks_with_usability},
                      {"pool", to_json(point.all)}});
  return {{"name", curve.name},
          {"effective_length", effective_length_json(curve.effective)},
          {"points", std::move(points)}};
}

Json cell_json(const Results& results, const Cell& cell) {
  const ResultTask& task = results.tasks[cell.task];
  Json json = {{"task", task.task},
               {"cell", task.cell},
               {"category", task.category},
               {"metric", std::string(to_text(task.metric))},
               {"length", results.lengths[cell.length]},
               {"mark", std::string(to_text(cell.mark))},
               {"ruler_score", nullptr}};
  if (cell.tally.completed > 0) json["ruler_score"] = cell.ruler_score;
  json.update(to_json(cell.tally));
  return json;
}

// RFC 4180: quoted where needed.
std::string csv_field(const std::string& text) {
  const std::string valid = repair_utf8(text);
  if (valid.find_first_of(",\"\r\n") == std::string::npos) return valid;
  std::string quoted = "\"";
  for (const char byte : valid) quoted += byte == '"' ? "\"\"" : std::string(1, byte);
  return quoted + "\"";
}

class TidyCsv {
 public:
  TidyCsv(std::string run, std::string model) : run_(csv_field(run)), model_(csv_field(model)) {}

  void add(const std::string& cell, const std::string& task, int64_t length,
           const std::string& metric, const Estimate& estimate) {
    std::string& out = rows_;
    out += fmt::format("{},{},{},{},{},{},", run_, model_, csv_field(task), csv_field(cell), length,
                       metric);
    if (estimate.known()) {
      const bool has_interval = estimate.method != IntervalMethod::kNone;
      out += fmt::format("{},{},{},{},{}\n", python_repr(estimate.value),
                         has_interval ? python_repr(estimate.low) : "",
                         has_interval ? python_repr(estimate.high) : "", estimate.n,
                         has_interval ? to_text(estimate.method) : "");
    } else {
      out += ",,,0,\n";
    }
  }
  void add_count(const std::string& cell, const std::string& task, int64_t length,
                 const std::string& metric, int64_t count, int64_t of) {
    rows_ += fmt::format("{},{},{},{},{},{},{},,,{},\n", run_, model_, csv_field(task),
                         csv_field(cell), length, metric, count, of);
  }
  [[nodiscard]] std::string text() const {
    return "run,model,task,cell,length,metric,value,low,high,n,method\n" + rows_;
  }

 private:
  std::string run_;
  std::string model_;
  std::string rows_;
};

void add_cell_rows(TidyCsv& csv, const Results& results, const Cell& cell) {
  const ResultTask& task = results.tasks[cell.task];
  const int64_t length = results.lengths[cell.length];
  const Tally& tally = cell.tally;
  csv.add(task.cell, task.task, length, "usability", tally.usability);
  csv.add(task.cell, task.task, length, "quality", tally.quality);
  csv.add(task.cell, task.task, length, "completion", tally.completion);
  if (tally.completed > 0)
    csv.add(task.cell, task.task, length, "ruler_score",
            {.value = cell.ruler_score, .n = tally.completed});
  csv.add_count(task.cell, task.task, length, "nulls", tally.nulls, tally.completed);
  csv.add_count(task.cell, task.task, length, "not_run", tally.samples - tally.attempted,
                tally.samples);
  for (const Outcome outcome : all_outcomes())
    csv.add_count(task.cell, task.task, length, "outcome:" + std::string(to_text(outcome)),
                  tally.outcomes[static_cast<size_t>(outcome)], tally.attempted);
}

std::string markdown_safe(const std::string& text) {
  std::string out;
  for (const char byte : terminal_safe(text)) {
    if (std::string_view("|\\`*_<>[]#&").find(byte) != std::string_view::npos) out += '\\';
    out += byte;
  }
  return out;
}

std::string markdown_figure(const Estimate& estimate) {
  return fmt::format("{:.1f} ({:.0f}–{:.0f})", estimate.value * 100, estimate.low * 100,
                     estimate.high * 100);
}

std::string markdown_cell(const Cell& cell) {
  if (cell.mark == CellMark::kNoSamples) return "";
  if (cell.mark != CellMark::kScore && cell.mark != CellMark::kZero) return mark_label(cell.mark);
  return markdown_figure(cell.tally.usability) +
         (cell.tally.completed < cell.tally.attempted ? "\\*" : "");
}

bool has_predictions(const Results& results, size_t task, size_t length) {
  return results.cell(task, length).tally.completed > 0;
}

Result<void> write_ruler_files(const std::string& folder, const Results& results) {
  for (size_t length = 0; length < results.lengths.size(); ++length) {
    const std::string place = fmt::format("{}/ruler/{}", folder, results.lengths[length]);
    TRY_VOID(make_directories(place));
    TRY_VOID(write_file_atomic(place + "/" + ruler_summary_name(results, length),
                               ruler_summary_csv(results, length)));
  }
  return {};
}

}  // namespace

Json summary_json(const Results& results, const RunDescription& run) {
  Json conditions = Json::array();
  for (const Condition& condition : run.conditions)
    conditions.push_back(
        {{"group", condition.group}, {"name", condition.name}, {"value", condition.value}});
  Json curves = Json::array();
  for (const Curve& curve : results.curves) curves.push_back(curve_json(results, curve));
  Json cells = Json::array();
  for (const Cell& cell : results.cells)
    if (cell.mark != CellMark::kNoSamples) cells.push_back(cell_json(results, cell));
  return {{"format", "fathom-summary"},
          {"version", kSummaryVersion},
          {"run", run.name},
          {"model", run.model},
          {"provider", run.provider},
          {"simulated", run.simulated},
          {"suite", run.suite},
          {"started", run.started},
          {"verdict", verdict(results, run)},
          {"confidence", kConfidence},
          {"total", to_json(results.total)},
          {"averages",
           {{"average", to_json(results.averages.average)},
            {"increasing", to_json(results.averages.increasing)},
            {"decreasing", to_json(results.averages.decreasing)}}},
          {"curves", std::move(curves)},
          {"cells", std::move(cells)},
          {"conditions", std::move(conditions)}};
}

std::string results_csv(const Results& results, const RunDescription& run) {
  TidyCsv csv(run.name, run.model);
  for (const Cell& cell : results.cells)
    if (cell.mark != CellMark::kNoSamples) add_cell_rows(csv, results, cell);
  for (const Curve& curve : results.curves)
    for (const LengthSummary& point : curve.points) {
      const std::string name = "mean of " + curve.name;
      csv.add(name, name, results.lengths[point.length], "usability", point.usability);
      csv.add(name, name, results.lengths[point.length], "quality", point.quality);
      csv.add(name, name, results.lengths[point.length], "completion", point.all.completion);
    }
  return csv.text();
}

std::string markdown_table(const Results& results, const RunDescription& run) {
  std::string out = markdown_safe(verdict(results, run)) + "\n\n| task |";
  for (const int64_t length : results.lengths) out += " " + length_name(length) + " |";
  out += "\n|---|";
  for (size_t i = 0; i < results.lengths.size(); ++i) out += "---:|";
  for (size_t task = 0; task < results.tasks.size(); ++task) {
    out += "\n| " + markdown_safe(results.tasks[task].cell) + " |";
    for (size_t length = 0; length < results.lengths.size(); ++length)
      out += " " + markdown_cell(results.cell(task, length)) + " |";
  }
  out += "\n| **mean** |";
  for (const LengthSummary& point : results.curves.front().points)
    out += point.usability.known() ? " **" + markdown_figure(point.usability) + "** |" : "  |";
  out += "\n| completed |";
  for (const LengthSummary& point : results.curves.front().points)
    out += point.all.completion.known()
               ? fmt::format(" {:.1f} % |", point.all.completion.value * 100)
               : "  |";
  out +=
      "\n\nPercent right of all requests with its 95 % interval; a failed request counts as "
      "wrong (\\*).\n";
  return out;
}

std::string ruler_summary_csv(const Results& results, size_t length) {
  std::string header = "0";
  std::string tasks = "Tasks";
  std::string scores = "Score";
  std::string nulls = "Nulls";
  int column = 0;
  for (size_t task = 0; task < results.tasks.size(); ++task) {
    if (!has_predictions(results, task, length)) continue;
    const Cell& cell = results.cell(task, length);
    header += fmt::format(",{}", ++column);
    tasks += "," + csv_field(results.tasks[task].cell);
    scores += "," + python_repr(cell.ruler_score);
    nulls += fmt::format(",{}/{}", cell.tally.nulls, cell.tally.completed);
  }
  return header + "\n" + tasks + "\n" + scores + "\n" + nulls + "\n";
}

std::string ruler_summary_name(const Results& results, size_t length) {
  const ResultTask* only = nullptr;
  int count = 0;
  for (size_t task = 0; task < results.tasks.size(); ++task) {
    if (!has_predictions(results, task, length)) continue;
    only = &results.tasks[task];
    ++count;
  }
  if (count != 1) return "summary.csv";
  // Task names come from files: none may lead out of the folder.
  std::string name = only->cell;
  for (char& byte : name)
    if (byte == '/' || byte == '\0') byte = '_';
  return "summary-" + name + ".csv";
}

Result<void> write_result_files(const std::string& folder, const Results& results,
                                const RunDescription& run) {
  TRY_VOID(make_directories(folder));
  TRY_VOID(write_scores(folder + "/scores.jsonl", results.scores));
  TRY_VOID(write_file_atomic(folder + "/summary.json", to_pretty_json(summary_json(results, run))));
  TRY_VOID(write_file_atomic(folder + "/results.csv", results_csv(results, run)));
  TRY_VOID(write_file_atomic(folder + "/results.md", markdown_table(results, run)));
  return write_ruler_files(folder, results);
}

}  // namespace fathom
