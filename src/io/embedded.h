// The files of data/ that travel inside the program: suites, wordings, name tables, the report
// page.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fathom {

// `name` is relative to data/: embedded_file("suites/ruler.yaml"). The view lives as long as the
// program.
[[nodiscard]] std::optional<std::string_view> embedded_file(std::string_view name);

// Names that start with `prefix`, sorted.
[[nodiscard]] std::vector<std::string> embedded_names(std::string_view prefix);

}  // namespace fathom
