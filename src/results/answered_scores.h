// Scores of answered samples by id, for putting runs of the same samples side by side.
#pragma once

#include <string_view>
#include <unordered_map>

#include "results/results.h"

namespace fathom {

struct AnsweredScore {
  std::string_view hash;  // of the sample's content
  double score = 0;       // official; 0 where the request failed
  [[nodiscard]] bool right() const { return score >= 1; }
};

// A view of results, which must outlive it.
class AnsweredScores {
 public:
  explicit AnsweredScores(const Results& results);
  // Null where the sample is not answered yet, or is another of the same id.
  [[nodiscard]] const AnsweredScore* find(const SampleFacts& sample) const;

 private:
  std::unordered_map<std::string_view, AnsweredScore> scores_;
};

}  // namespace fathom
