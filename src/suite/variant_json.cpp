#include "suite/variant_json.h"

namespace fathom {

Json variant_json(const SampleVariant& variant) {
  return {{"axis", to_text(variant.axis)}, {"value", variant.value}, {"of", variant.of}};
}

}  // namespace fathom
