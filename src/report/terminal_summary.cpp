#include "report/terminal_summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "report/sparkline.h"
#include "report/terminal_text.h"
#include "results/labels.h"

namespace fathom {
namespace {

constexpr size_t kLongestName = 24;
constexpr size_t kGap = 2;  // between columns
constexpr size_t kMostKinds = 4;

std::string percent(const Estimate& estimate) {
  return fmt::format("{:.1f} % ({:.1f}–{:.1f})", estimate.value * 100, estimate.low * 100,
                     estimate.high * 100);
}

std::string grid_name(int64_t length, int64_t shortest) {
  return length == 0 ? "<" + length_name(shortest) : length_name(length);
}

// "4K", "> 8K", "2K (<1K–4K)": by the averages, then what the intervals leave open.
std::string effective_text(const EffectiveLength& effective) {
  switch (effective.kind) {
    case EffectiveLengthKind::kNotMeasured:
      return "–";
    case EffectiveLengthKind::kAboveLongest:
      return "> " + length_name(effective.longest);
    case EffectiveLengthKind::kBelowShortest:
      return "< " + length_name(effective.shortest);
    case EffectiveLengthKind::kAt:
      return length_name(effective.length);
    case EffectiveLengthKind::kUnresolved:
      break;
  }
  return fmt::format("{} ({}–{})", grid_name(effective.length, effective.shortest),
                     grid_name(effective.low, effective.shortest),
                     grid_name(effective.high, effective.shortest));
}

struct EffectiveColumn {
  std::string title;
  std::string (*text)(const CurveSummary& curve) = nullptr;
};

// The more telling first.
std::vector<EffectiveColumn> effective_columns(const Results& results) {
  const ResultsOptions& options = results.options;
  const std::string shortest = results.lengths.empty() ? "" : length_name(results.lengths.front());
  const bool control = options.relative_to == RelativeBase::kControl && !results.controls.empty();
  return {{fmt::format("≥ {:.1f} %", options.threshold * 100),
           [](const CurveSummary& curve) { return effective_text(curve.absolute); }},
          {"strict", [](const CurveSummary& curve) { return effective_text(curve.strict); }},
          {fmt::format("{:.0f} % of {}", options.relative * 100, control ? "needles" : shortest),
           [](const CurveSummary& curve) { return effective_text(curve.relative); }},
          {"crossing", [](const CurveSummary& curve) {
             const EffectiveLength& own = curve.absolute;
             return own.crossing.known ? to_words(own.crossing, own.shortest, own.longest)
                                       : std::string();
           }}};
}

std::string curve_text(const Results& results, const CurveSummary& summary) {
  std::vector<std::optional<double>> shares;
  for (size_t length = 0; length < results.lengths.size(); ++length) {
    std::optional<double> share;
    if (summary.curve) {
      const LengthSummary& point = results.curves[*summary.curve].points[length];
      if (point.edge) continue;
      if (point.usability.known()) share = point.usability.value;
    }
    shares.push_back(share);
  }
  return sparkline(shares);
}

// "wrong binding 61, incomplete 40 and 12 others", the most frequent first; empty: none.
std::string counted(std::vector<std::pair<std::string, int64_t>> kinds) {
  std::erase_if(kinds, [](const auto& kind) { return kind.second == 0; });
  std::stable_sort(kinds.begin(), kinds.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string text;
  int64_t others = 0;
  for (size_t i = 0; i < kinds.size(); ++i) {
    const bool shown = i < kMostKinds || (i == kMostKinds && kinds.size() == kMostKinds + 1);
    if (!shown) {
      others += kinds[i].second;
      continue;
    }
    text += fmt::format("{}{} {}", i == 0 ? "" : ", ", kinds[i].first, kinds[i].second);
  }
  if (others > 0) text += fmt::format(", others {}", others);
  return text;
}

void add_controls(InkedLines& out, const Results& results, size_t width) {
  const auto mean = std::find_if(results.controls.begin(), results.controls.end(),
                                 [](const ControlRow& row) { return !row.task; });
  if (mean == results.controls.end()) return;
  std::string text;
  if (mean->no_context.known()) text = "without the context " + percent(mean->no_context);
  if (mean->needles_only.known()) {
    text += text.empty() ? "" : ", ";
    text += "needles alone " + percent(mean->needles_only);
  }
  if (!text.empty()) out.paragraph("Controls: " + text, width, LineInk::kNone, 2);
}

void add_variants(InkedLines& out, const Results& results, size_t width) {
  for (const Robustness& axis : results.variants) {
    if (axis.rows.empty()) continue;
    const SpreadRow& all = axis.rows.front();
    std::string text = fmt::format("Same tasks, other {}:", to_text(axis.axis));
    for (size_t arm = 0; arm < axis.arms.size() && arm < all.arms.size(); ++arm) {
      if (!all.arms[arm].known()) continue;
      text += fmt::format("{} {} {:.1f} %", arm == 0 ? "" : ",", axis.arms[arm],
                          all.arms[arm].value * 100);
    }
    text += fmt::format(" (p = {:.2g} that they are equal)", all.p);
    out.paragraph(text, width, LineInk::kNone, 2);
  }
}

}  // namespace

void add_curve_lines(InkedLines& out, const Results& results, size_t width) {
  if (results.summaries.curves.empty() || results.lengths.empty()) return;
  const size_t points = results.lengths.size() + 2;
  size_t name = 0;
  std::vector<const CurveSummary*> curves;
  for (const CurveSummary& summary : results.summaries.curves) {
    if (!summary.curve) continue;
    curves.push_back(&summary);
    name = std::max(name, display_width(terminal_safe(summary.name)));
  }
  constexpr std::string_view kTitle = "effective length";
  name = std::min(std::max(name, kTitle.size()), kLongestName) + 1;
  const bool spark = name + points <= width;
  size_t used = spark ? name + points : name;

  std::vector<std::vector<std::string>> columns;  // each: title, then a text a curve
  for (const EffectiveColumn& column : effective_columns(results)) {
    std::vector<std::string> texts = {column.title};
    for (const CurveSummary* curve : curves) texts.push_back(column.text(*curve));
    size_t widest = 0;
    for (const std::string& text : texts) widest = std::max(widest, display_width(text));
    const size_t needed = widest + (columns.empty() ? 0 : kGap);
    if (used + needed > width) break;
    if (!columns.empty())
      for (std::string& text : texts) text = std::string(kGap, ' ') + text;
    for (std::string& text : texts) text = padded_left(text, needed);
    used += needed;
    columns.push_back(std::move(texts));
  }
  const auto add_columns = [&](size_t line, LineInk ink) {
    for (size_t i = 0; i < columns.size(); ++i) {
      std::string text = columns[i][line];
      if (i + 1 == columns.size()) text.erase(text.find_last_not_of(' ') + 1);
      out.add(text, ink);
    }
    out.end_line();
  };
  out.add(padded_left(kTitle, std::min(name, width)), LineInk::kStrong);
  if (spark) out.add(std::string(points, ' '));
  add_columns(0, LineInk::kFaint);
  for (size_t i = 0; i < curves.size(); ++i) {
    out.add(padded_left(terminal_safe(curves[i]->name), std::min(name, width)));
    if (spark) out.add(padded_left(curve_text(results, *curves[i]), points));
    add_columns(i + 1, LineInk::kNone);
  }
}

void add_failure_lines(InkedLines& out, const Results& results, size_t width) {
  const Tally& total = results.total;
  std::vector<std::pair<std::string, int64_t>> misses;
  for (const Miss miss : all_misses())
    misses.emplace_back(miss_label(miss), total.misses[static_cast<size_t>(miss)]);
  if (const std::string text = counted(std::move(misses)); !text.empty())
    out.paragraph(fmt::format("Not strictly right, {} of {} answers: {}",
                              total.completed - total.strictly_right, total.completed, text),
                  width, LineInk::kNone, 2);
  std::vector<std::pair<std::string, int64_t>> failures;
  for (const Outcome outcome : all_outcomes()) {
    if (is_complete(outcome)) continue;
    failures.emplace_back(outcome_label(outcome), total.outcomes[static_cast<size_t>(outcome)]);
  }
  if (const std::string text = counted(std::move(failures)); !text.empty())
    out.paragraph(fmt::format("Failed, {} of {} requests: {}", total.attempted - total.completed,
                              total.attempted, text),
                  width, LineInk::kOpen, 2);
}

void add_average_lines(InkedLines& out, const Results& results, size_t width) {
  const RulerAverages& averages = results.averages;
  if (results.lengths.size() > 1 && averages.average.known())
    out.paragraph(fmt::format("RULER average over lengths {}, weighted to long {}, weighted to "
                              "short {}",
                              percent(averages.average), percent(averages.increasing),
                              percent(averages.decreasing)),
                  width, LineInk::kNone, 2);
  if (!results.summaries.curves.empty() && results.summaries.curves.front().slope.known()) {
    const Estimate& slope = results.summaries.curves.front().slope;
    out.paragraph(
        fmt::format("Each doubling of the length: {} points ({} to {})", signed_points(slope.value),
                    signed_points(slope.low), signed_points(slope.high)),
        width, LineInk::kNone, 2);
  }
  add_controls(out, results, width);
  add_variants(out, results, width);
}

}  // namespace fathom
