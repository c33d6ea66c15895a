// A simulated reader: a made-up model whose weaknesses are set, for tests and demonstrations. Its
// answers say nothing about any real model, so everything it makes is labelled "simulated".
// File form: docs/models.md.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/model.h"

namespace fathom {

// P(right) = (floor + (top - floor) / (1 + (length / half_length)^steepness)) * depth factor,
// where the depth factor is 1 - dip * exp(-((depth - worst) / width)^2).
struct ReaderAccuracy {
  double top = 1;
  double floor = 0;
  double half_length = 1e12;  // tokens at which half of the way from top to floor is lost
  double steepness = 1;       // logistic slope per factor e of length; 0: no slope, half way
  double dip = 0;
  double worst = 0.5;
  double width = 0.2;
  bool operator==(const ReaderAccuracy&) const = default;
};
[[nodiscard]] double right_probability(const ReaderAccuracy& accuracy, int64_t length,
                                       double depth);

// Shares of the ways to be wrong; they need not add up to 1.
struct ReaderMistakes {
  double partial = 1;        // some of several parts are missing
  double wrong_binding = 1;  // another value of the same form from the prompt
  double empty = 0;
  double truncated = 0;  // the answer breaks off at the output limit
  bool operator==(const ReaderMistakes&) const = default;
};

struct ReaderProfile {
  std::string name;
  std::string about;
  int64_t window_tokens = 0;  // longer prompts are rejected; 0: no limit
  ReaderAccuracy accuracy;    // of tasks that have no entry
  // By task name, or a start of it with '*' behind; the exact name wins, then the longest start.
  std::vector<std::pair<std::string, ReaderAccuracy>> tasks;
  ReaderMistakes mistakes;
  double first_token_ms = 0;
  double ms_per_1000_tokens = 0;
  double rate_limited_share = 0;  // of requests, each try drawn anew
  double transient_share = 0;
  bool operator==(const ReaderProfile&) const = default;
};

// `where` names the source in errors. Errors: kInput with file, line and key.
[[nodiscard]] Result<ReaderProfile> parse_reader_profile(std::string_view yaml,
                                                         const std::string& where);

// An embedded profile (data/readers/NAME.yaml) or, where `name` ends in .yaml or .yml, a file.
[[nodiscard]] Result<ReaderProfile> load_reader_profile(const std::string& name);

// What the reader answers: a pure function of profile, seed, sample id, decoding seed and prompt.
// Requires: request.answer_key and request.prompt are set.
struct SimulatedAnswer {
  std::string text;
  StopReason stop = StopReason::kEnd;
};
[[nodiscard]] SimulatedAnswer simulated_answer(const ReaderProfile& profile, uint64_t seed,
                                               const Request& request);

}  // namespace fathom
