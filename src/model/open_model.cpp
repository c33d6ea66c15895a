#include "model/gguf_model.h"
#include "model/model.h"
#include "model/openai_model.h"
#include "model/simulated_model.h"

namespace fathom {
namespace {

constexpr std::string_view kOpenAi = "openai/";
constexpr std::string_view kSimulated = "simulated/";

}  // namespace

Result<std::unique_ptr<Model>> open_model(const ModelOptions& options) {
  const std::string& name = options.model;
  if (name.ends_with(".gguf")) return open_gguf_model(options);
  if (name.starts_with(kOpenAi)) return open_openai_model(options, name.substr(kOpenAi.size()));
  if (name.starts_with(kSimulated))
    return open_simulated_model(options, name.substr(kSimulated.size()));
  return fail(
      ErrorCode::kUsage,
      "model '{}' is none of FILE.gguf, openai/NAME and simulated/PROFILE; see docs/models.md",
      name);
}

}  // namespace fathom
