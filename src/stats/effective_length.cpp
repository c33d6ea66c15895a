#include "stats/effective_length.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "stats/effective_length_kind.h"

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

std::string_view to_text(EffectiveLengthRule rule) {
  switch (rule) {
    case EffectiveLengthRule::kAbsolute:
      return "absolute";
    case EffectiveLengthRule::kRelative:
      return "relative";
    case EffectiveLengthRule::kRobust:
      return "robust";
    case EffectiveLengthRule::kRisk:
      return "risk";
  }
  return "absolute";
}

EffectiveLength effective_length(std::span<const LengthPoint> points, double threshold) {
  EffectiveLength effective;
  effective.threshold = threshold;
  bool surely_passing = true;
  for (const LengthPoint& point : points) {
    if (!point.score.known()) continue;
    if (effective.shortest == 0) effective.shortest = point.length;
    effective.longest = point.length;
    if (point.score.value >= threshold - kEffectiveRounding) {
      effective.length = point.length;
    } else if (effective.first_failing == 0) {
      effective.first_failing = point.length;
    }
    surely_passing = surely_passing && point.score.low >= threshold - kEffectiveRounding;
    if (surely_passing) effective.low = point.length;
    if (point.score.high >= threshold - kEffectiveRounding) effective.high = point.length;
  }
  effective.kind = effective_kind(effective);
  return effective;
}

EffectiveLengthKind effective_kind(const EffectiveLength& effective) {
  if (effective.shortest == 0) return EffectiveLengthKind::kNotMeasured;
  if (effective.low == effective.longest) return EffectiveLengthKind::kAboveLongest;
  if (effective.high == 0 && effective.length == 0) return EffectiveLengthKind::kBelowShortest;
  if (effective.low == effective.high && effective.length == effective.low)
    return EffectiveLengthKind::kAt;
  return EffectiveLengthKind::kUnresolved;
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

std::string to_words(const Crossing& crossing, int64_t shortest, int64_t longest) {
  if (!crossing.known) return "not measured";
  // Two digits are more than the interval of a crossing ever supports.
  const auto name = [&](double length) -> std::string {
    if (length <= 0) return "< " + length_name(shortest);
    if (length == Crossing::kNoEnd) return "> " + length_name(longest);
    const double step = std::pow(10, std::max(0.0, std::floor(std::log10(length)) - 1));
    return with_thousands(static_cast<int64_t>(std::llround(length / step) * std::llround(step)));
  };
  const std::string middle = name(crossing.length);
  const std::string low = name(crossing.low);
  const std::string high = name(crossing.high);
  const bool at_end = crossing.length <= 0 || crossing.length == Crossing::kNoEnd;
  if (low == high) return at_end ? middle : "about " + middle;
  return fmt::format("{}{} ({} to {})", at_end ? "" : "about ", middle, low, high);
}

std::string length_name(int64_t tokens) {
  if (tokens >= kKibi * kKibi && tokens % (kKibi * kKibi) == 0)
    return fmt::format("{}M", tokens / (kKibi * kKibi));
  if (tokens >= kKibi && tokens % kKibi == 0) return fmt::format("{}K", tokens / kKibi);
  return with_thousands(tokens);
}

}  // namespace fathom
