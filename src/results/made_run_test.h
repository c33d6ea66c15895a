// Results from single samples, for the tests of this folder.
//
//   MadeRun run;
//   run.add("vt", 1024, 0, 1.0).depth = 0.5;
//   const Results results = run.results();
#pragma once

#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "results/results.h"

namespace fathom {

class MadeRun {
 public:
  // A sample and its first attempt; `score` of none: timed out. References stay valid until the
  // next call.
  SampleFacts& add(const std::string& cell, int64_t length, int64_t index,
                   std::optional<double> score) {
    SampleFacts facts;
    facts.id = fmt::format("{}:{}:{}", cell, length, index);
    facts.cell = cell;
    facts.task = cell.substr(0, cell.find('['));
    facts.length = length;
    facts.index = index;
    facts.references = {"42"};
    samples_.push_back(facts);
    ScoredAttempt attempt;
    attempt.official = score;
    attempt.strict = score;
    attempt.outcome = score ? Outcome::kAnswered : Outcome::kTimedOut;
    attempts_.push_back(attempt);
    answered_.push_back(true);
    return samples_.back();
  }
  // Of the sample added last.
  ScoredAttempt& attempt() { return attempts_.back(); }
  void not_run() { answered_.back() = false; }

  [[nodiscard]] Results results(const ResultsOptions& options = {}) const {
    std::vector<ScoredAttempt> scores;
    for (size_t i = 0; i < samples_.size(); ++i) {
      if (!answered_[i]) continue;
      ScoredAttempt attempt = attempts_[i];
      attempt.sample_id = samples_[i].id;
      attempt.task = samples_[i].task;
      attempt.cell = samples_[i].cell;
      attempt.length = samples_[i].length;
      attempt.index = samples_[i].index;
      scores.push_back(std::move(attempt));
    }
    return build_results(samples_, std::move(scores), options);
  }

 private:
  std::vector<SampleFacts> samples_;
  std::vector<ScoredAttempt> attempts_;
  std::vector<bool> answered_;
};

}  // namespace fathom
