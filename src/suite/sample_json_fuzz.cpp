// Any bytes as a row of a dataset: refused by an error, or read and written back to an equal
// sample.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "suite/ruler_rows.h"
#include "suite/sample_json.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto sample = fathom::sample_from_json(text, "fuzz:1");
  if (sample) {
    const auto again = fathom::sample_from_json(fathom::sample_to_json(*sample), "fuzz:2");
    if (!again || *again != *sample) std::abort();
  }
  (void)fathom::parse_ruler_row(text, 1, "fuzz:1");
  (void)fathom::parse_ruler_prediction(text, 1, "fuzz:1");
  return 0;
}
