#include "report/page_values.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "results/effective_length_json.h"

namespace fathom {

int64_t PageAxes::length_index(int64_t tokens) const {
  const auto found = std::lower_bound(lengths.begin(), lengths.end(), tokens);
  return found != lengths.end() && *found == tokens ? found - lengths.begin() : -1;
}

int64_t PageAxes::task_index(const std::string& cell) const {
  const auto found = std::find_if(tasks.begin(), tasks.end(),
                                  [&](const ResultTask& task) { return task.cell == cell; });
  return found == tasks.end() ? -1 : found - tasks.begin();
}

PageAxes page_axes(std::span<const Results* const> runs) {
  PageAxes axes;
  std::unordered_map<std::string, size_t> places;
  for (const Results* run : runs) {
    for (const ResultTask& task : run->tasks) {
      const auto [place, is_new] = places.try_emplace(task.cell, axes.tasks.size());
      if (is_new) {
        axes.tasks.push_back(task);
      } else if (task.has_depth) {
        axes.tasks[place->second].has_depth = true;
      }
    }
    axes.lengths.insert(axes.lengths.end(), run->lengths.begin(), run->lengths.end());
  }
  std::sort(axes.lengths.begin(), axes.lengths.end());
  axes.lengths.erase(std::unique(axes.lengths.begin(), axes.lengths.end()), axes.lengths.end());
  return axes;
}

int64_t RunAxes::task_of(const std::optional<size_t>& own) const { return own ? task[*own] : -1; }

int64_t RunAxes::length_of(const std::optional<size_t>& own) const {
  return own ? length[*own] : -1;
}

RunAxes run_axes(const Results& results, const PageAxes& axes) {
  std::unordered_map<std::string, int64_t> places;
  for (size_t i = 0; i < axes.tasks.size(); ++i)
    places.emplace(axes.tasks[i].cell, static_cast<int64_t>(i));
  RunAxes own;
  for (const ResultTask& task : results.tasks) own.task.push_back(places.at(task.cell));
  for (const int64_t length : results.lengths) own.length.push_back(axes.length_index(length));
  return own;
}

double page_number(double value) { return std::round(value * 1e6) / 1e6; }

int64_t thousandths(double share) { return std::llround(share * 1000); }

Json page_json(const Estimate& estimate) {
  if (!estimate.known()) return nullptr;
  return {{"value", page_number(estimate.value)},
          {"low", page_number(estimate.low)},
          {"high", page_number(estimate.high)},
          {"n", estimate.n},
          {"method", std::string(to_text(estimate.method))}};
}

Json page_json(const Tally& tally) {
  Json misses = Json::array();
  for (size_t i = 0; i < tally.misses.size(); ++i)
    if (tally.misses[i] > 0) misses.push_back({i, tally.misses[i]});
  return {{"samples", tally.samples},
          {"attempted", tally.attempted},
          {"completed", tally.completed},
          {"nulls", tally.nulls},
          {"clusters", tally.clusters},
          {"strictly_right", tally.strictly_right},
          {"outcomes", tally.outcomes},
          {"misses", std::move(misses)},
          {"quality", page_json(tally.quality)},
          {"completion", page_json(tally.completion)},
          {"usability", page_json(tally.usability)},
          {"strict", page_json(tally.strict)}};
}

namespace {

// JSON has no infinity: an end beyond the longest length is null.
Json crossing_end(double tokens) {
  if (std::isinf(tokens)) return nullptr;
  return std::round(tokens);
}

Json crossing_json(const EffectiveLength& effective) {
  const Crossing& crossing = effective.crossing;
  if (!crossing.known) return nullptr;
  return {{"length", crossing_end(crossing.length)},
          {"low", crossing_end(crossing.low)},
          {"high", crossing_end(crossing.high)},
          {"words", to_words(crossing, effective.shortest, effective.longest)}};
}

}  // namespace

Json page_json(const EffectiveLength& effective) {
  Json json = effective_length_json(effective);
  json["threshold"] = page_number(effective.threshold);
  json["rule"] = std::string(to_text(effective.rule));
  json["limited_by"] = effective.limited_by;
  json["rises"] = effective.rises;
  json["crossing"] = crossing_json(effective);
  return json;
}

}  // namespace fathom
