// The parameters in a cell's name: niah_multikey_1[keys=4,queries=2].
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fathom {

// In the name's order; {{"keys", "4"}, {"queries", "2"}}. A name without brackets, or with anything
// but NAME=VALUE between them (a foreign one), has none. A comma inside a value cannot be told from
// one between parameters: the part after it, having no "=", is taken to belong to the value.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> cell_parameters(
    std::string_view cell);

}  // namespace fathom
