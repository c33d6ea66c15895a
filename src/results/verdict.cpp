#include "results/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace fathom {
namespace {

std::string percent(double share) { return fmt::format("{:.1f} %", share * 100); }

std::string model_words(const RunDescription& run) {
  std::string words = run.simulated ? "Simulated reader " : "";
  words += run.model.empty() ? run.name : run.model;
  if (words.empty()) words = "Unnamed run";
  if (!run.settings.empty()) words += " (" + run.settings + ")";
  return words;
}

std::string below_shortest(const EffectiveLength& effective) {
  return "below " + length_name(effective.shortest);
}

// "1K–4K", "below 1K to 2K", "2K or more": where the intervals leave the length.
std::string range_words(const EffectiveLength& effective) {
  std::string low = effective.low == 0 ? below_shortest(effective) : length_name(effective.low);
  const std::string high =
      effective.high == 0 ? below_shortest(effective) : length_name(effective.high);
  if (effective.high == effective.longest) {
    return low == high ? high + " or more" : fmt::format("{} to {} or more", low, high);
  }
  if (low == high) return low;
  return effective.low == 0 ? fmt::format("{} to {}", low, high) : fmt::format("{}–{}", low, high);
}

// "2K", "below 1K", "8K and beyond", with the range where it is open; "on retrieval" comes between.
std::string length_words(const EffectiveLength& effective, const std::string& on) {
  switch (effective.kind) {
    case EffectiveLengthKind::kAt:
      return length_name(effective.length) + on;
    case EffectiveLengthKind::kAboveLongest:
      return fmt::format("{} and beyond{}", length_name(effective.longest), on);
    case EffectiveLengthKind::kBelowShortest:
      return below_shortest(effective) + on;
    case EffectiveLengthKind::kUnresolved: {
      std::string value =
          effective.length == 0 ? below_shortest(effective) : length_name(effective.length);
      if (effective.length == effective.longest) value += " or more";
      return fmt::format("{}{} ({})", value, on, range_words(effective));
    }
    case EffectiveLengthKind::kNotMeasured:
      return "nothing measured yet" + on;
  }
  return "nothing measured yet" + on;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? " and " : ", ";
    text += words[i];
  }
  return text;
}

// "2K on retrieval (1K–4K), below 1K on tracking and aggregation": categories of one length stand
// together, in the order of first appearance.
std::string category_words(const std::vector<RobustPart>& parts) {
  std::vector<std::pair<const EffectiveLength*, std::vector<std::string>>> groups;
  for (const RobustPart& part : parts) {
    const std::string alone = length_words(part.effective, "");
    const auto same = std::find_if(groups.begin(), groups.end(), [&](const auto& group) {
      return length_words(*group.first, "") == alone;
    });
    if (same == groups.end()) {
      groups.push_back({&part.effective, {part.category}});
    } else {
      same->second.push_back(part.category);
    }
  }
  std::string text;
  for (const auto& [effective, names] : groups)
    text += (text.empty() ? "" : ", ") + length_words(*effective, " on " + joined(names));
  return text;
}

std::string task_count(const Results& results) {
  const auto tasks = std::count_if(results.tasks.begin(), results.tasks.end(),
                                   [](const ResultTask& task) { return task.variant.ordinary(); });
  return fmt::format("{} {}", tasks, tasks == 1 ? "task" : "tasks");
}

// How many times as many samples would settle the effective length if the averages stay: the width
// of an interval falls with the square root of n. None where it is settled.
std::optional<double> samples_factor(const Results& results) {
  const Curve& all = results.curves.front();
  const EffectiveLength& effective = all.effective;
  if (effective.kind != EffectiveLengthKind::kUnresolved) return std::nullopt;
  double factor = 0;
  for (const LengthSummary& point : all.points) {
    const Estimate& score = point.usability;
    const int64_t tokens = results.lengths[point.length];
    if (point.edge || !score.known() || tokens <= effective.low || tokens > effective.high)
      continue;
    const bool passes = score.value >= effective.threshold;
    const double width = passes ? score.value - score.low : score.high - score.value;
    const double margin = std::abs(score.value - effective.threshold);
    factor = std::max(factor, margin > 0 ? (width / margin) * (width / margin)
                                         : std::numeric_limits<double>::infinity());
    if (!passes) break;
  }
  if (factor <= 1) return std::nullopt;
  return factor;
}

std::string more_samples_words(const Results& results) {
  const std::optional<double> factor = samples_factor(results);
  if (!factor) return "";
  constexpr double kBeyondReach = 50;
  if (*factor > kBeyondReach)
    return " The score lies too near the threshold for more samples to settle it.";
  const LengthSummary& point =
      *std::find_if(results.curves.front().points.begin(), results.curves.front().points.end(),
                    [](const LengthSummary& each) { return each.tasks_with_usability > 0; });
  const double now =
      static_cast<double>(point.all.attempted) / static_cast<double>(point.tasks_with_usability);
  return fmt::format(
      " About {:.0f} samples a cell instead of {:.0f} would settle it, if the "
      "averages stay.",
      std::ceil(now * *factor), now);
}

// All tasks together, by the grid and by the fitted curve.
std::string together_words(const Results& results) {
  const EffectiveLength& effective = results.curves.front().effective;
  const std::string level = percent(effective.threshold);
  std::string words = fmt::format("The mean of {} ", task_count(results));
  switch (effective.kind) {
    case EffectiveLengthKind::kAt:
      words +=
          fmt::format("holds {} up to {}, and no longer", level, length_name(effective.length));
      break;
    case EffectiveLengthKind::kAboveLongest:
      words += fmt::format("holds {} at every length tried, up to {}", level,
                           length_name(effective.longest));
      break;
    case EffectiveLengthKind::kBelowShortest:
      words += fmt::format("stays below {} already at {}, the shortest length tried", level,
                           length_name(effective.shortest));
      break;
    case EffectiveLengthKind::kUnresolved:
      words +=
          effective.length == 0
              ? fmt::format("is below {} already at {}", level, length_name(effective.shortest))
              : fmt::format("holds {} up to {}", level, length_name(effective.length));
      words += fmt::format("; unresolved: {} by its 95 % interval", range_words(effective));
      break;
    case EffectiveLengthKind::kNotMeasured:
      return "Nothing can be said yet of all tasks together.";
  }
  if (effective.crossing.known && effective.crossing.length > 0 &&
      std::isfinite(effective.crossing.length))
    words += fmt::format(", crossing it at {} tokens",
                         to_words(effective.crossing, effective.shortest, effective.longest));
  return words + "." + more_samples_words(results);
}

// Which category breaks first, as far as the resamples tell.
std::string breaking_words(const RobustLength& robust) {
  if (robust.parts.size() < 2) return "";
  const RobustPart& first = *std::max_element(
      robust.parts.begin(), robust.parts.end(),
      [](const RobustPart& a, const RobustPart& b) { return a.breaks_first < b.breaks_first; });
  constexpr double kSure = 0.95;
  constexpr double kLikely = 0.5;
  if (first.breaks_first >= kSure) return fmt::format(" The first to break is {}.", first.category);
  if (first.breaks_first >= kLikely)
    return fmt::format(" The first to break is most likely {} ({:.0f} % of resamples).",
                       first.category, first.breaks_first * 100);
  return "";
}

// Whether a task has samples at this length and none of them is asked yet.
bool is_waiting(const Results& results, size_t length) {
  for (size_t task = 0; task < results.tasks.size(); ++task)
    if (results.tasks[task].variant.ordinary() &&
        results.cell(task, length).mark == CellMark::kNotRun)
      return true;
  return false;
}

// What a reader must know before believing the number.
std::string caveats(const Results& results) {
  const Tally& total = results.total;
  std::string words;
  if (total.attempted < total.samples)
    words += fmt::format(" {} of {} samples are not run yet.", total.samples - total.attempted,
                         total.samples);
  if (total.completed < total.attempted)
    words += fmt::format(" {} of {} requests failed and count as wrong.",
                         total.attempted - total.completed, total.attempted);
  const Curve& all = results.curves.front();
  if (all.effective.dips())
    words += fmt::format(" The curve is not monotone: it falls below at {} and recovers.",
                         length_name(all.effective.first_failing));
  constexpr double kWorthSaying = 0.05;
  if (total.usability.known() && total.usability.value - total.strict.value >= kWorthSaying)
    words += fmt::format(" Read strictly, {} of all answers are right instead of {}.",
                         percent(total.strict.value), percent(total.usability.value));
  const auto tasks = std::count_if(results.tasks.begin(), results.tasks.end(),
                                   [](const ResultTask& task) { return task.variant.ordinary(); });
  std::vector<std::string> waiting;
  for (const LengthSummary& point : all.points)
    if (is_waiting(results, point.length))
      waiting.push_back(length_name(results.lengths[point.length]));
  if (!waiting.empty())
    words += fmt::format(" Not every task has begun at {}, left out of the mean.", joined(waiting));
  const bool uneven =
      waiting.empty() &&
      std::any_of(all.points.begin(), all.points.end(), [&](const LengthSummary& point) {
        return point.tasks_with_usability > 0 && point.tasks_with_usability < tasks;
      });
  if (uneven) words += " Not every length has every task.";
  return words;
}

}  // namespace

Verdict verdict_of(const Results& results, const RunDescription& run) {
  const Tally& total = results.total;
  Verdict verdict;
  if (total.attempted > 0 && total.completed == 0) {
    verdict.headline =
        fmt::format("{}: none of {} requests was answered.", model_words(run), total.attempted);
    verdict.details = "So nothing can be said about its answers.";
    return verdict;
  }
  if (total.attempted == 0) {
    verdict.headline = fmt::format("{}: nothing measured yet.", model_words(run));
    if (total.samples > 0)
      verdict.details =
          fmt::format("{} of {} samples are not run yet.", total.samples, total.samples);
    return verdict;
  }
  const std::vector<RobustPart>& parts = results.summaries.robust.parts;
  const std::string lengths =
      parts.size() > 1 ? category_words(parts)
                       : length_words(results.curves.front().effective,
                                      parts.empty() ? "" : " on " + parts.front().category);
  verdict.headline = fmt::format("{}: {}.", model_words(run), lengths);
  verdict.details =
      together_words(results) + breaking_words(results.summaries.robust) + caveats(results);
  return verdict;
}

std::string verdict(const Results& results, const RunDescription& run) {
  const Verdict parts = verdict_of(results, run);
  return parts.details.empty() ? parts.headline : parts.headline + " " + parts.details;
}

}  // namespace fathom
