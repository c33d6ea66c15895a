#include "report/result_files.h"

#include <fmt/format.h>

#include <optional>

#include "grade/python_text.h"
#include "io/file.h"
#include "report/markup_text.h"
#include "results/labels.h"
#include "results/verdict.h"

namespace fathom {
namespace {

// What a row of the CSV is about. Length 0 stands for none: an empty field.
struct RowPlace {
  std::string task;
  std::string cell;
  int64_t length = 0;
};

class TidyCsv {
 public:
  TidyCsv(const std::string& run, const std::string& model)
      : head_(csv_text(run) + "," + csv_text(model)) {}

  void add(const RowPlace& place, std::string_view metric, const Estimate& estimate) {
    begin(place, metric);
    if (!estimate.known()) {
      rows_ += ",,,0,\n";
      return;
    }
    const bool has_interval = estimate.method != IntervalMethod::kNone;
    rows_ += fmt::format("{},{},{},{},{}\n", python_repr(estimate.value),
                         has_interval ? python_repr(estimate.low) : "",
                         has_interval ? python_repr(estimate.high) : "", estimate.n,
                         has_interval ? csv_text(to_text(estimate.method)) : "");
  }
  void add_count(const RowPlace& place, std::string_view metric, int64_t count, int64_t of) {
    begin(place, metric);
    rows_ += fmt::format("{},,,{},\n", count, of);
  }
  // In tokens; `low` and `high` of it are lengths too, 0 where not even the shortest passes.
  void add_length(const RowPlace& place, std::string_view metric,
                  const EffectiveLength& effective) {
    if (effective.kind == EffectiveLengthKind::kNotMeasured) return;
    begin(place, metric);
    rows_ += fmt::format("{},{},{},,{}\n", effective.length, effective.low, effective.high,
                         to_text(effective.kind));
  }
  [[nodiscard]] std::string text() const {
    return "run,model,task,cell,length,metric,value,low,high,n,method\n" + rows_;
  }

 private:
  void begin(const RowPlace& place, std::string_view metric) {
    rows_ += fmt::format("{},{},{},{},{},", head_, csv_text(place.task), csv_text(place.cell),
                         place.length == 0 ? "" : std::to_string(place.length), metric);
  }

  std::string head_;
  std::string rows_;
};

void add_cell_rows(TidyCsv& csv, const Results& results, const Cell& cell) {
  const ResultTask& task = results.tasks[cell.task];
  const RowPlace place{task.task, task.cell, results.lengths[cell.length]};
  const Tally& tally = cell.tally;
  csv.add(place, "usability", tally.usability);
  csv.add(place, "quality", tally.quality);
  csv.add(place, "strict", tally.strict);
  csv.add(place, "completion", tally.completion);
  if (tally.completed > 0)
    csv.add(place, "ruler_score", {.value = cell.ruler_score, .n = tally.completed});
  csv.add_count(place, "nulls", tally.nulls, tally.completed);
  csv.add_count(place, "not_run", tally.samples - tally.attempted, tally.samples);
  for (const Outcome outcome : all_outcomes())
    csv.add_count(place, fmt::format("outcome:{}", to_text(outcome)),
                  tally.outcomes[static_cast<size_t>(outcome)], tally.attempted);
  for (const Miss miss : all_misses()) {
    const int64_t count = tally.misses[static_cast<size_t>(miss)];
    if (count > 0)
      csv.add_count(place, fmt::format("miss:{}", to_text(miss)), count, tally.completed);
  }
}

void add_curve_rows(TidyCsv& csv, const Results& results) {
  for (const Curve& curve : results.curves) {
    const std::string name = "mean of " + curve.name;
    for (const LengthSummary& point : curve.points) {
      const RowPlace place{name, name, results.lengths[point.length]};
      csv.add(place, "usability", point.usability);
      csv.add(place, "quality", point.quality);
      csv.add(place, "strict", point.strict);
      csv.add(place, "completion", point.all.completion);
    }
  }
  for (const CurveSummary& summary : results.summaries.curves) {
    const std::string name =
        summary.task ? results.tasks[*summary.task].task : "mean of " + summary.name;
    const RowPlace place{name, summary.task ? summary.name : name, 0};
    csv.add_length(place, "effective_length", summary.absolute);
    csv.add_length(place, "effective_length_relative", summary.relative);
    csv.add_length(place, "effective_length_strict", summary.strict);
    csv.add_length(place, "effective_length_risk", summary.risk);
    csv.add(place, "slope_per_doubling", summary.slope);
    csv.add(place, "area", summary.area);
  }
}

// A control stands beside every length alike: one row.
void add_control_rows(TidyCsv& csv, const Results& results) {
  std::optional<size_t> last;
  for (const ControlRow& row : results.controls) {
    if (!row.task || row.task == last) continue;
    last = row.task;
    const ResultTask& task = results.tasks[*row.task];
    const auto add = [&](std::string_view control, const Estimate& estimate) {
      const SampleVariant variant{VariantAxis::kControl, std::string(control), task.cell};
      if (estimate.known()) csv.add({task.task, variant.cell(), 0}, "usability", estimate);
    };
    add(kNoContext, row.no_context);
    add(kNeedlesOnly, row.needles_only);
  }
}

void add_spending_rows(TidyCsv& csv, const Results& results) {
  for (const LengthSpending& each : results.spending.lengths) {
    if (!each.length) continue;
    const RowPlace place{"all samples", "all samples", results.lengths[*each.length]};
    const auto add = [&](const std::string& name, const Quantiles& quantiles) {
      if (quantiles.n == 0) return;
      csv.add(place, name + "_p50", quantiles.p50);
      csv.add(place, name + "_p95", quantiles.p95);
    };
    add("first_token_ms", each.first_token_ms);
    add("cold_first_token_ms", each.cold_first_token_ms);
    add("warm_first_token_ms", each.warm_first_token_ms);
    add("total_ms", each.total_ms);
    add("input_tokens", each.input);
    add("output_tokens", each.output);
    add("kv_bytes", each.kv_bytes);
    add("peak_bytes", each.peak_bytes);
  }
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

std::string results_csv(const Results& results, const RunDescription& run) {
  TidyCsv csv(run.name, run.model);
  for (const Cell& cell : results.cells)
    if (cell.mark != CellMark::kNoSamples) add_cell_rows(csv, results, cell);
  add_curve_rows(csv, results);
  add_control_rows(csv, results);
  add_spending_rows(csv, results);
  return csv.text();
}

std::string markdown_table(const Results& results, const RunDescription& run) {
  const Verdict words = verdict_of(results, run);
  std::string out = "**" + markdown_text(words.headline) + "**\n\n";
  if (!words.details.empty()) out += markdown_text(words.details) + "\n\n";
  out += "| task |";
  for (const int64_t length : results.lengths) out += " " + length_name(length) + " |";
  out += "\n|---|";
  for (size_t i = 0; i < results.lengths.size(); ++i) out += "---:|";
  for (size_t task = 0; task < results.tasks.size(); ++task) {
    if (!results.tasks[task].variant.ordinary()) continue;
    out += "\n| " + markdown_text(results.tasks[task].cell) + " |";
    for (size_t length = 0; length < results.lengths.size(); ++length)
      out += " " + markdown_cell(results.cell(task, length)) + " |";
  }
  const std::vector<LengthSummary>& points = results.curves.front().points;
  out += "\n| **average** |";
  for (const LengthSummary& point : points)
    out += point.usability.known() ? " **" + markdown_figure(point.usability) + "** |" : "  |";
  out += "\n| strict |";
  for (const LengthSummary& point : points)
    out += point.strict.known() ? " " + markdown_figure(point.strict) + " |" : "  |";
  out += "\n| completed |";
  for (const LengthSummary& point : points)
    out += point.all.completion.known()
               ? fmt::format(" {:.1f} % |", point.all.completion.value * 100)
               : "  |";
  out +=
      "\n\nPercent right of all requests with its 95 % interval; a failed request counts as "
      "wrong (\\*). Strict: also no denial, no hedge and no wrong candidate besides.\n";
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
    tasks += "," + csv_text(results.tasks[task].cell);
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
