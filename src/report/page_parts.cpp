#include "report/page_data.h"

namespace fathom {
namespace {

void compare_with(std::span<const PageRun> runs, size_t baseline, PageParts& parts) {
  const auto compared = [](const PageRun& run) {
    return ComparedRun{run.results, run.description, run.record};
  };
  for (size_t i = 0; i < runs.size(); ++i) {
    if (i == baseline) continue;
    auto comparison = compare_runs(compared(runs[baseline]), compared(runs[i]),
                                   {.shared_only = true, .unpaired = false});
    if (comparison) parts.comparisons.push_back({baseline, i, std::move(*comparison)});
  }
}

}  // namespace

PageParts page_parts(std::span<const PageRun> runs) {
  PageParts parts;
  if (runs.size() < 2) return parts;
  compare_with(runs, 0, parts);
  if (runs.size() < kFewestRuns) return parts;
  std::vector<NamedResults> named;
  for (const PageRun& run : runs) named.push_back({run.description->name, run.results});
  if (auto spread = robustness(named, runs[0].results->options))
    parts.robustness = std::move(*spread);
  if (auto structure = task_structure(named)) parts.structure = std::move(*structure);
  return parts;
}

PageParts study_parts(std::span<const PageRun> runs, size_t full) {
  PageParts parts;
  compare_with(runs, full, parts);
  return parts;
}

}  // namespace fathom
