#include "results/complexity_regions.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <string>
#include <tuple>

namespace fathom {
namespace {

std::optional<double> number_in(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value))
    return std::nullopt;
  return value;
}

bool places_evidence(const std::string& parameter) {
  return parameter == "depth_value" || parameter == "depth_points" || parameter == "spread";
}

// The cell's parameters but for one: "queries=2,values=4".
std::string others(const ResultTask& task, const std::string& parameter) {
  std::string text;
  for (const auto& [name, value] : task.parameters)
    if (name != parameter) text += (text.empty() ? "" : ",") + name + "=" + value;
  return text;
}

using RegionKey = std::tuple<std::string, std::string, std::string>;  // task, parameter, others

ComplexityRegion region_of(const Results& results, const RunGrids& grids, const RegionKey& key,
                           const std::map<double, size_t>& levels) {
  ComplexityRegion region;
  std::tie(region.task, region.parameter, region.fixed) = key;
  region.lengths = grids.lengths;
  region.surface.lengths = grids.usability.lengths;
  for (const auto& [level, task] : levels) {
    region.levels.push_back(level);
    region.tasks.push_back(task);
    region.surface.complexities.push_back(level);
    for (const size_t length : grids.lengths)
      region.surface.cells.push_back(results.cell(task, length).tally.usability);
    const std::vector<size_t> chosen = grids.grid_tasks(std::vector<size_t>{task});
    region.effective.push_back(effective_length(
        grids.usability.of_tasks(chosen), results.options.threshold, results.options.confidence));
  }
  region.region = usable_region(region.surface, results.options.threshold);
  return region;
}

}  // namespace

std::vector<ComplexityRegion> complexity_regions(const Results& results, const RunGrids& grids) {
  std::map<RegionKey, std::map<double, size_t>> found;
  std::vector<RegionKey> order;
  for (const size_t task : grids.tasks) {
    const ResultTask& cell = results.tasks[task];
    for (const auto& [name, value] : cell.parameters) {
      const std::optional<double> level = number_in(value);
      if (!level || places_evidence(name)) continue;
      const RegionKey key{cell.task, name, others(cell, name)};
      const auto [entry, fresh] = found.try_emplace(key);
      if (fresh) order.push_back(key);
      entry->second.try_emplace(*level, task);
    }
  }
  std::vector<ComplexityRegion> regions;
  for (const RegionKey& key : order)
    if (const auto& levels = found.at(key); levels.size() > 1)
      regions.push_back(region_of(results, grids, key, levels));
  return regions;
}

}  // namespace fathom
