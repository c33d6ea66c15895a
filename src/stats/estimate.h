// A number with its uncertainty: what every figure of a report is.
#pragma once

#include <cstdint>
#include <string_view>

namespace fathom {

enum class IntervalMethod {
  kNone,            // no interval: n = 0, or a plain number
  kWilson,          // proportion, score interval (Wilson 1927)
  kClopperPearson,  // proportion, exact (Clopper & Pearson 1934)
  kStudentT,        // mean of fractional scores, cut to the range of the scores
  kWilsonBound,  // mean of fractional scores by Wilson's formula: never too narrow, since no score
                 // in [0, 1] varies more than a coin with the same mean; used where n is small or
                 // all scores are equal
  kMover,        // weighted mean of independent strata from their own intervals (Zou & Donner 2008)
  kSumBound,     // weighted mean of dependent parts: the weighted sum of their limits, true for any
                 // dependence
};
[[nodiscard]] std::string_view to_text(
    IntervalMethod method);  // "Wilson", "Clopper-Pearson", "Student t" …

struct Estimate {
  double value = 0;
  double low = 0;
  double high = 0;
  int64_t n = 0;  // samples behind it; 0: nothing is known and the other numbers mean nothing
  IntervalMethod method = IntervalMethod::kNone;

  [[nodiscard]] bool known() const { return n > 0; }
  bool operator==(const Estimate&) const = default;
};

inline constexpr double kConfidence = 0.95;

}  // namespace fathom
