#include "run/attempt.h"

#include <array>
#include <utility>

namespace fathom {
namespace {

constexpr std::array kOutcomeNames = {
    std::pair{Outcome::kAnswered, std::string_view("answered")},
    std::pair{Outcome::kOutputCut, std::string_view("output-cut")},
    std::pair{Outcome::kThinkingCut, std::string_view("thinking-cut")},
    std::pair{Outcome::kOverWindow, std::string_view("over-window")},
    std::pair{Outcome::kInputTruncated, std::string_view("input-truncated")},
    std::pair{Outcome::kRefused, std::string_view("refused")},
    std::pair{Outcome::kOutOfMemory, std::string_view("out-of-memory")},
    std::pair{Outcome::kTimedOut, std::string_view("timed-out")},
    std::pair{Outcome::kErrorPermanent, std::string_view("error-permanent")},
    std::pair{Outcome::kErrorTransient, std::string_view("error-transient")},
};

}  // namespace

std::string_view to_text(Outcome outcome) {
  for (const auto& [value, name] : kOutcomeNames)
    if (value == outcome) return name;
  return "unknown";
}

Result<Outcome> outcome_from_text(std::string_view text) {
  std::string known;
  for (const auto& [value, name] : kOutcomeNames) {
    if (name == text) return value;
    known += known.empty() ? "" : ", ";
    known += name;
  }
  return fail(ErrorCode::kInput, "'{}' is not an outcome; known: {}", text, known);
}

bool is_complete(Outcome outcome) {
  return outcome == Outcome::kAnswered || outcome == Outcome::kOutputCut;
}

}  // namespace fathom
