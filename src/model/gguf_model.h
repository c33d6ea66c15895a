// Any GGUF file, run in this process by llama.cpp, one request at a time in the order they were
// started: requests that share a leading part and follow one another compute it once.
#pragma once

#include <memory>

#include "model/model.h"

namespace fathom {

// Takes ModelOptions::model, context_tokens and threads. Nothing is loaded before probe().
[[nodiscard]] Result<std::unique_ptr<Model>> open_gguf_model(const ModelOptions& options);

}  // namespace fathom
