#include "report/terminal_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

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
constexpr std::string_view kCompletedName = "completed";

enum class Ink { kNone, kGood, kOpen, kBad, kFaint, kStrong };

class Page {
 public:
  explicit Page(bool colour) : colour_(colour) {}
  void add(const std::string& text, Ink ink = Ink::kNone) {
    if (!colour_ || ink == Ink::kNone || text.empty()) {
      out_ += text;
      return;
    }
    out_ += fmt::format("\x1b[{}m{}\x1b[0m", code(ink), text);
  }
  void end_line() {
    while (!out_.empty() && out_.back() == ' ') out_.pop_back();
    out_ += '\n';
  }
  [[nodiscard]] std::string take() { return std::move(out_); }

 private:
  static int code(Ink ink) {
    switch (ink) {
      case Ink::kGood:
        return 32;
      case Ink::kOpen:
        return 33;
      case Ink::kBad:
        return 31;
      case Ink::kFaint:
        return 2;
      case Ink::kStrong:
        return 1;
      case Ink::kNone:
        return 0;
    }
    return 0;
  }
  std::string out_;
  bool colour_;
};

struct Layout {
  size_t name = 0;
  bool intervals = true;
  size_t lengths_a_block = 1;

  [[nodiscard]] size_t column() const { return kValueWidth + (intervals ? kIntervalWidth : 0); }
};

Layout layout_for(const Results& results, size_t width) {
  size_t name = kCompletedName.size();
  for (const ResultTask& task : results.tasks)
    name = std::max(name, display_width(terminal_safe(task.cell)));
  name = std::min(name, kLongestName);
  const size_t count = std::max<size_t>(1, results.lengths.size());
  const auto needed = [&](const Layout& layout) {
    return layout.name + layout.lengths_a_block * layout.column() + kCompletedWidth;
  };
  Layout layout{.name = name, .intervals = true, .lengths_a_block = count};
  if (needed(layout) <= width) return layout;
  layout.intervals = false;
  if (needed(layout) <= width) return layout;
  layout.lengths_a_block = 1;
  if (needed(layout) > width) {
    const size_t over = needed(layout) - width;
    layout.name = std::max(kShortestName, layout.name - std::min(layout.name, over));
  }
  while (layout.lengths_a_block < count) {
    ++layout.lengths_a_block;
    if (needed(layout) <= width) continue;
    --layout.lengths_a_block;
    break;
  }
  return layout;
}

Ink ink_of(const Estimate& estimate, double threshold) {
  if (estimate.low >= threshold) return Ink::kGood;
  return estimate.high < threshold ? Ink::kBad : Ink::kOpen;
}

std::string percent(double share) { return fmt::format("{:.1f}", share * 100); }

std::string interval_text(const Estimate& estimate) {
  return fmt::format("{:.0f}–{:.0f}", estimate.low * 100, estimate.high * 100);
}

void add_estimate(Page& page, const Layout& layout, const Estimate& estimate, bool has_failures,
                  double threshold) {
  if (!estimate.known()) {
    page.add(std::string(layout.column(), ' '));
    return;
  }
  page.add(padded_right(percent(estimate.value) + (has_failures ? "*" : " "), kValueWidth),
           ink_of(estimate, threshold));
  if (layout.intervals)
    page.add(padded_right(interval_text(estimate), kIntervalWidth), Ink::kFaint);
}

void add_cell(Page& page, const Layout& layout, const Cell& cell, double threshold) {
  const std::string sign = mark_sign(cell.mark);
  const Tally& tally = cell.tally;
  if (cell.mark == CellMark::kScore || cell.mark == CellMark::kZero) {
    add_estimate(page, layout, tally.usability, tally.completed < tally.attempted, threshold);
    return;
  }
  page.add(padded_right(sign + " ", kValueWidth), Ink::kFaint);
  if (layout.intervals) page.add(std::string(kIntervalWidth, ' '));
}

void add_completion(Page& page, size_t width, const Estimate& completion) {
  page.add(completion.known() ? padded_right(fmt::format("{:.0f}%", completion.value * 100), width)
                              : std::string(width, ' '),
           completion.known() && completion.value < 1 ? Ink::kOpen : Ink::kNone);
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

void add_header(Page& page, const Results& results, const Layout& layout, size_t begin,
                size_t end) {
  page.add(padded_left("task", layout.name), Ink::kStrong);
  for (size_t length = begin; length < end; ++length) {
    page.add(padded_right(length_name(results.lengths[length]) + " ", kValueWidth), Ink::kStrong);
    if (layout.intervals) page.add(padded_right("95 %", kIntervalWidth), Ink::kFaint);
  }
  page.add(padded_right("done", kCompletedWidth), Ink::kFaint);
  page.end_line();
}

void add_summary_rows(Page& page, const Results& results, const Layout& layout, size_t begin,
                      size_t end) {
  const Curve& all = results.curves.front();
  page.add(padded_left(kMeanName, layout.name), Ink::kStrong);
  for (size_t length = begin; length < end; ++length)
    add_estimate(page, layout, all.points[length].usability,
                 all.points[length].all.completed < all.points[length].all.attempted,
                 results.threshold);
  add_completion(page, kCompletedWidth, results.total.completion);
  page.end_line();
  if (!layout.intervals) {
    page.add(padded_left(kIntervalName, layout.name), Ink::kFaint);
    for (size_t length = begin; length < end; ++length) {
      const Estimate& mean = all.points[length].usability;
      page.add(padded_right(mean.known() ? interval_text(mean) + " " : "", kValueWidth),
               Ink::kFaint);
    }
    page.end_line();
  }
  page.add(padded_left(kCompletedName, layout.name));
  for (size_t length = begin; length < end; ++length) {
    add_completion(page, kValueWidth - 1, all.points[length].all.completion);
    page.add(std::string(layout.column() - kValueWidth + 1, ' '));
  }
  page.end_line();
}

void add_block(Page& page, const Results& results, const Layout& layout, size_t begin, size_t end) {
  const size_t width = layout.name + (end - begin) * layout.column() + kCompletedWidth;
  std::string rule;
  for (size_t i = 0; i < width; ++i) rule += "─";
  add_header(page, results, layout, begin, end);
  page.add(rule, Ink::kFaint);
  page.end_line();
  for (size_t task = 0; task < results.tasks.size(); ++task) {
    page.add(padded_left(terminal_safe(results.tasks[task].cell), layout.name));
    for (size_t length = begin; length < end; ++length)
      add_cell(page, layout, results.cell(task, length), results.threshold);
    add_completion(page, kCompletedWidth, task_completion(results, task));
    page.end_line();
  }
  page.add(rule, Ink::kFaint);
  page.end_line();
  add_summary_rows(page, results, layout, begin, end);
}

// Breaks at spaces; a word longer than a line is cut into lines.
std::vector<std::string> wrapped(const std::string& text, size_t width) {
  std::vector<std::string> lines;
  std::string line;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find(' ', at), text.size());
    const std::string word = cut_to_width(text.substr(at, end - at), width);
    if (!line.empty() && display_width(line) + 1 + display_width(word) > width) {
      lines.push_back(std::move(line));
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
    at = end + 1;
  }
  if (!line.empty()) lines.push_back(std::move(line));
  return lines;
}

std::string legend(const Results& results) {
  std::string words;
  const auto add = [&](const std::string& text) { words += (words.empty() ? "" : "; ") + text; };
  add("percent right of all requests, failures counted as wrong");
  if (results.tasks.size() > 1) add("average = mean over tasks, as RULER's");
  if (results.total.completed < results.total.attempted) add("* = some requests failed");
  for (const CellMark mark : all_marks()) {
    const bool used = std::any_of(results.cells.begin(), results.cells.end(),
                                  [&](const Cell& cell) { return cell.mark == mark; });
    if (used && !mark_sign(mark).empty()) add(mark_sign(mark) + " = " + mark_label(mark));
  }
  return words;
}

std::string averages_line(const Results& results) {
  const auto text = [](const Estimate& estimate) {
    return fmt::format("{} ({:.1f}–{:.1f})", percent(estimate.value), estimate.low * 100,
                       estimate.high * 100);
  };
  const RulerAverages& averages = results.averages;
  return fmt::format("RULER average over lengths {}, weighted to long {}, weighted to short {}",
                     text(averages.average), text(averages.increasing), text(averages.decreasing));
}

}  // namespace

std::string terminal_table(const Results& results, const RunDescription& run,
                           const TableStyle& style) {
  Page page(style.colour);
  const size_t width = std::max<size_t>(style.width, kShortestName + kValueWidth + kCompletedWidth);
  const auto add_text = [&](const std::string& text, Ink ink) {
    for (const std::string& line : wrapped(terminal_safe(text), width)) {
      page.add(line, ink);
      page.end_line();
    }
  };
  const Layout layout = layout_for(results, width);
  for (size_t begin = 0; begin < results.lengths.size(); begin += layout.lengths_a_block) {
    if (begin > 0) page.end_line();
    add_block(page, results, layout, begin,
              std::min(begin + layout.lengths_a_block, results.lengths.size()));
  }
  add_text(legend(results), Ink::kFaint);
  if (results.lengths.size() > 1 && results.averages.average.known())
    add_text(averages_line(results), Ink::kNone);
  page.end_line();
  add_text(verdict(results, run), Ink::kStrong);
  return page.take();
}

}  // namespace fathom
