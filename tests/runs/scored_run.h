// Results made from scores alone, for the tests of what compares and judges runs: any number of
// tasks, lengths and samples, each with the score that a test wants.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "results/comparison.h"
#include "results/results.h"
#include "results/run_description.h"

namespace fathom::testing_run {

struct ScoredShape {
  std::vector<std::string> tasks = {"niah_single_1", "vt", "cwe"};
  std::vector<int64_t> lengths = {1024, 2048};
  int64_t samples = 10;  // a cell
  std::string name = "made";
  std::string content = "one";  // part of every sample's hash: equal, the same samples
  bool whole = true;  // false: samples, scores and what joins them, no estimates; for simulations
};

// What becomes of a sample. A score of none: the request timed out.
struct ScoredAnswer {
  std::optional<double> official = 1.0;
  std::optional<double> strict = {};  // none: as official
  bool run = true;                    // false: not answered yet
  Outcome outcome = Outcome::kAnswered;
  Spent spent = {
      .first_token_ms = 100, .total_ms = 200, .usage = {.input = 1000, .output = 10}, .tries = 1};
  std::optional<Miss> miss = {};
};
using AnswerOf = std::function<ScoredAnswer(const SampleFacts&)>;

// Owns what a ComparedRun points at.
struct ScoredRun {
  Results results;
  RunDescription description;
  [[nodiscard]] ComparedRun compared() const { return {&results, &description, nullptr}; }
};

[[nodiscard]] ScoredRun scored_run(const ScoredShape& shape, const AnswerOf& answer);

}  // namespace fathom::testing_run
