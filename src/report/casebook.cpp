#include "report/casebook.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <unordered_map>

#include "base/threads.h"
#include "suite/dataset.h"
#include "suite/factory.h"
#include "suite/sample_access.h"

namespace fathom {
namespace {

using Attempts = std::unordered_map<std::string_view, const Attempt*>;

// Controls have no length: they come first in a dataset, and are no rows of the results.
size_t place_of_row(const FinishedRun& run, size_t row) {
  return place_in_dataset(run.results.samples[row], row + run.results.control_samples.size());
}

Result<CaseDetail> case_of(const FinishedRun& run, const Attempts& attempts, size_t row,
                           const Sample& sample) {
  const std::string& id = run.results.samples[row].id;
  if (sample.id != id)
    return fail(ErrorCode::kInput, "{}: it holds {} where the run has {}", run.dataset_folder,
                sample.id, id);
  const auto attempt = attempts.find(id);
  const std::optional<size_t>& score = run.results.rows[row].score;
  return make_case(row, sample, attempt == attempts.end() ? nullptr : attempt->second,
                   score ? &run.results.scores[*score] : nullptr);
}

// Of a recipe: made on all cores, each sample by itself.
Result<std::vector<CaseDetail>> made_cases(const FinishedRun& run, const Attempts& attempts,
                                           std::span<const size_t> rows, int threads,
                                           const Dataset& dataset) {
  const Recipe& recipe = dataset.manifest().recipe;
  TRY(const SampleFactory factory, open_factory(recipe));
  const std::vector<SampleSlot> slots = shard_slots(recipe.suite, dataset.manifest().shard);
  std::vector<std::optional<Result<CaseDetail>>> made(rows.size());
  parallel_for(rows.size(), threads, [&](size_t i) {
    const size_t place = place_of_row(run, rows[i]);
    if (place >= slots.size()) {
      made[i] =
          fail(ErrorCode::kInput, "{}: it has no sample at place {}", run.dataset_folder, place);
      return;
    }
    const Result<Sample> sample = factory.make(slots[place]);
    if (sample) {
      made[i] = case_of(run, attempts, rows[i], *sample);
    } else {
      made[i] = tl::unexpected(sample.error());
    }
  });
  std::vector<CaseDetail> cases;
  cases.reserve(rows.size());
  for (auto& one : made) {
    TRY(CaseDetail detail, std::move(*one));
    cases.push_back(std::move(detail));
  }
  return cases;
}

// Of a file: read once, from front to back.
Result<std::vector<CaseDetail>> read_cases(const FinishedRun& run, const Attempts& attempts,
                                           std::span<const size_t> rows, const Dataset& dataset) {
  TRY(const auto samples, open_samples(dataset));
  std::vector<size_t> in_order(rows.size());
  std::iota(in_order.begin(), in_order.end(), 0);
  std::sort(in_order.begin(), in_order.end(),
            [&](size_t a, size_t b) { return rows[a] < rows[b]; });
  std::vector<CaseDetail> cases(rows.size());
  for (const size_t i : in_order) {
    TRY(const Sample sample, samples->at(place_of_row(run, rows[i])));
    TRY(cases[i], case_of(run, attempts, rows[i], sample));
  }
  return cases;
}

}  // namespace

Result<std::vector<CaseDetail>> casebook(const FinishedRun& run, std::span<const size_t> rows,
                                         int threads) {
  Attempts first_attempts;
  first_attempts.reserve(run.attempts.size());
  for (const Attempt& attempt : run.attempts)
    if (attempt.number == 0) first_attempts[attempt.sample_id] = &attempt;
  TRY(const Dataset dataset, Dataset::open(run.dataset_folder));
  if (dataset.needs_maker()) return made_cases(run, first_attempts, rows, threads, dataset);
  return read_cases(run, first_attempts, rows, dataset);
}

}  // namespace fathom
