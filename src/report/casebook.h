// The samples of a run that the page shows in full, with their prompts made or read again.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/result.h"
#include "report/page_cases.h"
#include "results/run_folder.h"

namespace fathom {

// Those of Results::samples at `rows`, in the order given. `threads` as in parallel_for. Errors:
// those of the dataset; kInput where it no longer holds the run's samples. A page can be written
// without cases.
[[nodiscard]] Result<std::vector<CaseDetail>> casebook(const FinishedRun& run,
                                                       std::span<const size_t> rows, int threads);

}  // namespace fathom
