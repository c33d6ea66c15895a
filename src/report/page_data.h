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
#include <vector>

#include "report/excerpt.h"
#include "report/results.h"
#include "report/run_description.h"
#include "run/attempt.h"
#include "task/sample.h"

namespace fathom {

// One sample shown in full.
struct CaseDetail {
  size_t row = 0;  // into Results::samples
  std::string question;
  std::vector<std::string> references;
  std::vector<bool> found;
  std::string answer;  // capped, valid UTF-8
  bool answer_cut = false;
  std::string thinking;  // capped
  std::string detail;    // why the attempt failed
  std::vector<ExcerptPart> excerpt;
  std::vector<std::string> notes;
  double total_ms = 0;
  int64_t output_tokens = -1;
  int64_t reported_prompt_tokens = -1;
};

// Rows for the casebook, most telling first: spread evenly over cells, and in a cell over wrong,
// failed, partly right and right ones. Deterministic. At most `limit`; all rows where they are
// fewer.
[[nodiscard]] std::vector<size_t> choose_cases(const Results& results, size_t limit);

[[nodiscard]] CaseDetail make_case(size_t row, const Sample& sample, const Attempt* attempt,
                                   const std::vector<bool>& found);

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
