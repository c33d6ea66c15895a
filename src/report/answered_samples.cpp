#include "report/answered_samples.h"

#include <map>
#include <string_view>
#include <utility>

#include "suite/dataset.h"
#include "suite/factory.h"

namespace fathom {
namespace {

using Key = std::pair<std::string_view, int64_t>;  // sample and attempt number

}  // namespace

Result<void> for_each_answered(const FinishedRun& run,
                               const std::function<Result<void>(const AnsweredSample&)>& take) {
  std::map<Key, const Attempt*> attempts;  // of several with one number the last counts
  for (const Attempt& attempt : run.attempts)
    attempts[{attempt.sample_id, attempt.number}] = &attempt;
  std::map<Key, const ScoredAttempt*> scores;
  for (const ScoredAttempt& score : run.results.scores)
    scores[{score.sample_id, score.number}] = &score;

  TRY(const Dataset dataset, Dataset::open(run.dataset_folder));
  MakeSample make;
  if (dataset.needs_maker()) {
    TRY(const SampleFactory factory, open_factory(dataset.manifest().recipe));
    make = factory.make;
  }
  TRY(const auto reader, dataset.read(make));
  while (true) {
    TRY(const std::optional<Sample> sample, reader->next());
    if (!sample) return {};
    AnsweredSample answered{*sample, {}, {}};
    for (auto score = scores.lower_bound({sample->id, 0});
         score != scores.end() && score->first.first == sample->id; ++score) {
      const auto attempt = attempts.find(score->first);
      if (attempt == attempts.end()) continue;
      answered.scores.push_back(score->second);
      answered.attempts.push_back(attempt->second);
    }
    TRY_VOID(take(answered));
  }
}

}  // namespace fathom
