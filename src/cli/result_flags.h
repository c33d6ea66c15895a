// What a reader may ask of a result, shared by run, score and report: thresholds of effective
// lengths, the strict reading.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "base/result.h"
#include "results/results_options.h"

namespace fathom {

struct ResultFlags {
  double threshold_percent = 100 * kRulerThreshold;
  double relative_percent = 100 * kBaseRatio;
  std::string relative_to = "shortest";
  std::vector<std::string> categories;  // NAME=PERCENT
  double risk_limit_percent = 100 * (1 - kRulerThreshold);
  bool strict = false;
  int threads = 0;
};

void add_result_flags(CLI::App& command, ResultFlags& flags);

// Errors: kUsage naming the flag.
[[nodiscard]] Result<ResultsOptions> results_options_of(const ResultFlags& flags);

}  // namespace fathom
