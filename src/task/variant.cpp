#include "task/variant.h"

#include <fmt/format.h>

namespace fathom {
namespace {

struct AxisName {
  VariantAxis axis;
  std::string_view name;
};
constexpr AxisName kAxes[] = {{VariantAxis::kNone, ""},
                              {VariantAxis::kControl, "control"},
                              {VariantAxis::kWording, "wording"},
                              {VariantAxis::kSeed, "seed"},
                              {VariantAxis::kEntities, "entities"},
                              {VariantAxis::kInstruction, "instruction"},
                              {VariantAxis::kPlace, "place"},
                              {VariantAxis::kHop, "hop"}};

}  // namespace

std::string_view to_text(VariantAxis axis) {
  for (const AxisName& each : kAxes) {
    if (each.axis == axis) return each.name;
  }
  return "";
}

Result<VariantAxis> variant_axis_from_text(std::string_view text) {
  for (const AxisName& each : kAxes) {
    if (each.name == text && !text.empty()) return each.axis;
  }
  return fail(ErrorCode::kInput,
              "a variant's axis must be control, wording, seed, entities, instruction, place or "
              "hop, not '{}'",
              text);
}

std::string SampleVariant::cell() const {
  const bool has_parameters = !of.empty() && of.back() == ']';
  return fmt::format("{}{}{}={}]",
                     has_parameters ? std::string_view(of).substr(0, of.size() - 1) : of,
                     has_parameters ? "," : "[", to_text(axis), value);
}

}  // namespace fathom
