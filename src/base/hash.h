// Two hashes: XXH3-128 for identity inside fathom (samples, prompts, settings), SHA-256 where
// outsiders check (files).
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace fathom {

[[nodiscard]] std::string hash_hex(std::string_view bytes);    // XXH3-128, 32 lower-case hex digits
[[nodiscard]] std::string sha256_hex(std::string_view bytes);  // 64 lower-case hex digits
[[nodiscard]] Result<std::string> sha256_file(const std::string& path);  // streamed, O(1) memory

}  // namespace fathom
