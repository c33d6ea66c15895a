// report.html over one or several finished runs: cases chosen and made again, data gathered, page
// written.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "results/arm_folder.h"
#include "results/arm_study.h"
#include "results/run_folder.h"

namespace fathom {

struct PageFileOptions {
  std::string made_by = "fathom";  // with its version
  std::string made_at;             // UTC time text; empty: left out
  int threads = 0;                 // as in parallel_for
  size_t most_cases = 800;         // of each run, with prompt and answer
  // Prompts are made again for the cases: at most this many tokens in all, so that a page over long
  // contexts is written in seconds.
  int64_t most_prompt_tokens = 16'000'000;
};

// Writes the page to `path` (folders are made). Returns: what it had to leave out, in sentences for
// the user. Errors: kIo.
[[nodiscard]] Result<std::vector<std::string>> write_page_file(std::span<const FinishedRun> runs,
                                                               const std::string& path,
                                                               const PageFileOptions& options);

// The page of a study: its arms against full attention, with what they read. `study` is of these
// arms, in their order. Errors: kIo.
[[nodiscard]] Result<std::vector<std::string>> write_arm_page_file(
    std::span<const FinishedArm> arms, const ArmStudy& study, const std::string& path,
    const PageFileOptions& options);

}  // namespace fathom
