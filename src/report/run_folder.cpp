#include "report/run_folder.h"

#include <algorithm>
#include <map>

#include "io/file.h"
#include "run/journal.h"
#include "suite/sample_access.h"

namespace fathom {

std::string dataset_of_run(const std::string& folder, const RunRecord& record) {
  const std::string own = folder + "/dataset";
  return is_directory(own) ? own : record.settings.dataset;
}

Result<FinishedRun> read_run(const std::string& folder, int threads) {
  FinishedRun run;
  run.folder = folder;
  TRY(run.record, read_run_record(folder));
  run.dataset_folder = dataset_of_run(folder, run.record);
  TRY(run.manifest, read_manifest(run.dataset_folder));
  run.description = describe_run(folder, run.record, run.manifest);
  TRY(const std::vector<SampleLine> index, read_sample_index(folder + "/samples.jsonl"));
  TRY(run.attempts, read_attempts(folder));
  std::vector<SampleFacts> facts;
  facts.reserve(index.size());
  for (const SampleLine& line : index) facts.push_back(line.facts);
  TRY_CONTEXT(auto scores, score_run(facts, run.attempts, threads), folder);
  run.results = build_results(std::move(facts), std::move(scores));
  return run;
}

Result<std::vector<CaseDetail>> casebook(const FinishedRun& run, size_t limit) {
  std::map<std::string_view, const Attempt*> first_attempts;
  for (const Attempt& attempt : run.attempts)
    if (attempt.number == 0) first_attempts[attempt.sample_id] = &attempt;

  TRY(const Dataset dataset, Dataset::open(run.dataset_folder));
  TRY(const auto samples, open_samples(dataset));
  const std::vector<size_t> chosen = choose_cases(run.results, limit);
  std::vector<size_t> in_order(chosen);
  std::sort(in_order.begin(), in_order.end());
  std::map<size_t, CaseDetail> details;
  for (const size_t row : in_order) {
    TRY(const Sample sample, samples->at(row));
    const auto attempt = first_attempts.find(sample.id);
    const auto& score = run.results.rows[row].score;
    details[row] =
        make_case(row, sample, attempt == first_attempts.end() ? nullptr : attempt->second,
                  score ? run.results.scores[*score].found : std::vector<bool>{});
  }
  std::vector<CaseDetail> cases;
  cases.reserve(chosen.size());
  for (const size_t row : chosen) cases.push_back(std::move(details[row]));
  return cases;
}

}  // namespace fathom
