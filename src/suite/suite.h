// What to test: tasks with parameters, at which lengths, how many samples, with which text. From a YAML file, an embedded name, and flags.
// File form: docs/formats/suite.md.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "task/parameters.h"

namespace fathom {

enum class LengthCounts { kPromptAndReserve, kPrompt, kContext };  // what a sample's length counts (G1); the first is RULER's
[[nodiscard]] const char* to_text(LengthCounts counts);            // "prompt+reserve", "prompt", "context"

// One row of the suite: a task with parameters (after sweeps were unrolled).
struct SuiteTask {
  std::string name;  // registered task name, e.g. "niah_multikey_1"
  std::string cell;  // name, or name[swept=values]
  std::map<std::string, ParameterValue> parameters;  // only what differs from the task's defaults
  std::vector<int64_t> lengths;                      // overrides the suite's where not empty
  int64_t samples = 0;                               // overrides the suite's where not 0
};

struct Suite {
  std::string name;
  int64_t version = 1;
  std::vector<SuiteTask> tasks;
  std::vector<int64_t> lengths;
  int64_t samples = 0;
  uint64_t seed = 42;
  LengthCounts length_counts = LengthCounts::kPromptAndReserve;
  std::string wording = "fathom";       // template pack: an embedded name or a file
  std::string chat_template = "none";   // "none", "model" (the model's own) or a file
  bool answer_prefix = true;            // give the model the start of the answer (G9)
  std::map<std::string, std::string> corpora;  // "essay" → folder, "squad" → file, "hotpotqa" → file …; missing: fathom's own
};

}  // namespace fathom
