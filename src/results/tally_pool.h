// Gathers samples and turns them into a Tally at the end.
#pragma once

#include <cstdint>
#include <vector>

#include "results/scores.h"
#include "results/tally.h"

namespace fathom {

// Single-threaded.
class TallyPool {
 public:
  // `score`: of the first attempt; null: not run yet. `cluster`: of the sample (sample_clusters.h).
  void add(const ScoredAttempt* score, int64_t cluster);
  void reserve(size_t samples);

  [[nodiscard]] bool empty() const { return counts_.samples == 0; }
  [[nodiscard]] const std::vector<double>& graded() const { return graded_; }
  [[nodiscard]] Tally tally(double confidence) const;

 private:
  Tally counts_;
  std::vector<double> graded_;  // official score of the completed
  std::vector<int64_t> graded_clusters_;
  std::vector<double> counted_;    // of the attempted, failures as 0
  std::vector<double> strict_;     // likewise
  std::vector<double> completed_;  // 1 or 0
  std::vector<int64_t> counted_clusters_;
};

}  // namespace fathom
