// Samples as JSON objects: a line of a dataset's samples.jsonl (docs/formats/dataset.md).
// Round-trips every field exactly.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "task/sample.h"

namespace fathom {

// One line, without its newline. Fields: those of Sample, and "hash" (Sample::hash()).
[[nodiscard]] std::string sample_to_json(const Sample& sample);

// `where` names the source in errors: "FILE:LINE". Checks types, span limits and that "hash" (where
// present) is the sample's. Unknown keys are ignored. Errors: kInput, naming the key. O(n) in
// bytes.
[[nodiscard]] Result<Sample> sample_from_json(std::string_view text, const std::string& where);

}  // namespace fathom
