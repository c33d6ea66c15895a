#include "stats/effective_length.h"

#include <fmt/format.h>

namespace fathom {
namespace {

constexpr int64_t kKibi = 1024;

std::string with_thousands(int64_t number) {
  const std::string digits = fmt::format("{}", number);
  std::string out;
  for (size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) out += ',';
    out += digits[i];
  }
  return out;
}

// A bound of the range: 0 means that not even the shortest length holds.
std::string bound_name(const EffectiveLength& effective, int64_t length) {
  if (length == 0) return "below " + length_name(effective.shortest);
  if (length == effective.longest) return length_name(length) + " or more";
  return length_name(length);
}

}  // namespace

std::string_view to_text(EffectiveLengthKind kind) {
  switch (kind) {
    case EffectiveLengthKind::kAt:
      return "at";
    case EffectiveLengthKind::kAboveLongest:
      return "above longest";
    case EffectiveLengthKind::kBelowShortest:
      return "below shortest";
    case EffectiveLengthKind::kUnresolved:
      return "unresolved";
    case EffectiveLengthKind::kNotMeasured:
      return "not measured";
  }
  return "not measured";
}

EffectiveLength effective_length(std::span<const LengthPoint> points, double threshold) {
  EffectiveLength effective;
  effective.threshold = threshold;
  bool surely_passing = true;
  bool maybe_passing = true;
  for (const LengthPoint& point : points) {
    if (!point.score.known()) continue;
    if (effective.shortest == 0) effective.shortest = point.length;
    effective.longest = point.length;
    if (point.score.value >= threshold) {
      effective.length = point.length;
    } else if (effective.first_failing == 0) {
      effective.first_failing = point.length;
    }
    surely_passing = surely_passing && point.score.low >= threshold;
    maybe_passing = maybe_passing && point.score.high >= threshold;
    if (surely_passing) effective.low = point.length;
    if (maybe_passing) effective.high = point.length;
  }
  if (effective.shortest == 0) return effective;

  if (effective.low == effective.longest) {
    effective.kind = EffectiveLengthKind::kAboveLongest;
  } else if (effective.high == 0 && effective.length == 0) {
    effective.kind = EffectiveLengthKind::kBelowShortest;
  } else if (effective.low == effective.high && effective.length == effective.low) {
    effective.kind = EffectiveLengthKind::kAt;
  } else {
    effective.kind = EffectiveLengthKind::kUnresolved;
  }
  return effective;
}

std::string to_words(const EffectiveLength& effective) {
  switch (effective.kind) {
    case EffectiveLengthKind::kAt:
      return length_name(effective.length);
    case EffectiveLengthKind::kAboveLongest:
      return fmt::format("> {}", length_name(effective.longest));
    case EffectiveLengthKind::kBelowShortest:
      return fmt::format("< {}", length_name(effective.shortest));
    case EffectiveLengthKind::kUnresolved:
      return fmt::format("unresolved: {} by the averages, {} to {} by the intervals",
                         bound_name(effective, effective.length),
                         bound_name(effective, effective.low),
                         bound_name(effective, effective.high));
    case EffectiveLengthKind::kNotMeasured:
      return "not measured";
  }
  return "not measured";
}

std::string length_name(int64_t tokens) {
  if (tokens >= kKibi * kKibi && tokens % (kKibi * kKibi) == 0)
    return fmt::format("{}M", tokens / (kKibi * kKibi));
  if (tokens >= kKibi && tokens % kKibi == 0) return fmt::format("{}K", tokens / kKibi);
  return with_thousands(tokens);
}

}  // namespace fathom
