// What the audit learns from one sample, independent of all others.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "suite/audit.h"
#include "task/sample.h"
#include "tokenizer/tokenizer.h"

namespace fathom {

// The few numbers of a sample that the comparisons between samples need.
struct AuditFacts {
  std::string id;
  std::string cell;
  int64_t length = 0;  // 0: a control, as long as its text
  int64_t index = 0;
  SampleVariant variant;
  int64_t total = 0;
  std::string prompt_hash;
  std::string content_hash;   // question and references: what stays equal across lengths
  std::string layout_hash;    // where the evidence lies, in tokens
  size_t evidence = 0;        // pieces that are no distractors
  std::vector<float> depths;  // of these, when few enough to be placed one by one
  bool depths_drawn = false;  // the task drew them uniformly
  bool layout_free = false;   // equal layouts would be no intention
  int64_t distance = 0;       // tokens from the last evidence to the end
  int64_t span = 0;           // tokens from the first to the last evidence
  int64_t blocks = 0;
  int64_t answer_tokens = 0;
  int64_t reserve = 0;
  std::vector<Finding> findings;
};

[[nodiscard]] AuditFacts audit_sample(const Sample& sample, const Tokenizer& tokenizer,
                                      const AuditOptions& options);

}  // namespace fathom
