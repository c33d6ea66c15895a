// What a run will do, before it does it: samples, tokens and expected time, by length and task (R6;
// money is a later addition: one more field per row, from the same token sums).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "io/json.h"
#include "model/model.h"
#include "run/settings.h"
#include "run/source.h"

namespace fathom {

// How fast a model reads and writes, for one request; `at_once` requests run side by side.
struct Speeds {
  double prompt_tokens_per_s = 0;
  double output_tokens_per_s = 0;
  double at_once = 1;
  bool measured = false;  // false: fathom's assumption for this kind of model
};
[[nodiscard]] Speeds assumed_speeds(const ModelProfile& profile, const RunLimits& limits);
// Requests at once where RunLimits leave it open.
[[nodiscard]] int64_t requests_at_once(const ModelProfile& profile, const RunLimits& limits);
// Seconds one request takes when it writes its whole ceiling.
[[nodiscard]] double request_seconds(const Speeds& speeds, int64_t prompt_tokens,
                                     int64_t output_tokens);

struct PlanRow {
  int64_t length = 0;
  std::string cell;
  int64_t attempts = 0;       // to make in all: samples × attempts per sample
  int64_t finished = 0;       // of them, already in the journal
  int64_t failed = 0;         // of the finished, those that are not complete
  int64_t prompt_tokens = 0;  // of those still to be made
  int64_t output_tokens = 0;  // of those still to be made: the ceiling
  double seconds = 0;         // of those still to be made
  int64_t over_window = 0;  // of those still to be made, prompt + reserve above the model's window
};

struct Plan {
  std::vector<PlanRow> rows;  // by length, then by cell in the order of the source
  Speeds speeds;
  int64_t window_tokens = 0;  // 0: unknown

  [[nodiscard]] PlanRow total() const;                   // length 0, cell empty
  [[nodiscard]] std::vector<PlanRow> by_length() const;  // cell empty
};

[[nodiscard]] Json to_json(const Plan& plan);
// For people: a few aligned lines, one per length, and a sum.
[[nodiscard]] std::string to_text(const Plan& plan);

}  // namespace fathom
