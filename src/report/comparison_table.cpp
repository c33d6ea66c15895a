#include "report/comparison_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "report/inked_lines.h"
#include "report/terminal_text.h"
#include "results/labels.h"

namespace fathom {
namespace {

constexpr size_t kMostCells = 30;
constexpr size_t kLongestName = 26;
constexpr size_t kShortestName = 14;
constexpr size_t kNarrowest = 40;

std::string p_text(double p) {
  if (p < 0.001) return "<.001";
  return p >= 0.9995 ? "1" : fmt::format("{:.3f}", p).substr(1);
}

enum class Column { kBoth, kLost, kGained, kNeither, kA, kB, kDifference, kInterval, kP };

struct ColumnForm {
  Column column;
  std::string head;
  size_t width;
  int keep;  // the lowest goes first where there is no room
};

std::vector<ColumnForm> columns_for(const Comparison& comparison, size_t width, size_t name) {
  std::vector<ColumnForm> columns;
  if (!comparison.options.unpaired)
    columns = {{Column::kBoth, "both", 5, 2},
               {Column::kLost, "lost", 5, 8},
               {Column::kGained, "won", 5, 7},
               {Column::kNeither, "none", 5, 2}};
  columns.insert(
      columns.end(),
      {{Column::kA, "A", 6, 4},
       {Column::kB, "B", 6, 4},
       {Column::kDifference, "B − A", 7, 9},
       {Column::kInterval, fmt::format("{:g} %", comparison.options.confidence * 100), 14, 5},
       {Column::kP, "p", 6, 6}});
  const auto needed = [&] {
    size_t sum = name;
    for (const ColumnForm& form : columns) sum += form.width;
    return sum;
  };
  while (columns.size() > 1 && needed() > width) {
    const auto least =
        std::min_element(columns.begin(), columns.end(),
                         [](const ColumnForm& a, const ColumnForm& b) { return a.keep < b.keep; });
    const int keep = least->keep;
    std::erase_if(columns, [&](const ColumnForm& form) { return form.keep == keep; });
  }
  return columns;
}

std::string value_of(Column column, const ComparedGroup& group) {
  if (!group.difference.known()) return column == Column::kDifference ? "–" : "";
  switch (column) {
    case Column::kBoth:
      return std::to_string(group.counts.both);
    case Column::kLost:
      return std::to_string(group.counts.only_a);
    case Column::kGained:
      return std::to_string(group.counts.only_b);
    case Column::kNeither:
      return std::to_string(group.counts.neither);
    case Column::kA:
      return fmt::format("{:.1f}", group.a.value * 100);
    case Column::kB:
      return fmt::format("{:.1f}", group.b.value * 100);
    case Column::kDifference:
      return signed_points(group.difference.value);
    case Column::kInterval:
      return signed_points(group.difference.low) + "…" + signed_points(group.difference.high);
    case Column::kP:
      return p_text(group.p_holm);
  }
  return "";
}

LineInk ink_of(const ComparedGroup& group, const Comparison& comparison) {
  if (!group.difference.known() || group.p_holm >= 1 - comparison.options.confidence)
    return LineInk::kNone;
  return group.difference.value < 0 ? LineInk::kBad : LineInk::kGood;
}

// The length first in a cell's row: names may be cut at their end.
std::string row_name(const ComparedGroup& group) {
  if (group.kind != GroupKind::kCell || group.length == 0) return name_of(group);
  return fmt::format("{:>4} {}", length_name(group.length), group.cell);
}

class Table {
 public:
  Table(const Comparison& comparison, const TableStyle& style)
      : comparison_(comparison), width_(std::max(style.width, kNarrowest)), lines_(style.colour) {
    size_t longest = kShortestName;
    for (const auto* groups : {&comparison.cells, &comparison.tasks, &comparison.categories})
      for (const ComparedGroup& group : *groups)
        longest = std::max(longest, display_width(terminal_safe(row_name(group))));
    name_ = std::min({longest + 1, kLongestName, width_ / 2});
    columns_ = columns_for(comparison, width_, name_);
  }

  [[nodiscard]] size_t width() const { return width_; }
  InkedLines& lines() { return lines_; }

  void head(const std::string& title) {
    lines_.add(padded_left(title, name_), LineInk::kStrong);
    for (const ColumnForm& form : columns_)
      lines_.add(padded_right(form.head, form.width), LineInk::kFaint);
    lines_.end_line();
  }
  void row(const ComparedGroup& group) {
    const LineInk ink = ink_of(group, comparison_);
    lines_.add(padded_left(cut_to_width(terminal_safe(row_name(group)), name_ - 1), name_));
    for (const ColumnForm& form : columns_)
      lines_.add(padded_right(value_of(form.column, group), form.width),
                 form.column == Column::kDifference ? ink : LineInk::kNone);
    lines_.end_line();
  }
  void rows(const std::string& title, const std::vector<ComparedGroup>& groups) {
    if (groups.size() < 2) return;
    lines_.end_line();
    head(title);
    for (const ComparedGroup& group : groups) row(group);
  }
  void text(const std::string& text, LineInk ink = LineInk::kNone, size_t indent = 0) {
    lines_.paragraph(text, width_, ink, indent);
  }

 private:
  const Comparison& comparison_;
  size_t width_;
  size_t name_ = kShortestName;
  std::vector<ColumnForm> columns_;
  InkedLines lines_;
};

void add_conditions(Table& table, const Comparison& comparison) {
  table.lines().end_line();
  if (comparison.conditions.empty()) {
    table.text("Both were made under the same conditions.", LineInk::kFaint);
    return;
  }
  const auto list = [&](bool decides, const std::string& title) {
    bool first = true;
    for (const ConditionDifference& item : comparison.conditions) {
      if (item.decides != decides) continue;
      if (first) table.text(title, LineInk::kStrong);
      first = false;
      const auto shown = [](const std::string& value) {
        return value.empty() ? std::string("none") : cut_to_width(terminal_safe(value), 60);
      };
      table.text(fmt::format("  {}: {} → {}", item.name, shown(item.a), shown(item.b)),
                 decides ? LineInk::kNone : LineInk::kFaint, 4);
    }
  };
  list(true, "What differs (A → B) and can change answers:");
  list(false, "What else differs:");
}

// Those that are left out first.
void add_cells(Table& table, const Comparison& comparison) {
  std::vector<ComparedGroup> cells = comparison.cells;
  const bool cut = cells.size() > kMostCells;
  if (cut) {
    std::stable_sort(cells.begin(), cells.end(),
                     [](const ComparedGroup& a, const ComparedGroup& b) { return a.p < b.p; });
    cells.resize(kMostCells);
  }
  table.rows(cut ? "least alike" : "cell", cells);
  if (cut)
    table.text(fmt::format("{} of {} cells are shown; -o FOLDER writes all of them.", kMostCells,
                           comparison.cells.size()),
               LineInk::kFaint);
}

void add_left_out(Table& table, const Comparison& comparison) {
  std::string words;
  const auto add = [&](int64_t count, const std::string& what) {
    if (count > 0) words += fmt::format("{}{} {}", words.empty() ? "" : ", ", count, what);
  };
  if (!comparison.options.unpaired) {
    add(comparison.only_a, "only in A");
    add(comparison.only_b, "only in B");
    add(comparison.changed, "with another content");
    add(comparison.not_run, "not answered yet in both");
  }
  if (!words.empty()) table.text("Left out: " + words + ".", LineInk::kOpen);
}

std::string legend(const Comparison& comparison) {
  std::string words =
      comparison.options.unpaired
          ? "A and B: mean score in percent, failed requests counted as wrong; each task weighs "
            "the "
            "same."
          : "lost: A scored higher, won: B did, both and none: alike, and right or not; A and B: "
            "mean score in percent, failed requests counted as wrong.";
  words += " p: that both are equally good, after Holm among the rows of its table";
  if (!comparison.options.unpaired)
    words +=
        "; exact McNemar test for right and wrong, sign flips for shares and for samples that "
        "share their text";
  if (comparison.options.reading == Reading::kStrict) words += ". Strict reading";
  return words + ".";
}

}  // namespace

std::string comparison_table(const Comparison& comparison, const TableStyle& style) {
  Table table(comparison, style);
  table.text(comparison_verdict(comparison), LineInk::kStrong);
  add_left_out(table, comparison);
  add_conditions(table, comparison);
  table.lines().end_line();
  table.head("");
  table.row(comparison.all);
  table.rows("category", comparison.categories);
  table.rows("length", comparison.lengths);
  table.rows("task", comparison.tasks);
  add_cells(table, comparison);
  table.lines().end_line();
  table.text(legend(comparison), LineInk::kFaint);
  return table.lines().take();
}

}  // namespace fathom
