// From a parsed YAML document to a suite; the parts of parse_suite().
#pragma once

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

}  // namespace fathom
