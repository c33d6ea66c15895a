#include "task/parameters.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "io/yaml.h"

namespace fathom {
namespace {

const char* type_name(const ParameterValue& value) {
  if (std::holds_alternative<bool>(value)) return "true or false";
  if (std::holds_alternative<int64_t>(value)) return "a whole number";
  if (std::holds_alternative<double>(value)) return "a number";
  return "a text";
}

std::string listed(const std::vector<std::string>& items) {
  std::string text;
  for (const std::string& item : items) text += (text.empty() ? "" : ", ") + item;
  return text;
}

// `given` as the type of the declaration: a whole number may stand where a number is wanted.
Result<ParameterValue> typed(const std::string& place, const ParameterSpec& spec,
                             const ParameterValue& given) {
  if (std::holds_alternative<double>(spec.fallback) && std::holds_alternative<int64_t>(given)) {
    return ParameterValue(static_cast<double>(std::get<int64_t>(given)));
  }
  if (given.index() != spec.fallback.index()) {
    return fail(ErrorCode::kInput, "{} must be {}, not '{}'", place, type_name(spec.fallback),
                to_text(given));
  }
  return given;
}

Result<void> check_limits(const std::string& place, const ParameterSpec& spec,
                          const ParameterValue& value) {
  if (const auto* text = std::get_if<std::string>(&value)) {
    if (!spec.choices.empty() &&
        std::find(spec.choices.begin(), spec.choices.end(), *text) == spec.choices.end()) {
      return fail(ErrorCode::kInput, "{} must be one of {}; not '{}'", place, listed(spec.choices),
                  *text);
    }
    return {};
  }
  double number = 0;
  if (const auto* integer = std::get_if<int64_t>(&value)) {
    number = static_cast<double>(*integer);
  } else if (const auto* real = std::get_if<double>(&value)) {
    number = *real;
  } else {
    return {};
  }
  const bool limited = spec.minimum != spec.maximum;
  if (!std::isfinite(number) || (limited && (number < spec.minimum || number > spec.maximum))) {
    return fail(ErrorCode::kInput, "{} must be from {} to {}, not {}", place, spec.minimum,
                spec.maximum, to_text(value));
  }
  return {};
}

}  // namespace

Result<Parameters> Parameters::resolve(const std::string& task,
                                       const std::vector<ParameterSpec>& specs,
                                       const std::map<std::string, ParameterValue>& given) {
  Parameters parameters;
  std::vector<std::string> names;
  for (const ParameterSpec& spec : specs) {
    parameters.set(spec.name, spec.fallback);
    names.push_back(spec.name);
  }
  for (const auto& [name, value] : given) {
    const auto spec = std::find_if(specs.begin(), specs.end(),
                                   [&](const ParameterSpec& each) { return each.name == name; });
    if (spec == specs.end()) {
      const std::string near = nearest_word(name, names);
      return fail(ErrorCode::kInput, "task {}: unknown parameter '{}'{}; it has: {}", task, name,
                  near.empty() ? "" : "; did you mean '" + near + "'?", listed(names));
    }
    const std::string place = "task " + task + ": parameter '" + name + "'";
    TRY(ParameterValue checked, typed(place, *spec, value));
    TRY_VOID(check_limits(place, *spec, checked));
    parameters.set(name, std::move(checked));
  }
  return parameters;
}

int64_t Parameters::integer(std::string_view name) const {
  return std::get<int64_t>(values_.find(name)->second);
}

double Parameters::number(std::string_view name) const {
  const ParameterValue& value = values_.find(name)->second;
  if (const auto* integer = std::get_if<int64_t>(&value)) return static_cast<double>(*integer);
  return std::get<double>(value);
}

bool Parameters::flag(std::string_view name) const {
  return std::get<bool>(values_.find(name)->second);
}

const std::string& Parameters::text(std::string_view name) const {
  return std::get<std::string>(values_.find(name)->second);
}

std::string Parameters::canonical() const {
  std::string text;
  for (const auto& [name, value] : values_) {
    if (!text.empty()) text += ',';
    text += name + '=' + to_text(value);
  }
  return text;
}

std::string to_text(const ParameterValue& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (const auto* integer = std::get_if<int64_t>(&value)) return std::to_string(*integer);
  if (const auto* number = std::get_if<double>(&value)) return fmt::format("{}", *number);
  return std::get<std::string>(value);
}

}  // namespace fathom
