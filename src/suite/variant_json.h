// How a sample's variant stands in JSON files: {"axis", "value", "of"} (docs/formats/dataset.md).
#pragma once

#include <string>

#include "base/result.h"
#include "io/json.h"
#include "task/variant.h"

namespace fathom {

[[nodiscard]] Json variant_json(const SampleVariant& variant);
// `Reader`: JsonReader or JsonFields. Errors: kInput naming the reader's place and the key.
template <typename Reader>
[[nodiscard]] Result<SampleVariant> variant_from_json(const Reader& reader) {
  SampleVariant variant;
  TRY(const std::string axis, reader.text("axis"));
  TRY_CONTEXT(variant.axis, variant_axis_from_text(axis), std::string(reader.where()));
  TRY(variant.value, reader.text("value"));
  TRY(variant.of, reader.text("of"));
  return variant;
}

}  // namespace fathom
