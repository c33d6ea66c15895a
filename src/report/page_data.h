// The data of the report page: one JSON object (docs/formats/page.md) for one or several runs.
//
//   const PageParts parts = page_parts(runs);           // what several runs have in common
//   std::string data = page_data(runs, parts, {});
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "report/page_cases.h"
#include "results/comparison.h"
#include "results/results.h"
#include "results/robustness.h"
#include "results/run_description.h"
#include "results/structure.h"
#include "run/record.h"

namespace fathom {

struct PageRun {
  const RunDescription* description = nullptr;  // owned by the caller
  const Results* results = nullptr;             // owned by the caller
  const RunRecord* record = nullptr;            // may be null
  std::span<const CaseDetail> cases;            // in order of importance
};

// What several runs of a page say together.
struct PageParts {
  // The first run against each of the others that shares samples with it.
  struct Compared {
    size_t a = 0;  // into the page's runs
    size_t b = 0;
    Comparison comparison;
  };
  std::vector<Compared> comparisons;
  std::optional<Robustness> robustness;
  std::optional<TaskStructure> structure;
  std::string arms = {};  // the runs are arms of a study: page_arms_json(); empty: they are not
};

// Empty for one run; a part that the runs do not give is left out.
[[nodiscard]] PageParts page_parts(std::span<const PageRun> runs);
// Of the arms of a study: each against the one at `full`; what needs runs of several models is left
// out, and `arms` stays to be filled. Requires: full < runs.size().
[[nodiscard]] PageParts study_parts(std::span<const PageRun> runs, size_t full);

struct PageOptions {
  std::string made_by = "fathom";  // with its version
  std::string made_at;             // UTC time text; empty: left out
  // Of the data: prompts and cases that would pass it are left out and counted. The page adds its
  // own half a megabyte.
  size_t most_bytes = 9UL * 1024 * 1024;
};

// JSON on one line, valid UTF-8, not yet escaped for HTML.
[[nodiscard]] std::string page_data(std::span<const PageRun> runs, const PageParts& parts,
                                    const PageOptions& options);

}  // namespace fathom
