// Labels that people gave to answers: what a grader is checked against (docs/formats/labels.md).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "grade/miss.h"
#include "results/sample_facts.h"

namespace fathom {

struct LabelledReply {
  std::string where;  // "FILE:LINE"
  std::string id;     // of the sample; may be empty where the line carries its own answer
  double label = 0;   // 0 wrong … 1 right
  std::optional<Miss> miss = std::nullopt;  // the main reason, where the labeller named one
  // A line that carries its own answer needs no run.
  std::optional<std::string> answer = std::nullopt;
  SampleFacts facts = {};  // of such a line: id, task, metric, references, expectation
};

// Errors: kIo; kInput "FILE:LINE: …": a label that is neither a number within 0 and 1 nor "right",
// "wrong" or "partly", an unknown kind of miss or metric, a line with neither id nor answer, a file
// without labels.
[[nodiscard]] Result<std::vector<LabelledReply>> read_labels(const std::string& path);

}  // namespace fathom
