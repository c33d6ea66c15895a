#include "runs/scored_run.h"

#include <fmt/format.h>

namespace fathom::testing_run {
namespace {

SampleFacts sample_of(const ScoredShape& shape, const std::string& task, int64_t length,
                      int64_t index) {
  SampleFacts facts;
  facts.id = fmt::format("{}:{}:{}", task, length, index);
  facts.hash = fmt::format("{}-{}", shape.content, facts.id);
  facts.task = facts.cell = task;
  facts.length = length;
  facts.index = index;
  facts.references = {"42"};
  facts.haystack = fmt::format("noise:{}:{}", task, index);
  return facts;
}

ScoredAttempt attempt_of(const SampleFacts& sample, const ScoredAnswer& answer) {
  ScoredAttempt attempt;
  attempt.sample_id = sample.id;
  attempt.sample_hash = sample.hash;
  attempt.task = sample.task;
  attempt.cell = sample.cell;
  attempt.length = sample.length;
  attempt.index = sample.index;
  attempt.metric = sample.metric;
  attempt.outcome = answer.official ? answer.outcome : Outcome::kTimedOut;
  attempt.official = answer.official;
  attempt.strict = answer.strict ? answer.strict : answer.official;
  attempt.spent = answer.spent;
  if (answer.miss) attempt.misses.push_back({.kind = *answer.miss});
  return attempt;
}

// What comparing runs and most rules read of Results.
Results joined(const ScoredShape& shape, std::vector<SampleFacts> samples,
               std::vector<ScoredAttempt> scores) {
  Results results;
  for (const std::string& task : shape.tasks)
    results.tasks.push_back({.cell = task, .task = task, .category = category_of(task)});
  results.lengths = shape.lengths;
  size_t row = 0;
  for (size_t length = 0; length < shape.lengths.size(); ++length)
    for (size_t task = 0; task < shape.tasks.size(); ++task)
      for (int64_t index = 0; index < shape.samples; ++index, ++row)
        results.rows.push_back({.task = task, .length = length, .score = row});
  results.total.samples = results.total.attempted = static_cast<int64_t>(row);
  results.samples = std::move(samples);
  results.scores = std::move(scores);
  return results;
}

}  // namespace

ScoredRun scored_run(const ScoredShape& shape, const AnswerOf& answer) {
  std::vector<SampleFacts> samples;
  std::vector<ScoredAttempt> scores;
  for (const int64_t length : shape.lengths)
    for (const std::string& task : shape.tasks)
      for (int64_t index = 0; index < shape.samples; ++index) {
        samples.push_back(sample_of(shape, task, length, index));
        const ScoredAnswer given = answer(samples.back());
        if (given.run) scores.push_back(attempt_of(samples.back(), given));
      }
  ScoredRun run;
  ResultsOptions options;
  options.resamples = 1;  // these tests read no resampled interval
  options.threads = 1;
  run.results = shape.whole ? build_results(std::move(samples), std::move(scores), options)
                            : joined(shape, std::move(samples), std::move(scores));
  run.description.name = shape.name;
  run.description.model = "model " + shape.name;
  run.description.suite = "made";
  run.description.conditions = {{"Model", "Name", "model " + shape.name},
                                {"Dataset", "Suite", "made"},
                                {"Run", "Processor", "any"}};
  return run;
}

}  // namespace fathom::testing_run
