#include "results/run_folder.h"

#include <utility>

#include "io/file.h"
#include "run/journal.h"

namespace fathom {

std::string dataset_of_run(const std::string& folder, const RunRecord& record) {
  const std::string own = folder + "/dataset";
  const std::string& named = record.settings.dataset;
  for (const std::string& place : {own, named, folder + "/../dataset"}) {
    const Result<Manifest> manifest = read_manifest(place);
    if (manifest && dataset_hash(*manifest) == record.settings.dataset_hash) return place;
  }
  return is_directory(own) ? own : named;
}

Result<FinishedRun> read_run(const std::string& folder, int threads) {
  return read_run(folder, ResultsOptions{.threads = threads});
}

Result<FinishedRun> read_run(const std::string& folder, const ResultsOptions& options) {
  FinishedRun run;
  run.folder = folder;
  TRY(run.record, read_run_record(folder));
  run.dataset_folder = dataset_of_run(folder, run.record);
  TRY(run.manifest, read_manifest(run.dataset_folder));
  run.description = describe_run(folder, run.record, run.manifest);
  TRY(std::vector<SampleLine> index, read_sample_index(folder + "/samples.jsonl"));
  TRY(run.attempts, read_attempts(folder));
  std::vector<SampleFacts> facts;
  facts.reserve(index.size());
  for (SampleLine& line : index) facts.push_back(std::move(line.facts));
  TRY_CONTEXT(auto scores, score_run(facts, run.attempts, options.threads), folder);
  run.results = build_results(std::move(facts), std::move(scores), options);
  return run;
}

}  // namespace fathom
