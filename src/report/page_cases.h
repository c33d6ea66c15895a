// The samples that the report page shows in full: which, and what of them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/excerpt.h"
#include "results/results.h"
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

// The case as the page holds it (docs/formats/page.md, "cases[]"): one line of JSON.
[[nodiscard]] std::string case_json(const CaseDetail& detail, const SampleFacts& sample);

}  // namespace fathom
