// The folder of a study of arms: one ordinary run a folder beside arms.json
// (docs/sparse-attention.md).
//
//   FOLDER/arms.json  dataset/  full/  oracle/  quest-256/ …
#pragma once

#include <span>
#include <string>
#include <vector>

#include "attention/arm.h"
#include "base/result.h"
#include "coverage/coverage.h"
#include "results/results_options.h"
#include "results/run_folder.h"

namespace fathom {

struct FinishedArm {
  AttentionArm arm;
  FinishedRun run;
  std::vector<SampleCoverage> coverage;  // of the answered samples
};

[[nodiscard]] bool is_arm_folder(const std::string& folder);
// Errors: kUsage where the folder holds other arms of a name that is here too, naming the first
// setting that differs; arms that are only there stay.
[[nodiscard]] Result<void> add_arms(const std::string& folder,
                                    const std::vector<AttentionArm>& arms);
[[nodiscard]] Result<std::vector<AttentionArm>> read_arms(const std::string& folder);
[[nodiscard]] Result<std::vector<FinishedArm>> read_finished_arms(const std::string& folder,
                                                                  const ResultsOptions& options);

// The first arm of the kind; null where there is none. Lives in `arms`.
[[nodiscard]] const FinishedArm* first_of(std::span<const FinishedArm> arms, SelectorKind kind);

}  // namespace fathom
