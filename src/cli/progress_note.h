// "making samples 120/600": a line that is rewritten on a terminal, and now and then a line
// elsewhere.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace fathom {

// A callback for loops that report (done, of); writes to stderr.
[[nodiscard]] std::function<void(int64_t done, int64_t of)> progress_note(const std::string& what);

}  // namespace fathom
