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

namespace fathom {

struct Results;

struct NamedResults {
  std::string name;
  const Results* results = nullptr;  // owned by the caller
};

// One cell (or the mean over tasks) under every arm.
struct SpreadRow {
  std::string cell;               // task's cell without the arm's parameter; "all tasks": the mean
                                  // over the tasks that all arms have
  std::optional<int64_t> length;  // tokens; none: the mean over the lengths that all arms have
  std::vector<Estimate> arms;     // usability, one per arm; unknown where an arm lacks the cell
  double lowest = 0;
  double highest = 0;
  double deviation = 0;           // standard deviation between the arms, as seen
  double sampling_deviation = 0;  // what sampling alone would give on average
  // Standard deviation between arms beyond sampling (one-way random effects; DerSimonian–Laird
  // value, Q-profile interval); low = 0: sampling may explain all of it.
  Estimate arm_deviation;
  double p = 1;  // of Cochran's Q: that the arms are equal
  bool operator==(const SpreadRow&) const = default;
};

struct Robustness {
  std::string axis;               // "runs", or the parameter that differs: "wording", "seed" …
  std::vector<std::string> arms;  // names, in order
  std::vector<SpreadRow> rows;    // all tasks over all lengths, all tasks by length, then cells
  bool operator==(const Robustness&) const = default;
};

// Over runs. Errors: kUsage below two runs, or where they share no cell.
[[nodiscard]] Result<Robustness> robustness(std::span<const NamedResults> runs,
                                            const ResultsOptions& options);

// Over the cells of one run that differ in an arm's parameter (see arm_parameters()); one entry per
// parameter that has at least two values. Empty: the suite has no arms.
[[nodiscard]] std::vector<Robustness> arms_within(const Results& results);

// A cell beside the same cell without context, and with its evidence alone.
struct ControlRow {
  size_t task = 0;    // into Results::tasks
  size_t length = 0;  // into Results::lengths
  Estimate score;
  Estimate no_context;          // what a model guesses or knows by heart
  Estimate needles_only;        // what it can do when nothing has to be found
  Estimate above_no_context;    // score - no_context, -1..1, paired by index where possible
  Estimate below_needles_only;  // needles_only - score, likewise
  int64_t pairs = 0;            // of above_no_context, or else of below_needles_only; 0: unpaired
  bool operator==(const ControlRow&) const = default;
};

}  // namespace fathom
