// Profiles of simulated readers from YAML: declared in simulated_reader.h.
#include <fmt/format.h>

#include <functional>
#include <utility>

#include "io/embedded.h"
#include "io/file.h"
#include "io/yaml.h"
#include "model/simulated_reader.h"

namespace fathom {
namespace {

constexpr std::string_view kFolder = "readers/";
constexpr std::string_view kEnding = ".yaml";

struct NumberField {
  std::string name;
  double* value;
  double low;
  double high;
};

constexpr double kMost = 1e15;

// Reads a map of numbers; keys that are missing keep their defaults.
Result<void> read_numbers(const YamlValue& map, const std::string& where, const std::string& what,
                          const std::vector<NumberField>& fields) {
  std::vector<std::string> names;
  for (const NumberField& field : fields) names.push_back(field.name);
  TRY_VOID(check_yaml_keys(map, where, what, names));
  for (const NumberField& field : fields) {
    const YamlValue* value = map.find(field.name);
    if (value == nullptr) continue;
    TRY(*field.value, yaml_number(*value, where, "'" + field.name + "'"));
    if (!(*field.value >= field.low && *field.value <= field.high))
      return fail(yaml_error(
          where, *value,
          fmt::format("'{}' must lie between {} and {}", field.name, field.low, field.high)));
  }
  return {};
}

Result<void> read_accuracy(const YamlValue& map, const std::string& where, ReaderAccuracy& out) {
  return read_numbers(map, where, "an accuracy",
                      {{"top", &out.top, 0, 1},
                       {"floor", &out.floor, 0, 1},
                       {"half_length", &out.half_length, 1, kMost},
                       {"steepness", &out.steepness, 0, 100},
                       {"dip", &out.dip, 0, 1},
                       {"worst", &out.worst, 0, 1},
                       {"width", &out.width, 1e-3, 100}});
}

Result<void> read_mistakes(const YamlValue& map, const std::string& where, ReaderMistakes& out) {
  TRY_VOID(read_numbers(map, where, "'mistakes'",
                        {{"partial", &out.partial, 0, kMost},
                         {"wrong_binding", &out.wrong_binding, 0, kMost},
                         {"empty", &out.empty, 0, kMost},
                         {"truncated", &out.truncated, 0, kMost}}));
  return {};
}

}  // namespace

Result<ReaderProfile> parse_reader_profile(std::string_view yaml, const std::string& where) {
  TRY(const YamlValue root, parse_yaml(yaml, where));
  TRY_VOID(check_yaml_keys(
      root, where, "a simulated reader",
      {"name", "about", "window_tokens", "accuracy", "tasks", "mistakes", "latency", "failures"}));
  ReaderProfile profile;
  if (const YamlValue* value = root.find("name")) {
    TRY(profile.name, yaml_text(*value, where, "'name'"));
  }
  if (const YamlValue* value = root.find("about")) {
    TRY(profile.about, yaml_text(*value, where, "'about'"));
  }
  if (const YamlValue* value = root.find("window_tokens")) {
    TRY(profile.window_tokens, yaml_integer(*value, where, "'window_tokens'", 0, int64_t{1} << 40));
  }
  if (const YamlValue* value = root.find("accuracy"))
    TRY_VOID(read_accuracy(*value, where, profile.accuracy));
  if (const YamlValue* value = root.find("mistakes"))
    TRY_VOID(read_mistakes(*value, where, profile.mistakes));
  if (const YamlValue* value = root.find("latency"))
    TRY_VOID(read_numbers(*value, where, "'latency'",
                          {{"first_token_ms", &profile.first_token_ms, 0, 1e9},
                           {"ms_per_1000_tokens", &profile.ms_per_1000_tokens, 0, 1e9}}));
  if (const YamlValue* value = root.find("failures"))
    TRY_VOID(read_numbers(*value, where, "'failures'",
                          {{"rate_limited", &profile.rate_limited_share, 0, 1},
                           {"transient", &profile.transient_share, 0, 1}}));
  if (const YamlValue* tasks = root.find("tasks")) {
    if (tasks->kind != YamlKind::kMap)
      return fail(yaml_error(where, *tasks,
                             "'tasks' must be a map of task names, not " + describe(*tasks)));
    for (const auto& [name, value] : tasks->members) {
      ReaderAccuracy accuracy = profile.accuracy;  // a task states what differs
      TRY_VOID(read_accuracy(value, where, accuracy));
      profile.tasks.emplace_back(name.scalar, accuracy);
    }
  }
  return profile;
}

Result<ReaderProfile> load_reader_profile(const std::string& name) {
  if (name.ends_with(kEnding) || name.ends_with(".yml")) {
    TRY(const std::string text, read_file(name));
    TRY(ReaderProfile profile, parse_reader_profile(text, name));
    if (profile.name.empty()) profile.name = name;
    return profile;
  }
  const std::string file = fmt::format("{}{}{}", kFolder, name, kEnding);
  if (const std::optional<std::string_view> text = embedded_file(file)) {
    TRY(ReaderProfile profile, parse_reader_profile(*text, file));
    if (profile.name.empty()) profile.name = name;
    return profile;
  }
  std::vector<std::string> known;
  for (const std::string& full : embedded_names(kFolder))
    if (full.ends_with(kEnding))
      known.push_back(full.substr(kFolder.size(), full.size() - kFolder.size() - kEnding.size()));
  const std::string near = nearest_word(name, known);
  return fail(ErrorCode::kUsage, "no simulated reader '{}'{}; there are {}, or give a .yaml file",
              name, near.empty() ? "" : fmt::format(" (did you mean '{}'?)", near),
              fmt::join(known, ", "));
}

}  // namespace fathom
