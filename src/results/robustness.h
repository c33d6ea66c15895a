// How much a score moves with what should not matter: the wording of the prompt, the seed, the set
// of entities, the place of the instruction. Arms are whole runs that differ in one of these, or
// cells of one run that do.
//
//   auto spread = robustness({{"wording=terse", &a}, {"wording=long", &b}}, {});
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "results/results_options.h"
#include "stats/estimate.h"
#include "task/variant.h"

namespace fathom {

struct Results;

struct NamedResults {
  std::string name;
  const Results* results = nullptr;  // owned by the caller
};

// One cell (or the mean over tasks) under every arm.
struct SpreadRow {
  std::string cell;               // the ordinary cell; "all tasks": the mean
                                  // over the tasks that all arms have
  std::optional<int64_t> length;  // tokens; none: the mean over the lengths that all arms have
  std::vector<Estimate> arms;     // usability, one per arm; unknown where an arm lacks the cell
  double lowest = 0;
  double highest = 0;
  double deviation = 0;           // standard deviation between the arms' scores, as seen
  double sampling_deviation = 0;  // what sampling alone would give on average: arms that hold the
                                  // same samples share their luck, which is taken out
  // Standard deviation between arms beyond sampling: by the ratio of both variances (F), its
  // interval too; low = 0: sampling may explain all of it. n: the arms.
  Estimate arm_deviation;
  double p = 1;        // of the F test that all arms are equal
  int64_t shared = 0;  // samples that all arms have (same cell, length and index)
  bool operator==(const SpreadRow&) const = default;
};

struct Robustness {
  VariantAxis axis = VariantAxis::kNone;  // what differs; kNone: whole runs
  std::vector<std::string> arms;          // names, in order
  std::vector<SpreadRow> rows;  // all tasks over all lengths, all tasks by length, then cells
  bool operator==(const Robustness&) const = default;
};

// Over runs. Errors: kUsage below two runs, or where they share no cell.
[[nodiscard]] Result<Robustness> robustness(std::span<const NamedResults> runs,
                                            const ResultsOptions& options);

// Over the variants of one run's suite (task/variant.h): one entry per axis that it has, its arms
// the ordinary cells ("ordinary") and each value. Empty: the suite has no variants.
[[nodiscard]] std::vector<Robustness> variants_within(const Results& results);

// An ordinary cell beside its controls, which have no length: the same one stands beside every
// length. Unknown where the suite has no such control.
struct ControlRow {
  std::optional<size_t> task;  // into Results::tasks; none: the mean over the tasks with controls
  size_t length = 0;           // into Results::lengths
  Estimate score;
  Estimate no_context;          // what a model guesses or knows by heart
  Estimate needles_only;        // what it can do where nothing has to be found
  Estimate above_no_context;    // score - no_context, -1..1, paired by index
  Estimate below_needles_only;  // needles_only - score, likewise
  bool operator==(const ControlRow&) const = default;
};
[[nodiscard]] std::vector<ControlRow> control_rows(const Results& results);

}  // namespace fathom
