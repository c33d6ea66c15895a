// The result of a run as numbers: cells (task × length), means over tasks, depth bins, effective
// length. Every table, file and page is written from this value; every number of it leads back to
// rows of `samples`.
//
// Failures are neither zeros nor gone: beside each other stand the quality among the complete
// answers, the share completed, and usability = P(complete) · P(correct | complete), in which a
// failure counts as 0.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "results/sample_facts.h"
#include "results/scores.h"
#include "stats/effective_length.h"
#include "stats/estimate.h"
#include "stats/weighted_mean.h"

namespace fathom {

inline constexpr size_t kOutcomeCount = 10;
[[nodiscard]] constexpr std::array<Outcome, kOutcomeCount> all_outcomes() {
  return {Outcome::kAnswered,      Outcome::kOutputCut,      Outcome::kThinkingCut,
          Outcome::kOverWindow,    Outcome::kInputTruncated, Outcome::kRefused,
          Outcome::kOutOfMemory,   Outcome::kTimedOut,       Outcome::kErrorPermanent,
          Outcome::kErrorTransient};
}

// Counts and estimates over a set of samples (first attempts).
struct Tally {
  int64_t samples = 0;    // in the dataset
  int64_t attempted = 0;  // with a final outcome; samples - attempted are not run yet
  int64_t completed = 0;
  int64_t nulls = 0;                              // complete, but empty after post-processing
  std::array<int64_t, kOutcomeCount> outcomes{};  // by the order of all_outcomes()
  Estimate quality;                               // mean score among the completed
  Estimate completion;                            // completed / attempted
  Estimate usability;                             // mean score over the attempted, failures as 0
  bool operator==(const Tally&) const = default;
};

// Why a figure stands where it stands (V5); a page and a table give each its own mark.
enum class CellMark {
  kScore,        // a score above zero
  kZero,         // completed, and every answer wrong
  kNotRun,       // no attempt yet
  kNoSamples,    // the suite has no such cell
  kOutOfMemory,  // nothing completed; most attempts ran out of memory
  kTimedOut,     // nothing completed; most timed out
  kOverWindow,   // nothing completed; most did not fit the window
  kFailed,       // nothing completed, for other reasons
};
[[nodiscard]] constexpr std::array<CellMark, 8> all_marks() {
  return {CellMark::kScore,       CellMark::kZero,     CellMark::kNotRun,     CellMark::kNoSamples,
          CellMark::kOutOfMemory, CellMark::kTimedOut, CellMark::kOverWindow, CellMark::kFailed};
}
[[nodiscard]] std::string_view to_text(CellMark mark);  // "score", "zero", "not-run" …

struct Cell {
  size_t task = 0;    // into Results::tasks
  size_t length = 0;  // into Results::lengths
  Tally tally = {};
  double ruler_score = 0;  // RULER's own number over the completed answers: 0..100, two decimals
  CellMark mark = CellMark::kNoSamples;
  bool operator==(const Cell&) const = default;
};

struct ResultTask {
  std::string cell;  // its name in tables
  std::string task;
  std::string category;
  Metric metric = Metric::kStringMatchAll;
  bool has_depth = false;
  bool operator==(const ResultTask&) const = default;
};

// The mean over tasks at one length (macro: each task weighs the same; RULER's average). Tasks
// without a complete answer are left out of `quality`, without an attempt out of both;
// `tasks_with_quality` and `tasks_with_usability` say how many remain.
struct LengthSummary {
  size_t length = 0;
  Estimate quality = {};
  Estimate usability = {};
  int64_t tasks_with_quality = 0;
  int64_t tasks_with_usability = 0;
  Tally all = {};  // all samples of the length as one pool: micro mean, outcomes
  bool operator==(const LengthSummary&) const = default;
};

struct Curve {
  std::string name;                        // "all tasks" or a category
  std::vector<LengthSummary> points = {};  // one per length, in order
  EffectiveLength effective = {};          // of usability, against the threshold
  bool operator==(const Curve&) const = default;
};

inline constexpr int kDepthBins = 10;
struct DepthBin {
  size_t task = 0;
  size_t length = 0;
  int bin = 0;  // 0: depth in [0, 0.1) … 9: [0.9, 1]
  Tally tally;
  bool operator==(const DepthBin&) const = default;
};

// A sample with what became of it: `score` is none while it is not run.
struct SampleRow {
  size_t task = 0;
  size_t length = 0;
  std::optional<size_t> score;  // into Results::scores: its first attempt
  bool operator==(const SampleRow&) const = default;
};

struct Results {
  std::vector<SampleFacts> samples;
  std::vector<ScoredAttempt> scores;
  std::vector<SampleRow> rows;    // one per sample
  std::vector<ResultTask> tasks;  // in the order of first appearance
  std::vector<int64_t> lengths;   // ascending
  std::vector<Cell> cells;        // task-major: cells[task * lengths.size() + length]
  std::vector<Curve> curves;    // all tasks first, then the categories where there is more than one
  std::vector<DepthBin> depth;  // non-empty bins only, by task, length, bin
  RulerAverages averages;       // over lengths of the macro usability
  Tally total;
  double threshold = kRulerThreshold;

  [[nodiscard]] const Cell& cell(size_t task, size_t length) const {
    return cells[task * lengths.size() + length];
  }
};

// `scores` as score_run() or read_scores() gave them, for these samples. O(n log n).
[[nodiscard]] Results build_results(std::vector<SampleFacts> samples,
                                    std::vector<ScoredAttempt> scores,
                                    double threshold = kRulerThreshold);

}  // namespace fathom
