#include "run/order.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <string_view>
#include <tuple>
#include <utility>

namespace fathom {

std::vector<size_t> running_order(const std::vector<SampleInfo>& infos) {
  using Place = std::pair<int64_t, size_t>;  // index, position
  // A group stands where its first member would.
  std::map<std::pair<int64_t, std::string_view>, Place> groups;
  for (size_t i = 0; i < infos.size(); ++i) {
    if (infos[i].haystack.empty()) continue;
    const Place place{infos[i].index, i};
    const auto [group, added] = groups.try_emplace({infos[i].length, infos[i].haystack}, place);
    if (!added) group->second = std::min(group->second, place);
  }
  const auto key = [&](size_t i) {
    const SampleInfo& info = infos[i];
    const Place own{info.index, i};
    const Place group = info.haystack.empty() ? own : groups.at({info.length, info.haystack});
    return std::tuple(info.length, group, own);
  };
  std::vector<size_t> order(infos.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return key(a) < key(b); });
  return order;
}

}  // namespace fathom
