// From a parsed YAML document to a suite; the parts of parse_suite().
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "io/yaml.h"
#include "suite/suite.h"

namespace fathom {

// The cells of one entry of `tasks`: a name, or {name: {parameter: value or list, samples,
// lengths}}. Lists are swept, in the order written.
[[nodiscard]] Result<std::vector<SuiteTask>> parse_suite_task(const YamlValue& entry,
                                                              const std::string& where,
                                                              const TaskCatalog& catalog);

// A number, a text ("4k", "4k..128k"), {edges: {block, at}}, or a list of these.
[[nodiscard]] Result<std::vector<int64_t>> parse_suite_lengths(const YamlValue& value,
                                                               const std::string& where);

// "unknown task 'nih'; did you mean 'niah_single_1'?" or with all names.
[[nodiscard]] std::string unknown_task_message(std::string_view name, const TaskCatalog& catalog);

// What `controls` and `variants` of a suite file ask for.
struct VariantsPlan {
  struct Value {
    VariantAxis axis = VariantAxis::kNone;
    std::string value;
  };
  std::vector<std::string> controls;
  std::vector<Value> values;     // robustness variants, one a value, in the order written
  std::vector<int64_t> lengths;  // of the robustness variants; empty: those of the ordinary cell
  bool hops = false;             // a probe of every hop of every chain
  int64_t samples = 0;           // of all of them; 0: as many as the ordinary cell has
  std::map<std::string, std::string> wordings;  // packs that values name → where they are
};

// The names of controls. `what` names their source in messages. Errors: kUsage.
[[nodiscard]] Result<void> check_control_names(const std::vector<std::string>& names);

// `controls`: a list of names.
[[nodiscard]] Result<std::vector<std::string>> parse_suite_controls(const YamlValue& value,
                                                                    const std::string& where);
// `variants`: {wordings, seeds, entity_sets, instruction, place, hops, lengths, samples}.
[[nodiscard]] Result<void> parse_suite_variants(const YamlValue& value, const std::string& where,
                                                VariantsPlan& plan);

// Puts the rows of controls and variants behind the ordinary ones. Errors: kUsage where a variant
// is no other than the suite itself.
[[nodiscard]] Result<void> add_variants(Suite& suite, const VariantsPlan& plan,
                                        const TaskCatalog& catalog);

// A path written in a suite file counts from the file's folder; embedded names and absolute paths
// stay.
[[nodiscard]] std::string beside_suite(const std::string& where, const std::string& path);
// Whether a text is a path and no embedded name.
[[nodiscard]] bool names_file(const std::string& text);

}  // namespace fathom
