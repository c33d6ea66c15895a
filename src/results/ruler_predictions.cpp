#include "results/ruler_predictions.h"

#include <algorithm>
#include <map>

#include "base/threads.h"

namespace fathom {
namespace {

SampleFacts facts_of(const ForeignAnswer& answer) {
  SampleFacts facts;
  facts.id = fmt::format("{}:{}:{}", answer.task, answer.length, answer.index);
  facts.task = answer.task;
  facts.cell = answer.task;
  facts.length = answer.length;
  facts.index = answer.index;
  facts.metric = answer.metric;
  facts.references = answer.references;
  return facts;
}

// RULER gives a task 0 where its first line's first reference is null: nothing was to be found.
std::map<std::string, bool> unscorable_files(const std::vector<ForeignAnswer>& answers) {
  std::map<std::string, bool> unscorable;
  for (const ForeignAnswer& answer : answers)
    unscorable.try_emplace(fmt::format("{}:{}", answer.task, answer.length), answer.null_reference);
  return unscorable;
}

}  // namespace

Result<Results> results_of_predictions(const std::vector<ForeignAnswer>& answers, int threads) {
  return results_of_predictions(answers, ResultsOptions{.threads = threads});
}

Result<Results> results_of_predictions(const std::vector<ForeignAnswer>& answers,
                                       const ResultsOptions& options) {
  const std::map<std::string, bool> unscorable = unscorable_files(answers);
  std::vector<SampleFacts> facts(answers.size());
  std::vector<ScoredAttempt> scores(answers.size());
  for (size_t i = 0; i < answers.size(); ++i) {
    facts[i] = facts_of(answers[i]);
    if (answers[i].references.empty() &&
        !unscorable.at(fmt::format("{}:{}", answers[i].task, answers[i].length)))
      return fail(ErrorCode::kInput, "{}: the line has no references to score against",
                  facts[i].id);
  }
  parallel_for(answers.size(), options.threads, [&](size_t i) {
    Attempt attempt;
    attempt.sample_id = facts[i].id;
    attempt.outcome = Outcome::kAnswered;
    attempt.reply.text = answers[i].answer;
    scores[i] = score_attempt(facts[i], attempt);
    if (unscorable.at(fmt::format("{}:{}", facts[i].task, facts[i].length))) {
      scores[i].official = 0;
      scores[i].strict = 0;
      std::fill(scores[i].found.begin(), scores[i].found.end(), false);
    }
  });
  return build_results(std::move(facts), std::move(scores), options);
}

}  // namespace fathom
