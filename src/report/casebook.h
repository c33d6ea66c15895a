// The samples of a run that the page shows in full, with their prompts made or read again.
#pragma once

#include <cstddef>
#include <vector>

#include "base/result.h"
#include "report/page_cases.h"
#include "results/run_folder.h"

namespace fathom {

// At most `limit`, the most telling first. Errors: those of the dataset; a dataset whose sources
// are gone gives an error, and a page can be written without cases.
[[nodiscard]] Result<std::vector<CaseDetail>> casebook(const FinishedRun& run, size_t limit);

}  // namespace fathom
