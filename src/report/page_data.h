// The data of the report page: one JSON object (docs/formats/page.md) for one or several runs.
//
//   std::vector<size_t> chosen = choose_cases(results, 2000);       // rows worth showing in full
//   for (size_t row : chosen) cases.push_back(make_case(row, sample, attempt));  // the caller
//   remakes or reads the sample std::string data = page_data({{&description, &results, cases}},
//   {});
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "report/page_cases.h"
#include "results/results.h"
#include "results/run_description.h"

namespace fathom {

struct PageRun {
  const RunDescription* description = nullptr;  // owned by the caller
  const Results* results = nullptr;             // owned by the caller
  std::span<const CaseDetail> cases;            // in order of importance
};

struct PageOptions {
  std::string made_by = "fathom";  // with its version
  std::string made_at;             // UTC time text; empty: left out
  size_t case_bytes =
      5 * 1024 * 1024;  // of all cases of the page; later ones are left out and counted
};

// JSON on one line, valid UTF-8, not yet escaped for HTML.
[[nodiscard]] std::string page_data(std::span<const PageRun> runs, const PageOptions& options);

}  // namespace fathom
