// Data-parallel loops over indices. Results must not depend on the number of threads: give each
// index its own slot.
#pragma once

#include <cstddef>
#include <functional>

namespace fathom {

// The cores this process may use (affinity respected), at least 1.
[[nodiscard]] int available_cores();

// Calls body(index) for every index of [0, count), on `threads` threads (0: all cores), in no fixed
// order; returns when all are done. `body` must not throw.
void parallel_for(size_t count, int threads, const std::function<void(size_t)>& body);

}  // namespace fathom
