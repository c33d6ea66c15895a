#include "results/answered_scores.h"

namespace fathom {

AnsweredScores::AnsweredScores(const Results& results) {
  for (size_t row = 0; row < results.rows.size(); ++row) {
    const ScoredAttempt* score = results.score_of(row);
    if (score == nullptr) continue;
    const SampleFacts& facts = results.samples[row];
    scores_[facts.id] = {facts.hash, score->official.value_or(0)};
  }
}

const AnsweredScore* AnsweredScores::find(const SampleFacts& sample) const {
  const auto found = scores_.find(sample.id);
  return found != scores_.end() && found->second.hash == sample.hash ? &found->second : nullptr;
}

}  // namespace fathom
