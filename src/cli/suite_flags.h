// The flags that describe a suite, shared by generate, run and plan. They override the suite's
// file.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "base/result.h"
#include "suite/factory.h"
#include "suite/suite.h"

namespace fathom {

struct SuiteFlags {
  std::string suite;
  std::string tokenizer;
  std::string chat_template;  // empty: the suite's own
  std::string lengths;
  std::string tasks;
  int64_t samples = 0;
  std::string seed;
  std::string length_counts;
  std::string wording;
  std::string controls;  // names, or "none"; empty: the suite's own
  bool no_answer_prefix = false;
  std::vector<std::string> corpora;  // NAME=PATH
};

void add_suite_flags(CLI::App& command, SuiteFlags& flags);

// Errors: kUsage naming the flag.
[[nodiscard]] Result<SuiteOverrides> overrides_of(const SuiteFlags& flags);

// "a,b[x=1,y=2],c" → a | b[x=1,y=2] | c
[[nodiscard]] std::vector<std::string> split_names(const std::string& text);

}  // namespace fathom
