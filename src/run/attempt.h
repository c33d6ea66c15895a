// One request for one sample and what became of it: a line of the journal (docs/formats/run.md).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "model/model.h"

namespace fathom {

// Spec R3. Only kAnswered and kOutputCut carry text to grade; the rest are failures that stay
// visible in the denominator.
enum class Outcome {
  kAnswered,
  kOutputCut,    // reached the output limit; graded, and counted apart
  kThinkingCut,  // the limit was spent on thinking, no answer
  kOverWindow,
  kInputTruncated,  // the server read fewer prompt tokens than were sent
  kRefused,
  kOutOfMemory,
  kTimedOut,
  kErrorPermanent,
  kErrorTransient,  // retries used up
};
[[nodiscard]] std::string_view to_text(
    Outcome outcome);  // "answered", "output-cut", … "error-transient"
[[nodiscard]] Result<Outcome> outcome_from_text(std::string_view text);
[[nodiscard]] bool is_complete(Outcome outcome);  // counts as completed: kAnswered, kOutputCut

struct Attempt {
  std::string sample_id;
  std::string sample_hash;
  int64_t number = 0;  // 0 for the first attempt of a sample (k attempts: R10)
  Outcome outcome = Outcome::kErrorPermanent;
  Reply reply;         // empty where nothing came
  std::string detail;  // why it failed, for people
  int64_t tries = 1;   // requests sent, retries included
  int64_t expected_prompt_tokens = 0;
  PrefixPolicy prefix_policy = PrefixPolicy::kInPrompt;
  int64_t started_unix_ms = 0;

  bool operator==(const Attempt&) const = default;
};

}  // namespace fathom
