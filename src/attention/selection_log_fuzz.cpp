// Any bytes as a line of a selection log: refused by an error that names the line, or read and
// written back to an equal log; never a crash, never memory without bound.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "attention/selection_log_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view line(reinterpret_cast<const char*>(data), size);
  const auto log = fathom::selection_log_from_line(line, "fuzz:1");
  if (!log) {
    if (!log.error().message.starts_with("fuzz:1: ")) std::abort();
    return 0;
  }
  const auto again = fathom::selection_log_from_line(fathom::selection_log_line(*log), "fuzz:2");
  if (!again || *again != *log) std::abort();
  return 0;
}
