#include "results/labels.h"

#include <fmt/format.h>

#include <cmath>

namespace fathom {

std::string outcome_label(Outcome outcome) {
  switch (outcome) {
    case Outcome::kAnswered:
      return "answered";
    case Outcome::kOutputCut:
      return "answer cut at the output limit";
    case Outcome::kThinkingCut:
      return "cut while thinking";
    case Outcome::kOverWindow:
      return "over the window";
    case Outcome::kInputTruncated:
      return "prompt truncated by the server";
    case Outcome::kRefused:
      return "refused";
    case Outcome::kOutOfMemory:
      return "out of memory";
    case Outcome::kTimedOut:
      return "timed out";
    case Outcome::kErrorPermanent:
      return "error";
    case Outcome::kErrorTransient:
      return "error, retries used up";
  }
  return "error";
}

std::string mark_label(CellMark mark) {
  switch (mark) {
    case CellMark::kScore:
      return "score";
    case CellMark::kZero:
      return "every answer wrong";
    case CellMark::kNotRun:
      return "not run";
    case CellMark::kNoSamples:
      return "not in the suite";
    case CellMark::kOutOfMemory:
      return "out of memory";
    case CellMark::kTimedOut:
      return "timed out";
    case CellMark::kOverWindow:
      return "over the window";
    case CellMark::kFailed:
      return "failed";
  }
  return "failed";
}

std::string mark_sign(CellMark mark) {
  switch (mark) {
    case CellMark::kScore:
    case CellMark::kZero:
      return "";
    case CellMark::kNotRun:
      return "·";
    case CellMark::kNoSamples:
      return "";
    case CellMark::kOutOfMemory:
      return "OOM";
    case CellMark::kTimedOut:
      return "time";
    case CellMark::kOverWindow:
      return "wind";
    case CellMark::kFailed:
      return "fail";
  }
  return "fail";
}

std::string signed_points(double share) {
  std::string size = fmt::format("{:.1f}", std::abs(share) * 100);
  if (size == "0.0") return size;
  return (share < 0 ? "−" : "+") + size;
}

}  // namespace fathom
