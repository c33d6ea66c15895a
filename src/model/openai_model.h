// A server that speaks OpenAI's chat or completions interface: the public service, vLLM, SGLang,
// llama.cpp's server and the many that imitate them. What is known of each: docs/models.md.
#pragma once

#include <memory>
#include <string>

#include "model/model.h"

namespace fathom {

// `name`: the model's name at the server; empty: the only one it serves. Takes
// ModelOptions::base_url, api, prefix_policy, api_key_variable and idle_timeout_ms. Nothing is sent
// before probe(). Errors: kUsage for options that contradict each other, kSetup for a missing or
// unusable key.
[[nodiscard]] Result<std::unique_ptr<Model>> open_openai_model(const ModelOptions& options,
                                                               const std::string& name);

}  // namespace fathom
