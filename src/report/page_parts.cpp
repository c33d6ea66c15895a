#include "report/page_data.h"

namespace fathom {

PageParts page_parts(std::span<const PageRun> runs) {
  PageParts parts;
  if (runs.size() < 2) return parts;
  const auto compared = [](const PageRun& run) {
    return ComparedRun{run.results, run.description, run.record};
  };
  std::vector<NamedResults> named;
  for (const PageRun& run : runs) named.push_back({run.description->name, run.results});
  for (size_t i = 1; i < runs.size(); ++i) {
    auto comparison = compare_runs(compared(runs[0]), compared(runs[i]),
                                   {.shared_only = true, .unpaired = false});
    if (comparison) parts.comparisons.push_back({0, i, std::move(*comparison)});
  }
  if (runs.size() < kFewestRuns) return parts;
  if (auto spread = robustness(named, runs[0].results->options))
    parts.robustness = std::move(*spread);
  if (auto structure = task_structure(named)) parts.structure = std::move(*structure);
  return parts;
}

}  // namespace fathom
