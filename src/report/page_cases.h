// The samples that the report page shows in full: which, and what of them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "grade/miss.h"
#include "report/excerpt.h"
#include "results/comparison.h"
#include "results/results.h"
#include "run/attempt.h"
#include "task/sample.h"

namespace fathom {

// What the model was asked: the same for every run on the sample.
struct CasePrompt {
  std::string hash;  // of the sample: equal hashes are one prompt on the page
  std::string question;
  std::vector<std::string> references;
  std::vector<std::string> notes;
  int64_t expected_tokens = 0;
  uint64_t bytes = 0;
  std::vector<ExcerptPart> excerpt;
  struct Place {
    double at = 0;  // depth in the context, 0..1
    std::string role;
    bool distractor = false;
    TokenSpan tokens = {};  // of the prompt with its answer prefix
  };
  std::vector<Place> places;  // at most kMostPlaces, those of the evidence first
};
inline constexpr size_t kMostPlaces = 60;

// One sample shown in full: its prompt, and what became of it in one run.
struct CaseDetail {
  size_t row = 0;  // into Results::samples
  CasePrompt prompt;
  std::vector<bool> found;
  std::string answer;  // capped, valid UTF-8
  bool answer_cut = false;
  std::string thinking;  // capped
  std::string detail;    // why the attempt failed
  std::vector<MissNote> misses;
  double first_token_ms = 0;
  double total_ms = 0;
  int64_t output_tokens = -1;
  int64_t thinking_tokens = -1;
  int64_t reported_prompt_tokens = -1;
  int64_t tries = 0;
};

// Rows for the casebook, most telling first: spread evenly over cells, and in a cell over wrong,
// failed, partly right and right ones. Deterministic. At most `limit`; all rows where they are
// fewer.
[[nodiscard]] std::vector<size_t> choose_cases(const Results& results, size_t limit);

// Pairs of a comparison (places in Comparison::samples) for the casebook: spread evenly over cells
// of the baseline, and in a cell over lost, gained, both wrong and both right ones.
[[nodiscard]] std::vector<size_t> choose_pairs(const Comparison& comparison,
                                               const Results& baseline, size_t limit);

// `score` may be null: not graded.
[[nodiscard]] CaseDetail make_case(size_t row, const Sample& sample, const Attempt* attempt,
                                   const ScoredAttempt* score);

// As the page holds them (docs/formats/page.md, "prompts[]" and "cases[]"): one line of JSON.
// `prompt`: its place in the page's list.
[[nodiscard]] std::string prompt_json(const CasePrompt& prompt);
[[nodiscard]] std::string case_json(const CaseDetail& detail, size_t prompt);

}  // namespace fathom
