// Lengths as people write them: "4k", "4096,8192", "4k..128k", block edges.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace fathom {

inline constexpr int64_t kShortestLength = 128;
inline constexpr int64_t kLongestLength = int64_t{1} << 30;

// The lengths of one written item; messages carry no place. Errors: kUsage.
[[nodiscard]] Result<std::vector<int64_t>> length_item(std::string_view item);

// B−1, B and B+1 around `at`, which must be a multiple of `block` (G6). Errors: kUsage.
[[nodiscard]] Result<std::vector<int64_t>> block_edges(int64_t block, int64_t at);

// Ascending, each once.
void sort_lengths(std::vector<int64_t>& lengths);

}  // namespace fathom
