#include "task/metric.h"

#include <array>
#include <utility>

namespace fathom {
namespace {

constexpr std::array<std::pair<Metric, std::string_view>, 4> kNames = {{
    {Metric::kStringMatchAll, "string_match_all"},
    {Metric::kStringMatchPart, "string_match_part"},
    {Metric::kExactMatch, "exact_match"},
    {Metric::kSetMatch, "set_match"},
}};

}  // namespace

std::string_view to_text(Metric metric) {
  for (const auto& [value, name] : kNames) {
    if (value == metric) return name;
  }
  return "";  // not reached: kNames holds every value
}

Result<Metric> metric_from_text(std::string_view text) {
  std::string known;
  for (const auto& [value, name] : kNames) {
    if (name == text) return value;
    known += (known.empty() ? "" : ", ") + std::string(name);
  }
  return fail(ErrorCode::kInput, "unknown metric '{}'; there are: {}", text, known);
}

}  // namespace fathom
