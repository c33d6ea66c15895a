#include "results/verdict.h"

#include <fmt/format.h>

#include <algorithm>

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

// "anywhere from less than 1K to 4K or more"
std::string range_words(const EffectiveLength& effective) {
  const std::string low = effective.low == 0 ? "less than " + length_name(effective.shortest)
                                             : length_name(effective.low);
  std::string high = effective.high == 0 ? "less than " + length_name(effective.shortest)
                                         : length_name(effective.high);
  if (effective.high == effective.longest) high += " or more";
  return low == high ? low : "anywhere from " + low + " to " + high;
}

std::string effective_words(const EffectiveLength& effective) {
  const std::string level = percent(effective.threshold);
  switch (effective.kind) {
    case EffectiveLengthKind::kAt:
      return fmt::format("holds {} up to {}, and no longer", level, length_name(effective.length));
    case EffectiveLengthKind::kAboveLongest:
      return fmt::format("holds {} at every length tried, up to {}", level,
                         length_name(effective.longest));
    case EffectiveLengthKind::kBelowShortest:
      return fmt::format("stays below {} already at {}, the shortest length tried", level,
                         length_name(effective.shortest));
    case EffectiveLengthKind::kUnresolved:
      return fmt::format(
          "{} by the averages; by the intervals {} (unresolved)",
          effective.length == 0
              ? fmt::format("stays below {} already at {}", level, length_name(effective.shortest))
              : fmt::format("holds {} up to {}", level, length_name(effective.length)),
          range_words(effective));
    case EffectiveLengthKind::kNotMeasured:
      return "nothing measured yet";
  }
  return "nothing measured yet";
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
  const auto tasks = static_cast<int64_t>(results.tasks.size());
  const bool uneven =
      std::any_of(all.points.begin(), all.points.end(), [&](const LengthSummary& point) {
        return point.tasks_with_usability > 0 && point.tasks_with_usability < tasks;
      });
  if (uneven) words += " Not every length has every task.";
  return words;
}

}  // namespace

std::string verdict(const Results& results, const RunDescription& run) {
  const size_t tasks = results.tasks.size();
  const Tally& total = results.total;
  if (total.attempted > 0 && total.completed == 0)
    return fmt::format(
        "{}: none of {} requests was answered, so nothing can be said about its answers.",
        model_words(run), total.attempted);
  const EffectiveLength effective =
      results.curves.empty() ? EffectiveLength{} : results.curves.front().effective;
  std::string words = fmt::format("{}, mean of {} {}: {}.", model_words(run), tasks,
                                  tasks == 1 ? "task" : "tasks", effective_words(effective));
  if (!results.curves.empty()) words += caveats(results);
  return words;
}

}  // namespace fathom
