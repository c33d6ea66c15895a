#include "results/failed_samples.h"

#include <algorithm>

#include "io/file.h"
#include "results/arm_folder.h"
#include "results/run_folder.h"

namespace fathom {

std::unordered_set<std::string> failed_samples(const Results& results) {
  std::unordered_set<std::string> ids;
  for (size_t row = 0; row < results.rows.size(); ++row) {
    const ScoredAttempt* score = results.score_of(row);
    if (score != nullptr && score->official && *score->official < 1)
      ids.insert(results.samples[row].id);
  }
  return ids;
}

Result<std::unordered_set<std::string>> failed_samples_of_arm(const std::string& folder,
                                                              const std::string& name) {
  const std::string own = folder + "/" + name;
  std::vector<AttentionArm> known;
  if (is_arm_folder(folder)) {
    TRY(known, read_arms(folder));
  }
  const bool is_arm = std::ranges::find(known, name, &AttentionArm::name) != known.end();
  if (!is_arm || !file_exists(own + "/run.json"))
    return fail(ErrorCode::kUsage, "--only-failed: {} has no arm {} yet; run it first, without it",
                folder, name);
  TRY(const FinishedRun run, read_run(own, ResultsOptions{}));
  const Tally& total = run.results.total;
  if (total.attempted < total.samples)
    return fail(ErrorCode::kUsage,
                "--only-failed: arm {} has answered {} of {} samples; the command that began it "
                "ends it",
                name, total.attempted, total.samples);
  std::unordered_set<std::string> ids = failed_samples(run.results);
  if (ids.empty())
    return fail(ErrorCode::kUsage,
                "--only-failed: arm {} answered nothing wrongly; there is nothing to ask again",
                name);
  return ids;
}

Result<void> check_only_failed(const std::vector<AttentionArm>& arms) {
  for (const AttentionArm& arm : arms) {
    if (arm.only_failed.empty()) continue;
    if (arm.options.kind == SelectorKind::kFull || arm.options.kind == SelectorKind::kEvidence)
      return fail(ErrorCode::kUsage,
                  "--only-failed: {} is what all samples are compared with; run it on all of them",
                  arm.name);
    if (arm.name == arm.only_failed)
      return fail(ErrorCode::kUsage,
                  "--only-failed: arm {} cannot be its own intervention; change it, for example "
                  "with --dense-every 4",
                  arm.name);
  }
  return {};
}

}  // namespace fathom
