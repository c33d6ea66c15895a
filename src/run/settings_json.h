// RunSettings and RunLimits as JSON objects and back, for run.json. File form: docs/formats/run.md.
#pragma once

#include "base/result.h"
#include "io/json.h"
#include "run/settings.h"

namespace fathom {

// User names, passwords and query strings do not belong in a record:
// "https://user:pw@host/v1?key=x" → "https://host/v1".
[[nodiscard]] std::string without_secrets(const std::string& url);

// Secrets are left out: base_url goes through without_secrets(), a key variable that is no
// variable's name is dropped.
[[nodiscard]] Json to_json(const RunSettings& settings);
[[nodiscard]] Json to_json(const RunLimits& limits);

[[nodiscard]] Result<RunSettings> run_settings_from_json(const JsonReader& reader);
[[nodiscard]] Result<RunLimits> run_limits_from_json(const JsonReader& reader);

}  // namespace fathom
