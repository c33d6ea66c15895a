#include "results/cell_name.h"

namespace fathom {

std::vector<std::pair<std::string, std::string>> cell_parameters(std::string_view cell) {
  const size_t open = cell.find('[');
  if (open == std::string_view::npos || !cell.ends_with(']')) return {};
  std::string_view inside = cell.substr(open + 1, cell.size() - open - 2);
  std::vector<std::pair<std::string, std::string>> parameters;
  while (!inside.empty()) {
    const size_t comma = inside.find(',');
    const std::string_view part = inside.substr(0, comma);
    const size_t equals = part.find('=');
    if (equals != std::string_view::npos && equals > 0) {
      parameters.emplace_back(part.substr(0, equals), part.substr(equals + 1));
    } else if (!parameters.empty()) {
      parameters.back().second.append(",").append(part);
    } else {
      return {};
    }
    inside = comma == std::string_view::npos ? std::string_view{} : inside.substr(comma + 1);
  }
  return parameters;
}

}  // namespace fathom
