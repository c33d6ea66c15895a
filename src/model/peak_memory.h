// The largest memory this process has held since a mark, from Linux's /proc (R12).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace fathom {

// Peak resident bytes from the text of /proc/self/status (its line "VmHWM: … kB"); nullopt where
// there is none.
[[nodiscard]] std::optional<int64_t> parse_peak_memory(std::string_view proc_status);

// Sets the mark: peaks count from here. Does nothing where the system has no such mark; the peak is
// then that of the process so far.
void reset_peak_memory();

// -1: not known.
[[nodiscard]] int64_t peak_memory_bytes();

}  // namespace fathom
