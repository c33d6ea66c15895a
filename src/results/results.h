// The result of a run as numbers: cells (task × length), means over tasks,
// depth bins, effective length. Every table, file and page is written from this
// value; every number of it leads back to rows of `samples`.
//
// Failures are neither zeros nor gone: beside each other stand the quality
// among the complete answers, the share completed, and usability = P(complete)
// · P(correct | complete), in which a failure counts as 0.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "results/positions.h"
#include "results/results_options.h"
#include "results/robustness.h"
#include "results/sample_facts.h"
#include "results/scores.h"
#include "results/spending.h"
#include "results/summaries.h"
#include "results/tally.h"
#include "stats/effective_length.h"
#include "stats/estimate.h"
#include "stats/weighted_mean.h"

namespace fathom {

// Why a figure stands where it stands (V5); a page and a table give each its
// own mark.
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
  // Out of the cell's name, in its order: niah_multikey_1[keys=4] has {"keys",
  // "4"}.
  std::vector<std::pair<std::string, std::string>> parameters = {};
  SampleVariant variant = {};  // a robustness variant stands beside its ordinary
                               // cell and never counts in a mean over tasks
  bool operator==(const ResultTask&) const = default;
};

// The mean over tasks at one length (macro: each task weighs the same; RULER's
// average). Tasks without a complete answer are left out of `quality`, without
// an attempt out of all; `tasks_with_quality` and `tasks_with_usability` say
// how many remain. Variants never count.
struct LengthSummary {
  size_t length = 0;
  bool edge = false;  // a block-edge length (positions.h): kept out of effective
                      // lengths, slopes and averages; draw it apart
  Estimate quality = {};
  Estimate usability = {};
  Estimate strict = {};
  int64_t tasks_with_quality = 0;
  int64_t tasks_with_usability = 0;
  Tally all = {};  // all samples of the length as one pool: micro mean, outcomes
  bool operator==(const LengthSummary&) const = default;
};

struct Curve {
  std::string name;                        // "all tasks" or a category
  std::vector<LengthSummary> points = {};  // one per length, in order
  EffectiveLength effective = {};          // absolute, of usability; the same as in `summaries`
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

// A sample of a control (task/variant.h): it has no length, so it stands in no
// cell and no row.
struct ControlSample {
  SampleFacts facts;
  std::optional<size_t> score;  // into Results::scores
  bool operator==(const ControlSample&) const = default;
};

struct Results {
  std::vector<SampleFacts> samples;  // but for those of controls
  std::vector<ScoredAttempt> scores;
  std::vector<SampleRow> rows;         // one per sample
  std::vector<int64_t> clusters;       // one per row: rows of one id are not independent of each
                                       // other (sample_clusters.h)
  std::vector<ResultTask> tasks;       // in the order of first appearance
  std::vector<int64_t> lengths;        // ascending
  std::vector<Cell> cells;             // task-major: cells[task * lengths.size() + length]
  std::vector<Curve> curves;           // all tasks first, then the categories where there
                                       // is more than one
  std::vector<DepthBin> depth;         // non-empty bins only, by task, length, bin
  RulerAverages averages;              // those of `summaries`
  Tally total;                         // of all rows, variants included
  double threshold = kRulerThreshold;  // of `options`
  ResultsOptions options;
  Summaries summaries;
  Positions positions;
  Spending spending;
  std::vector<ControlRow> controls;  // by task (the mean last), length; usually none
  std::vector<Robustness> variants;  // within this run; usually none
  std::vector<ControlSample> control_samples;

  [[nodiscard]] const Cell& cell(size_t task, size_t length) const {
    return cells[task * lengths.size() + length];
  }
  // Of a row's first attempt; null: not run yet. Valid as long as `scores`.
  [[nodiscard]] const ScoredAttempt* score_of(size_t row) const;
};

// `scores` as score_run() or read_scores() gave them, for these samples. O(n
// log n + n · resamples).
[[nodiscard]] Results build_results(std::vector<SampleFacts> samples,
                                    std::vector<ScoredAttempt> scores,
                                    const ResultsOptions& options = {});

}  // namespace fathom
