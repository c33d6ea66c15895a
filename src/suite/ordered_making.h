// Making samples on many threads, taken in order, with few of them in memory.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "suite/dataset.h"

namespace fathom {

// A finished sample, ready to be written.
struct MadeSample {
  std::string id;
  std::string hash;
  std::string line;  // its JSON; empty where `with_lines` is false
};

// Calls make() for each slot on `threads` threads (0: all cores) and `take` for each result in slot
// order, from the calling thread. At most 4 samples a thread are in memory. The first error in slot
// order (of make or take) ends it.
[[nodiscard]] Result<void> make_in_order(
    const std::vector<SampleSlot>& slots, int threads, bool with_lines, const MakeSample& make,
    const std::function<Result<void>(size_t position, const MadeSample& sample)>& take);

}  // namespace fathom
