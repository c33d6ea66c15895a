#include "suite/variant_json.h"

#include <string>

namespace fathom {

Json variant_json(const SampleVariant& variant) {
  return {{"axis", to_text(variant.axis)}, {"value", variant.value}, {"of", variant.of}};
}

Result<SampleVariant> variant_from_json(const JsonReader& reader) {
  SampleVariant variant;
  TRY(const std::string axis, reader.text("axis"));
  TRY_CONTEXT(variant.axis, variant_axis_from_text(axis), reader.where());
  TRY(variant.value, reader.text("value"));
  TRY(variant.of, reader.text("of"));
  return variant;
}

}  // namespace fathom
