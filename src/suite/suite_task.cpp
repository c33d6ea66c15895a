// One entry of a suite's task list: checked against the task's declared parameters, sweeps
// unrolled.
#include <algorithm>

#include "suite/suite_lengths.h"
#include "suite/suite_parse.h"

namespace fathom {
namespace {

constexpr size_t kMostCells = 10'000;

// A parameter with the values it takes, in the order written.
struct Axis {
  std::string name;
  std::vector<ParameterValue> values;
  bool swept = false;
};

const ParameterSpec* find_spec(const std::vector<ParameterSpec>& specs, std::string_view name) {
  const auto found = std::find_if(specs.begin(), specs.end(),
                                  [&](const ParameterSpec& spec) { return spec.name == name; });
  return found == specs.end() ? nullptr : &*found;
}

Result<void> check_limits(const YamlValue& at, const std::string& where, const ParameterSpec& spec,
                          double number) {
  if (spec.minimum == spec.maximum || (number >= spec.minimum && number <= spec.maximum)) return {};
  return fail(yaml_error(where, at,
                         fmt::format("'{}' must be between {} and {}, not {}", spec.name,
                                     spec.minimum, spec.maximum, at.scalar)));
}

Result<ParameterValue> parse_value(const YamlValue& value, const std::string& where,
                                   const ParameterSpec& spec) {
  const std::string name = fmt::format("'{}'", spec.name);
  if (std::holds_alternative<bool>(spec.fallback)) {
    TRY(const bool flag, yaml_boolean(value, where, name));
    return ParameterValue(flag);
  }
  if (std::holds_alternative<int64_t>(spec.fallback)) {
    TRY(const int64_t number, yaml_integer(value, where, name, INT64_MIN, INT64_MAX));
    TRY_VOID(check_limits(value, where, spec, static_cast<double>(number)));
    return ParameterValue(number);
  }
  if (std::holds_alternative<double>(spec.fallback)) {
    TRY(const double number, yaml_number(value, where, name));
    TRY_VOID(check_limits(value, where, spec, number));
    return ParameterValue(number);
  }
  TRY(const std::string text, yaml_text(value, where, name));
  if (!spec.choices.empty() &&
      std::find(spec.choices.begin(), spec.choices.end(), text) == spec.choices.end()) {
    const std::string nearest = nearest_word(text, spec.choices);
    return fail(yaml_error(
        where, value,
        fmt::format("{} must be one of {}, not '{}'{}", name, fmt::join(spec.choices, ", "), text,
                    nearest.empty() ? "" : fmt::format("; did you mean '{}'?", nearest))));
  }
  return ParameterValue(text);
}

Result<Axis> parse_axis(const YamlValue& key, const YamlValue& value, const std::string& where,
                        const ParameterSpec& spec) {
  Axis axis{key.scalar, {}, value.kind == YamlKind::kSequence};
  if (!axis.swept) {
    TRY(ParameterValue one, parse_value(value, where, spec));
    axis.values.push_back(std::move(one));
    return axis;
  }
  if (value.items.empty()) {
    return fail(yaml_error(where, value, fmt::format("the list of '{}' is empty", key.scalar)));
  }
  for (const YamlValue& item : value.items) {
    TRY(ParameterValue one, parse_value(item, where, spec));
    if (std::find(axis.values.begin(), axis.values.end(), one) != axis.values.end()) {
      return fail(
          yaml_error(where, item, fmt::format("'{}' takes {} twice", key.scalar, describe(item))));
    }
    axis.values.push_back(std::move(one));
  }
  return axis;
}

// Every combination of the axes' values, the last axis running fastest.
std::vector<SuiteTask> unroll(const SuiteTask& base, const std::vector<Axis>& axes,
                              const std::vector<ParameterSpec>& specs) {
  std::vector<SuiteTask> rows{base};
  std::vector<std::map<std::string, std::string>> shown{{}};
  for (const Axis& axis : axes) {
    const ParameterValue& fallback = find_spec(specs, axis.name)->fallback;
    std::vector<SuiteTask> next;
    std::vector<std::map<std::string, std::string>> next_shown;
    for (size_t row = 0; row < rows.size(); ++row) {
      for (const ParameterValue& value : axis.values) {
        next.push_back(rows[row]);
        next_shown.push_back(shown[row]);
        const bool differs = value != fallback;
        if (differs) next.back().parameters[axis.name] = value;
        if (differs || axis.swept) next_shown.back()[axis.name] = to_text(value);
      }
    }
    rows = std::move(next);
    shown = std::move(next_shown);
  }
  for (size_t row = 0; row < rows.size(); ++row) {
    std::vector<std::string> parts;
    for (const auto& [name, text] : shown[row]) parts.push_back(name + "=" + text);
    rows[row].cell =
        parts.empty() ? base.name : fmt::format("{}[{}]", base.name, fmt::join(parts, ","));
  }
  return rows;
}

Result<std::vector<SuiteTask>> parse_settings(const YamlValue& key, const YamlValue& settings,
                                              const std::string& where,
                                              const std::vector<ParameterSpec>& specs) {
  std::vector<std::string> keys;
  for (const ParameterSpec& spec : specs) keys.push_back(spec.name);
  keys.insert(keys.end(), {"samples", "lengths"});
  TRY_VOID(check_yaml_keys(settings, where, fmt::format("task '{}'", key.scalar), keys));
  SuiteTask base;
  base.name = key.scalar;
  std::vector<Axis> axes;
  size_t cells = 1;
  for (const auto& [name, value] : settings.members) {
    if (const ParameterSpec* spec = find_spec(specs, name.scalar)) {
      TRY(Axis axis, parse_axis(name, value, where, *spec));
      cells *= axis.values.size();
      axes.push_back(std::move(axis));
    } else if (name.scalar == "samples") {
      TRY(base.samples, yaml_integer(value, where, "'samples'", 1, 10'000'000));
    } else {
      TRY(base.lengths, parse_suite_lengths(value, where));
    }
    if (cells > kMostCells) {
      return fail(yaml_error(
          where, value,
          fmt::format("the sweeps of '{}' give more than {} cells", key.scalar, kMostCells)));
    }
  }
  return unroll(base, axes, specs);
}

}  // namespace

std::string unknown_task_message(std::string_view name, const TaskCatalog& catalog) {
  const std::string nearest = nearest_word(name, catalog.names);
  return nearest.empty() ? fmt::format("unknown task '{}'; `fathom tasks` lists them", name)
                         : fmt::format("unknown task '{}'; did you mean '{}'?", name, nearest);
}

Result<std::vector<SuiteTask>> parse_suite_task(const YamlValue& entry, const std::string& where,
                                                const TaskCatalog& catalog) {
  const bool map = entry.kind == YamlKind::kMap;
  if (!map && entry.kind != YamlKind::kScalar) {
    return fail(yaml_error(
        where, entry,
        fmt::format(
            "a task must be a name, or a name with its settings (- vt: {{hops: 4}}), not {}",
            describe(entry))));
  }
  if (map && entry.members.size() != 1) {
    return fail(yaml_error(where, entry,
                           "a task entry holds one name; indent its settings below the name, or "
                           "begin the next task with a dash"));
  }
  const YamlValue& key = map ? entry.members[0].first : entry;
  const auto* specs = catalog.parameters(key.scalar);
  if (specs == nullptr) {
    return fail(yaml_error(where, key, unknown_task_message(key.scalar, catalog)));
  }
  if (!map || entry.members[0].second.kind == YamlKind::kNull) {
    SuiteTask task;
    task.name = task.cell = key.scalar;
    return std::vector<SuiteTask>{task};
  }
  return parse_settings(key, entry.members[0].second, where, *specs);
}

}  // namespace fathom
