// The flags that name a model and say how it is asked, shared by run, plan and probe.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "base/result.h"
#include "model/model.h"
#include "run/settings.h"

namespace fathom {

struct ModelFlags {
  ModelOptions model;
  std::string prefix;  // policy; empty: the provider's choice
};

struct RequestFlags {
  Decoding decoding;
  int64_t max_output_tokens = 0;
  RunLimits limits;
};

void add_model_flags(CLI::App& command, ModelFlags& flags);
void add_request_flags(CLI::App& command, RequestFlags& flags);

// Errors: kUsage naming the flag.
[[nodiscard]] Result<ModelOptions> model_options_of(const ModelFlags& flags);

}  // namespace fathom
