#include "report/terminal_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "report/inked_lines.h"
#include "report/sparkline.h"
#include "report/terminal_summary.h"
#include "report/terminal_text.h"
#include "results/labels.h"
#include "results/verdict.h"

namespace fathom {
namespace {

constexpr size_t kValueWidth = 7;      // " 100.0*"
constexpr size_t kIntervalWidth = 7;   // " 96–100"
constexpr size_t kCompletedWidth = 6;  // "  100%"
constexpr size_t kLongestName = 24;
constexpr size_t kShortestName = 10;
constexpr std::string_view kMeanName = "average";
constexpr std::string_view kIntervalName = "  95 %";
constexpr std::string_view kStrictName = "strict";
constexpr std::string_view kLenientName = "lenient";
constexpr std::string_view kCompletedName = "completed";

struct Layout {
  size_t name = 0;
  bool intervals = true;
  size_t lengths_a_block = 1;
  size_t spark = 0;  // columns; 0: no room for curves

  [[nodiscard]] size_t column() const { return kValueWidth + (intervals ? kIntervalWidth : 0); }
  [[nodiscard]] size_t needed() const {
    return name + lengths_a_block * column() + kCompletedWidth + spark;
  }
};

// What the table is drawn from, and how.
struct Drawing {
  const Results& results;
  const TableStyle& style;
  std::vector<size_t> tasks;  // variants left out
  Layout layout;

  [[nodiscard]] const Estimate& shown(const Tally& tally) const {
    return style.strict ? tally.strict : tally.usability;
  }
  [[nodiscard]] const Estimate& shown(const LengthSummary& point) const {
    return style.strict ? point.strict : point.usability;
  }
  [[nodiscard]] const Estimate& other(const LengthSummary& point) const {
    return style.strict ? point.usability : point.strict;
  }
};

std::vector<size_t> ordinary_tasks(const Results& results) {
  std::vector<size_t> tasks;
  for (size_t task = 0; task < results.tasks.size(); ++task)
    if (results.tasks[task].variant.ordinary()) tasks.push_back(task);
  return tasks;
}

Layout layout_for(const Results& results, const std::vector<size_t>& tasks, size_t width) {
  size_t name = kCompletedName.size();
  for (const size_t task : tasks)
    name = std::max(name, display_width(terminal_safe(results.tasks[task].cell)));
  const size_t count = std::max<size_t>(1, results.lengths.size());
  Layout layout{.name = std::min(name, kLongestName), .lengths_a_block = count};
  if (layout.needed() <= width) {
    // What is left goes to curves, then to whole names.
    if (count > 1 && layout.needed() + count + 2 <= width) layout.spark = count + 2;
    const size_t left = width - layout.needed();
    layout.name = std::min(name, layout.name + left);
    return layout;
  }
  layout.intervals = false;
  if (layout.needed() <= width) {
    if (count > 1 && layout.needed() + count + 2 <= width) layout.spark = count + 2;
    return layout;
  }
  layout.lengths_a_block = 1;
  if (layout.needed() > width) {
    const size_t over = layout.needed() - width;
    layout.name = std::max(kShortestName, layout.name - std::min(layout.name, over));
  }
  while (layout.lengths_a_block < count) {
    ++layout.lengths_a_block;
    if (layout.needed() <= width) continue;
    --layout.lengths_a_block;
    break;
  }
  return layout;
}

LineInk ink_of(const Estimate& estimate, double threshold) {
  if (estimate.low >= threshold) return LineInk::kGood;
  return estimate.high < threshold ? LineInk::kBad : LineInk::kOpen;
}

std::string percent(double share) { return fmt::format("{:.1f}", share * 100); }

std::string interval_text(const Estimate& estimate) {
  return fmt::format("{:.0f}–{:.0f}", estimate.low * 100, estimate.high * 100);
}

void add_estimate(InkedLines& page, const Drawing& drawing, const Estimate& estimate,
                  bool has_failures) {
  const Layout& layout = drawing.layout;
  if (!estimate.known()) {
    page.add(std::string(layout.column(), ' '));
    return;
  }
  page.add(padded_right(percent(estimate.value) + (has_failures ? "*" : " "), kValueWidth),
           ink_of(estimate, drawing.results.threshold));
  if (layout.intervals)
    page.add(padded_right(interval_text(estimate), kIntervalWidth), LineInk::kFaint);
}

void add_cell(InkedLines& page, const Drawing& drawing, const Cell& cell) {
  const Tally& tally = cell.tally;
  if (cell.mark == CellMark::kScore || cell.mark == CellMark::kZero) {
    add_estimate(page, drawing, drawing.shown(tally), tally.completed < tally.attempted);
    return;
  }
  page.add(padded_right(mark_sign(cell.mark) + " ", kValueWidth), LineInk::kFaint);
  if (drawing.layout.intervals) page.add(std::string(kIntervalWidth, ' '));
}

void add_completion(InkedLines& page, size_t width, const Estimate& completion) {
  page.add(completion.known() ? padded_right(fmt::format("{:.0f}%", completion.value * 100), width)
                              : std::string(width, ' '),
           completion.known() && completion.value < 1 ? LineInk::kOpen : LineInk::kNone);
}

// Completed among attempted, over all lengths of a task.
Estimate task_completion(const Results& results, size_t task) {
  Estimate completion;
  int64_t completed = 0;
  for (size_t length = 0; length < results.lengths.size(); ++length) {
    completed += results.cell(task, length).tally.completed;
    completion.n += results.cell(task, length).tally.attempted;
  }
  if (completion.n > 0)
    completion.value = static_cast<double>(completed) / static_cast<double>(completion.n);
  return completion;
}

void add_header(InkedLines& page, const Drawing& drawing, size_t begin, size_t end) {
  const Layout& layout = drawing.layout;
  page.add(padded_left("task", layout.name), LineInk::kStrong);
  page.add(std::string(layout.spark, ' '));
  for (size_t length = begin; length < end; ++length) {
    page.add(padded_right(length_name(drawing.results.lengths[length]) + " ", kValueWidth),
             LineInk::kStrong);
    if (layout.intervals) page.add(padded_right("95 %", kIntervalWidth), LineInk::kFaint);
  }
  page.add(padded_right("done", kCompletedWidth), LineInk::kFaint);
  page.end_line();
}

void add_task_curve(InkedLines& page, const Drawing& drawing, size_t task) {
  if (drawing.layout.spark == 0) return;
  std::vector<std::optional<double>> shares;
  for (size_t length = 0; length < drawing.results.lengths.size(); ++length) {
    const Estimate& estimate = drawing.shown(drawing.results.cell(task, length).tally);
    shares.push_back(estimate.known() ? std::optional(estimate.value) : std::nullopt);
  }
  page.add(padded_left(" " + sparkline(shares), drawing.layout.spark));
}

void add_mean_rows(InkedLines& page, const Drawing& drawing, size_t begin, size_t end) {
  const Layout& layout = drawing.layout;
  const std::vector<LengthSummary>& points = drawing.results.curves.front().points;
  page.add(padded_left(kMeanName, layout.name), LineInk::kStrong);
  page.add(std::string(layout.spark, ' '));
  for (size_t length = begin; length < end; ++length)
    add_estimate(page, drawing, drawing.shown(points[length]),
                 points[length].all.completed < points[length].all.attempted);
  add_completion(page, kCompletedWidth, drawing.results.total.completion);
  page.end_line();
  if (!layout.intervals) {
    page.add(padded_left(kIntervalName, layout.name), LineInk::kFaint);
    page.add(std::string(layout.spark, ' '));
    for (size_t length = begin; length < end; ++length) {
      const Estimate& mean = drawing.shown(points[length]);
      page.add(padded_right(mean.known() ? interval_text(mean) + " " : "", kValueWidth),
               LineInk::kFaint);
    }
    page.end_line();
  }
  page.add(padded_left(drawing.style.strict ? kLenientName : kStrictName, layout.name));
  page.add(std::string(layout.spark, ' '));
  for (size_t length = begin; length < end; ++length) {
    const Estimate& mean = drawing.other(points[length]);
    page.add(padded_right(mean.known() ? percent(mean.value) + " " : "", kValueWidth));
    if (layout.intervals)
      page.add(padded_right(mean.known() ? interval_text(mean) : "", kIntervalWidth),
               LineInk::kFaint);
  }
  page.end_line();
  page.add(padded_left(kCompletedName, layout.name));
  page.add(std::string(layout.spark, ' '));
  for (size_t length = begin; length < end; ++length) {
    add_completion(page, kValueWidth - 1, points[length].all.completion);
    page.add(std::string(layout.column() - kValueWidth + 1, ' '));
  }
  page.end_line();
}

void add_block(InkedLines& page, const Drawing& drawing, size_t begin, size_t end) {
  const Layout& layout = drawing.layout;
  const size_t width =
      layout.name + layout.spark + (end - begin) * layout.column() + kCompletedWidth;
  std::string rule;
  for (size_t i = 0; i < width; ++i) rule += "─";
  add_header(page, drawing, begin, end);
  page.add(rule, LineInk::kFaint);
  page.end_line();
  for (const size_t task : drawing.tasks) {
    page.add(padded_left(terminal_safe(drawing.results.tasks[task].cell), layout.name));
    add_task_curve(page, drawing, task);
    for (size_t length = begin; length < end; ++length)
      add_cell(page, drawing, drawing.results.cell(task, length));
    add_completion(page, kCompletedWidth, task_completion(drawing.results, task));
    page.end_line();
  }
  page.add(rule, LineInk::kFaint);
  page.end_line();
  add_mean_rows(page, drawing, begin, end);
}

std::string legend(const Drawing& drawing) {
  const Results& results = drawing.results;
  std::string words = drawing.style.strict ? "percent strictly right of all requests (no denial, "
                                             "no hedge, no wrong candidate besides)"
                                           : "percent right of all requests";
  const auto add = [&](const std::string& text) { words += "; " + text; };
  if (drawing.tasks.size() > 1) add("average = mean over tasks, as RULER's");
  if (results.total.completed < results.total.attempted)
    add("* = some requests failed, which counts as wrong");
  for (const CellMark mark : all_marks()) {
    const bool used = std::any_of(results.cells.begin(), results.cells.end(),
                                  [&](const Cell& cell) { return cell.mark == mark; });
    if (used && !mark_sign(mark).empty()) add(mark_sign(mark) + " = " + mark_label(mark));
  }
  return words;
}

}  // namespace

std::string terminal_table(const Results& results, const RunDescription& run,
                           const TableStyle& style) {
  InkedLines page(style.colour);
  const size_t width = std::max<size_t>(style.width, kShortestName + kValueWidth + kCompletedWidth);
  const Verdict words = verdict_of(results, run);
  page.paragraph(words.headline, width, LineInk::kStrong);
  page.paragraph(words.details, width);
  std::vector<size_t> tasks = ordinary_tasks(results);
  if (tasks.empty() || results.lengths.empty()) return page.take();
  page.end_line();
  const Layout layout = layout_for(results, tasks, width);
  const Drawing drawing{results, style, std::move(tasks), layout};
  for (size_t begin = 0; begin < results.lengths.size(); begin += layout.lengths_a_block) {
    if (begin > 0) page.end_line();
    add_block(page, drawing, begin,
              std::min(begin + layout.lengths_a_block, results.lengths.size()));
  }
  page.paragraph(legend(drawing), width, LineInk::kFaint);
  page.end_line();
  add_curve_lines(page, results, width);
  page.end_line();
  add_failure_lines(page, results, width);
  add_average_lines(page, results, width);
  return page.take();
}

}  // namespace fathom
