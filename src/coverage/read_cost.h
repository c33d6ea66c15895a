// What attention read and computed, from the pairs that a log counted (spec A5).
#pragma once

#include <cstdint>

#include "attention/selection_log.h"

namespace fathom {

// Bytes of one number in the cache.
struct CacheFormat {
  double key_bytes = 2;  // f16
  double value_bytes = 2;
};

// Key-value pairs, summed over steps, layers and kv heads. A pair that query heads of a group read
// together counts once; dense layers are among them in full.
struct ReadPairs {
  double read = 0;
  double full = 0;       // full attention's
  double to_select = 0;  // the selector's own reads, in pairs: bounds of a block 1, a mean 1/2
};
[[nodiscard]] ReadPairs read_pairs(const SelectionLog& log);

struct ReadCost {
  double bytes = 0;  // of keys and values, selection included
  double bytes_full = 0;
  // Multiplications and additions of attention itself (products with keys, sums of values: 2 · 2 ·
  // head_size a query head and pair), selection included at the same price a pair; soft-max and the
  // layers around attention are left out.
  double flops = 0;
  double flops_full = 0;
  double share = 1;  // of full attention's bytes; 1 where nothing is known
  bool operator==(const ReadCost&) const = default;
};
// `group`: query heads that share a kv head.
[[nodiscard]] ReadCost read_cost(const ReadPairs& pairs, double head_size, double group,
                                 const CacheFormat& format = {});

// Looks that a log does not have, of every layer in every step: costs then count what is there.
[[nodiscard]] int64_t missing_looks(const SelectionLog& log);

}  // namespace fathom
