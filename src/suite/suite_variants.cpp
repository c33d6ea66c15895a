// Controls and robustness variants of a suite: from the file's words to rows beside the ordinary
// ones.
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <set>

#include "suite/suite_lengths.h"
#include "suite/suite_parse.h"

namespace fathom {
namespace {

constexpr size_t kMostValues = 100;
constexpr int64_t kMostEntitySets = 100;
const std::vector<std::string> kControls = {std::string(kNoContext), std::string(kNeedlesOnly)};
const std::vector<std::string> kPlaces = {"before", "after", "both"};
// The packs of places say what this one says.
constexpr std::string_view kPlacedWording = "fathom";

std::string place_pack(const std::string& place) { return "instruction_" + place; }

Result<const YamlValue*> list_of(const YamlValue& value, const std::string& where,
                                 const std::string& name) {
  if (value.kind == YamlKind::kSequence && !value.items.empty() &&
      value.items.size() <= kMostValues) {
    return &value;
  }
  return fail(yaml_error(where, value,
                         fmt::format("'{}' must be a list of 1 to {} values, not {}", name,
                                     kMostValues, describe(value))));
}

Result<void> add_value(VariantsPlan& plan, VariantAxis axis, std::string value, const YamlValue& at,
                       const std::string& where) {
  for (const VariantsPlan::Value& each : plan.values) {
    if (each.axis != axis || each.value != value) continue;
    return fail(yaml_error(where, at, fmt::format("'{}' stands here a second time", value)));
  }
  plan.values.push_back({axis, std::move(value)});
  return {};
}

Result<void> parse_wordings(const YamlValue& value, const std::string& where, VariantsPlan& plan) {
  TRY(const YamlValue* list, list_of(value, where, "wordings"));
  for (const YamlValue& item : list->items) {
    TRY(const std::string text, yaml_text(item, where, "a wording"));
    const bool path = names_file(text);
    // A cell is named after the pack, whose folder is nobody's business.
    const std::string name = path ? std::filesystem::path(text).stem().string() : text;
    if (name.empty() || name.find_first_of("[],=:") != std::string::npos) {
      return fail(yaml_error(where, item,
                             fmt::format("a wording's file is named without brackets, commas, "
                                         "colons and equals signs, not '{}'",
                                         text)));
    }
    TRY_VOID(add_value(plan, VariantAxis::kWording, name, item, where));
    plan.wordings[name] = path ? beside_suite(where, text) : text;
  }
  return {};
}

Result<void> parse_seeds(const YamlValue& value, const std::string& where, VariantsPlan& plan) {
  TRY(const YamlValue* list, list_of(value, where, "seeds"));
  for (const YamlValue& item : list->items) {
    TRY(const int64_t seed, yaml_integer(item, where, "a seed", 0, INT64_MAX));
    TRY_VOID(add_value(plan, VariantAxis::kSeed, std::to_string(seed), item, where));
  }
  return {};
}

Result<void> parse_instruction(const YamlValue& value, const std::string& where,
                               VariantsPlan& plan) {
  TRY(const YamlValue* list, list_of(value, where, "instruction"));
  for (const YamlValue& item : list->items) {
    TRY(const std::string place, yaml_text(item, where, "a place of the instruction"));
    if (std::find(kPlaces.begin(), kPlaces.end(), place) == kPlaces.end()) {
      return fail(yaml_error(where, item,
                             fmt::format("an instruction stands {} the context, not '{}'",
                                         fmt::join(kPlaces, ", "), place)));
    }
    TRY_VOID(add_value(plan, VariantAxis::kInstruction, place, item, where));
    plan.wordings[place_pack(place)] = place_pack(place);
  }
  return {};
}

SuiteTask variant_of(const SuiteTask& ordinary, VariantAxis axis, const std::string& value) {
  SuiteTask row = ordinary;
  row.variant = {axis, value, ordinary.cell};
  row.cell = row.variant.cell();
  return row;
}

SuiteTask control_row(const Suite& suite, const SuiteTask& ordinary, const std::string& control) {
  SuiteTask row = variant_of(ordinary, VariantAxis::kControl, control);
  const auto& lengths = ordinary.lengths.empty() ? suite.lengths : ordinary.lengths;
  row.control_of = *std::min_element(lengths.begin(), lengths.end());
  row.lengths = {0};
  return row;
}

Result<void> check_against_suite(const Suite& suite, const VariantsPlan::Value& each) {
  const auto same = [&](std::string_view what) {
    return fail(ErrorCode::kUsage,
                "variants: the {} '{}' is the suite's own, which its ordinary cells have already; "
                "take it out of the list",
                what, each.value);
  };
  if (each.axis == VariantAxis::kSeed && each.value == std::to_string(suite.seed)) {
    return same("seed");
  }
  if (each.axis == VariantAxis::kWording &&
      (each.value == suite.wording ||
       each.value == std::filesystem::path(suite.wording).stem().string())) {
    return same("wording");
  }
  if (each.axis == VariantAxis::kInstruction && suite.wording != kPlacedWording) {
    return fail(ErrorCode::kUsage,
                "variants: 'instruction' moves the sentences of the wording '{}', and this suite "
                "has '{}'; give its moved forms as packs of your own under 'wordings'",
                kPlacedWording, suite.wording);
  }
  return {};
}

bool can_vary(VariantAxis axis, const SuiteTask& row, const TaskCatalog& catalog) {
  if (axis == VariantAxis::kEntities) return catalog.entity_sets(row.name);
  if (axis == VariantAxis::kPlace) return catalog.places_evidence(row.name);
  return true;
}

Result<int64_t> hops_of(const SuiteTask& row, const TaskCatalog& catalog) {
  TRY(const Parameters parameters,
      Parameters::resolve(row.name, *catalog.parameters(row.name), row.parameters));
  return parameters.integer(catalog.hops(row.name));
}

}  // namespace

Result<void> check_control_names(const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    if (std::find(kControls.begin(), kControls.end(), name) != kControls.end()) continue;
    const std::string nearest = nearest_word(name, kControls);
    return fail(ErrorCode::kUsage, "a control is {}, not '{}'{}", fmt::join(kControls, " or "),
                name, nearest.empty() ? "" : fmt::format("; did you mean '{}'?", nearest));
  }
  return {};
}

Result<std::vector<std::string>> parse_suite_controls(const YamlValue& value,
                                                      const std::string& where) {
  TRY(const YamlValue* list, list_of(value, where, "controls"));
  std::vector<std::string> names;
  for (const YamlValue& item : list->items) {
    TRY(const std::string name, yaml_text(item, where, "a control"));
    if (auto known = check_control_names({name}); !known) {
      return fail(yaml_error(where, item, known.error().message));
    }
    if (std::find(names.begin(), names.end(), name) != names.end()) {
      return fail(yaml_error(where, item, fmt::format("'{}' stands here a second time", name)));
    }
    names.push_back(name);
  }
  return names;
}

Result<void> parse_suite_variants(const YamlValue& value, const std::string& where,
                                  VariantsPlan& plan) {
  TRY_VOID(check_yaml_keys(
      value, where, "'variants'",
      {"wordings", "seeds", "entity_sets", "instruction", "place", "hops", "lengths", "samples"}));
  for (const auto& [key, setting] : value.members) {
    if (key.scalar == "wordings") {
      TRY_VOID(parse_wordings(setting, where, plan));
    } else if (key.scalar == "seeds") {
      TRY_VOID(parse_seeds(setting, where, plan));
    } else if (key.scalar == "instruction") {
      TRY_VOID(parse_instruction(setting, where, plan));
    } else if (key.scalar == "place") {
      TRY(const std::string place, yaml_text(setting, where, "'place'"));
      if (place != kBesideQuestion)
        return fail(yaml_error(
            where, setting,
            fmt::format("'place' moves the evidence to {}, not '{}'", kBesideQuestion, place)));
      plan.values.push_back({VariantAxis::kPlace, place});
    } else if (key.scalar == "hops") {
      TRY(plan.hops, yaml_boolean(setting, where, "'hops'"));
    } else if (key.scalar == "entity_sets") {
      TRY(const int64_t sets, yaml_integer(setting, where, "'entity_sets'", 1, kMostEntitySets));
      for (int64_t set = 1; set <= sets; ++set) {
        plan.values.push_back({VariantAxis::kEntities, std::to_string(set)});
      }
    } else if (key.scalar == "lengths") {
      TRY(plan.lengths, parse_suite_lengths(setting, where));
    } else {
      TRY(plan.samples, yaml_integer(setting, where, "'samples'", 1, 10'000'000));
    }
  }
  return {};
}

Result<void> add_variants(Suite& suite, const VariantsPlan& plan, const TaskCatalog& catalog) {
  const std::vector<SuiteTask> ordinary = suite.tasks;
  for (const std::string& control : plan.controls) {
    for (const SuiteTask& row : ordinary) suite.tasks.push_back(control_row(suite, row, control));
  }
  const auto add = [&](const SuiteTask& row, VariantAxis axis, const std::string& value) {
    SuiteTask variant = variant_of(row, axis, value);
    if (!plan.lengths.empty()) variant.lengths = plan.lengths;
    if (plan.samples != 0) variant.samples = plan.samples;
    suite.tasks.push_back(std::move(variant));
  };
  std::map<VariantAxis, std::set<std::string>> without;  // cells that an axis cannot change
  for (const VariantsPlan::Value& each : plan.values) {
    TRY_VOID(check_against_suite(suite, each));
    for (const SuiteTask& row : ordinary) {
      if (can_vary(each.axis, row, catalog)) {
        add(row, each.axis, each.value);
      } else {
        without[each.axis].insert(row.cell);
      }
    }
  }
  for (const SuiteTask& row : ordinary) {
    if (!plan.hops || catalog.hops(row.name).empty()) continue;
    TRY(const int64_t hops, hops_of(row, catalog));
    for (int64_t hop = 0; hop <= hops; ++hop) add(row, VariantAxis::kHop, std::to_string(hop));
  }
  suite.variant_wordings = plan.wordings;
  for (const auto& [axis, cells] : without)
    suite.notes.push_back(
        axis == VariantAxis::kEntities
            ? fmt::format("entity sets: {} cannot draw other names, so it has none",
                          fmt::join(cells, ", "))
            : fmt::format("place: the evidence of {} is everywhere, so it has none",
                          fmt::join(cells, ", ")));
  return {};
}

}  // namespace fathom
