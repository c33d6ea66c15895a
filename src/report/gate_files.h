// What a gate said, as files: gate.json, gate.junit.xml, gate.md (docs/formats/gate.md).
#pragma once

#include <string>

#include "base/result.h"
#include "gate/gate.h"
#include "io/json.h"

namespace fathom {

[[nodiscard]] Json gate_json(const GateResult& result);
// One test suite, one test case a rule. An unresolved rule is `skipped` where the policy lets it
// pass, a failure where it does not.
[[nodiscard]] std::string gate_junit(const GateResult& result);
// For a comment on a pull request.
[[nodiscard]] std::string gate_markdown(const GateResult& result);

// Into `folder`, which is made where it is missing.
[[nodiscard]] Result<void> write_gate_files(const std::string& folder, const GateResult& result);

}  // namespace fathom
