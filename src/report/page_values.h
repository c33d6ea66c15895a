// The values of the page (docs/formats/page.md) as JSON: estimates, tallies, effective lengths, and
// where a run's own tasks and lengths stand among those of all runs.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "io/json.h"
#include "results/results.h"

namespace fathom {

// Tasks and lengths of all runs of a page, in the order shown.
struct PageAxes {
  std::vector<int64_t> lengths;  // ascending
  std::vector<ResultTask> tasks;

  [[nodiscard]] int64_t length_index(int64_t tokens) const;         // -1: not among them
  [[nodiscard]] int64_t task_index(const std::string& cell) const;  // -1: not among them
};
[[nodiscard]] PageAxes page_axes(std::span<const Results* const> runs);

// A run's indices of tasks and lengths translated into those of the page.
struct RunAxes {
  std::vector<int64_t> task;
  std::vector<int64_t> length;

  // -1 for none.
  [[nodiscard]] int64_t task_of(const std::optional<size_t>& own) const;
  [[nodiscard]] int64_t length_of(const std::optional<size_t>& own) const;
};
[[nodiscard]] RunAxes run_axes(const Results& results, const PageAxes& axes);

// Six decimals: more than any screen shows, a third of the bytes.
[[nodiscard]] double page_number(double value);

[[nodiscard]] int64_t thousandths(double share);

[[nodiscard]] Json page_json(const Estimate& estimate);  // null where nothing is known
[[nodiscard]] Json page_json(const Tally& tally);
[[nodiscard]] Json page_json(const EffectiveLength& effective);

}  // namespace fathom
