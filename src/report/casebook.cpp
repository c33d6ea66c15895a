#include "report/casebook.h"

#include <algorithm>
#include <map>

#include "suite/dataset.h"
#include "suite/sample_access.h"

namespace fathom {

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
