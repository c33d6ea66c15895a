// A simulated reader behind the model seam, with set delays and failures to exercise the scheduler.
#pragma once

#include <memory>
#include <string>

#include "model/model.h"

namespace fathom {

// `profile`: an embedded reader's name or a YAML file. Takes ModelOptions::seed. Requests need
// their answer key and prompt.
[[nodiscard]] Result<std::unique_ptr<Model>> open_simulated_model(const ModelOptions& options,
                                                                  const std::string& profile);

}  // namespace fathom
