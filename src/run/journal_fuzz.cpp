// Any bytes as a journal line: an attempt that survives writing and reading again, or a clear
// error; never a crash.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "run/journal_line.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view line(reinterpret_cast<const char*>(data), size);
  (void)fathom::journal_header(line, "fuzz:1");
  const auto attempt = fathom::attempt_from_line(line, "fuzz:1");
  if (!attempt) {
    if (!attempt.error().message.starts_with("fuzz:1: ")) std::abort();
    return 0;
  }
  const auto again = fathom::attempt_from_line(fathom::to_journal_line(*attempt), "fuzz:1");
  if (!again || *again != *attempt) std::abort();
  return 0;
}
