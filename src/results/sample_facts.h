// What a result needs to know of a sample once its prompt is gone: some hundred bytes instead of
// megabytes, so that a run of 100,000 samples fits in memory. Made while the sample is at hand.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "grade/expectation.h"
#include "task/sample.h"

namespace fathom {

struct SampleFacts {
  std::string id;
  std::string hash;
  std::string task;
  std::string cell;  // task with its swept parameters
  SampleVariant variant;
  int64_t length = 0;  // 0: a control, as long as its text
  int64_t index = 0;
  Metric metric = Metric::kStringMatchAll;
  std::vector<std::string> references;
  int64_t prompt_tokens = 0;
  int64_t off_by = 0;
  // Of the evidence, where the answer rests on one place only: a mean over several places says
  // nothing.
  std::optional<double> depth;
  int64_t evidence = 0;  // pieces of evidence, distractors not counted
  // From the start of the first to the end of the last, tokens of the full prompt; empty: unknown.
  TokenSpan evidence_tokens = {};
  std::string haystack;  // equal: one cluster
  // In the dataset, of a run of some of its samples; none: it stands there as in the index.
  std::optional<int64_t> place = std::nullopt;
  Expectation expectation = {};  // what grading knows beyond the references
  bool operator==(const SampleFacts&) const = default;
};

[[nodiscard]] SampleFacts facts_of(const Sample& sample);

// The category of a task as RULER's paper groups them: "retrieval" (niah), "tracking" (vt),
// "aggregation" (cwe, fwe), "question answering" (qa); others by their family, "other" where
// unknown.
[[nodiscard]] std::string category_of(const std::string& task);

}  // namespace fathom
