// Every sample of a run, in columns.
#pragma once

#include <string>

#include "results/results.h"

namespace fathom {

// docs/formats/page.md, "samples": a JSON object's text. O(n).
[[nodiscard]] std::string page_samples_json(const Results& results);

}  // namespace fathom
