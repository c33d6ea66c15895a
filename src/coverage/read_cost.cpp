#include "coverage/read_cost.h"

#include <set>

namespace fathom {

ReadPairs read_pairs(const SelectionLog& log) {
  ReadPairs pairs;
  for (const LoggedSelection& each : log.selections) {
    pairs.read += each.pairs;
    pairs.full += each.pairs_full;
    pairs.to_select += each.pairs_to_select;
  }
  return pairs;
}

ReadCost read_cost(const ReadPairs& pairs, double head_size, double group,
                   const CacheFormat& format) {
  const double bytes = (format.key_bytes + format.value_bytes) * head_size;
  const double flops = 2 * 2 * head_size * group;
  const double touched = pairs.read + pairs.to_select;
  ReadCost cost{.bytes = touched * bytes,
                .bytes_full = pairs.full * bytes,
                .flops = touched * flops,
                .flops_full = pairs.full * flops};
  if (pairs.full > 0) cost.share = touched / pairs.full;
  return cost;
}

int64_t missing_looks(const SelectionLog& log) {
  std::set<int64_t> steps;
  for (const LoggedSelection& each : log.selections) steps.insert(each.position);
  return static_cast<int64_t>(steps.size()) * log.layers -
         static_cast<int64_t>(log.selections.size());
}

}  // namespace fathom
