// Arms that models elsewhere answer: the same model at several addresses, each with an attention
// of its own (spec A1; docs/sparse-attention.md, "Two servers").
//
//   --model openai/NAME --arms full=http://host:8000/v1,real=http://host:8001/v1
//   --arms strong=simulated/strong,weak=simulated/weak
#pragma once

#include <string>
#include <vector>

#include "attention/arm.h"
#include "base/result.h"
#include "cli/model_flags.h"

namespace fathom {

// Whether any entry is NAME=WHERE.
[[nodiscard]] bool name_servers(const std::vector<std::string>& entries);

// One arm an entry, its part in the study by its name: "full" and "full-again" are full attention,
// "oracle" reads the evidence alone, all others are selectors of their own. Errors (kUsage): an
// entry without '=', a name that cannot be a folder of the study, a name twice, an address twice
// without "full-again", neither an address nor a model.
[[nodiscard]] Result<std::vector<AttentionArm>> server_arms_of(
    const std::vector<std::string>& entries);

// The flags that open this arm's model. Errors (kUsage): an address without --model openai/NAME or
// beside --base-url; a model beside --model.
[[nodiscard]] Result<ModelFlags> flags_of_arm(const AttentionArm& arm, const ModelFlags& flags);

}  // namespace fathom
