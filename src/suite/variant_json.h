// How a sample's variant stands in JSON files: {"axis", "value", "of"} (docs/formats/dataset.md).
#pragma once

#include "base/result.h"
#include "io/json.h"
#include "task/variant.h"

namespace fathom {

[[nodiscard]] Json variant_json(const SampleVariant& variant);
// Errors: kInput naming the reader's place and the key.
[[nodiscard]] Result<SampleVariant> variant_from_json(const JsonReader& reader);

}  // namespace fathom
