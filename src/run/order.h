// In which order samples are asked.
#pragma once

#include <cstddef>
#include <vector>

#include "run/source.h"

namespace fathom {

// Positions of `infos`: short lengths first, so that results come early; within a length the
// samples of one haystack next to each other, so that prefixes are read once; else by index, so
// that every task has some results soon. A pure function of `infos`.
[[nodiscard]] std::vector<size_t> running_order(const std::vector<SampleInfo>& infos);

}  // namespace fathom
