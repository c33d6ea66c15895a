// Scores of attempts, and their file scores.jsonl: one object a line, one line an attempt
// (docs/formats/scores.md). Making them needs no model: `fathom score` re-grades a run from its
// journal.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "grade/score.h"
#include "results/sample_facts.h"
#include "run/attempt.h"

namespace fathom {

// What an attempt took. Usage and memory: -1 where nobody says.
struct Spent {
  double first_token_ms = 0;
  double total_ms = 0;
  Usage usage = {};
  MemoryUse memory = {};
  int64_t tries = 0;  // requests sent, retries included
  bool operator==(const Spent&) const = default;
};

struct ScoredAttempt {
  std::string sample_id;
  std::string sample_hash;
  int64_t number = 0;
  std::string task;
  std::string cell;
  int64_t length = 0;
  int64_t index = 0;
  Metric metric = Metric::kStringMatchAll;
  Outcome outcome = Outcome::kErrorPermanent;
  std::optional<double>
      official;  // 0..1; none where the attempt is not complete: a failure is not a zero
  std::optional<double> strict = std::nullopt;  // 0..1, never above `official`; none with it
  bool empty = false;
  std::vector<bool> found = {};       // per reference
  std::vector<MissNote> misses = {};  // why strict is below 1, the main reason first
  Spent spent = {};
  bool operator==(const ScoredAttempt&) const = default;
};

[[nodiscard]] ScoredAttempt score_attempt(const SampleFacts& sample, const Attempt& attempt);

// Scores every attempt of a journal whose sample is known; in the order of `samples`, then of
// attempt numbers. Of several attempts with the same sample and number the last counts. Errors: an
// attempt's hash differs from its sample's (another dataset), or its sample is unknown. `threads`
// as in parallel_for; the result does not depend on it.
[[nodiscard]] Result<std::vector<ScoredAttempt>> score_run(std::span<const SampleFacts> samples,
                                                           std::span<const Attempt> attempts,
                                                           int threads);

[[nodiscard]] Result<void> write_scores(const std::string& path,
                                        std::span<const ScoredAttempt> scores);
[[nodiscard]] Result<std::vector<ScoredAttempt>> read_scores(const std::string& path);

}  // namespace fathom
