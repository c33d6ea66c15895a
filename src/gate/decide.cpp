#include "gate/decide.h"

#include <cmath>

namespace fathom {
namespace {

std::string grouped(double value) {
  std::string digits = fmt::format("{:.0f}", std::abs(value));
  for (auto at = static_cast<int64_t>(digits.size()) - 3; at > 0; at -= 3)
    digits.insert(static_cast<size_t>(at), ",");
  return (value < 0 ? "−" : "") + digits;
}

// At most one decimal, none where it says nothing.
std::string short_number(double value) {
  return std::abs(value - std::round(value)) < 0.05 || std::abs(value) >= 1000
             ? grouped(std::round(value))
             : fmt::format("{}{:.1f}", value < 0 ? "−" : "", std::abs(value));
}

bool satisfied(double value, const GateCheck& check) {
  return (!check.at_least || value >= *check.at_least) &&
         (!check.at_most || value <= *check.at_most);
}

bool has_interval(const Estimate& figure) { return figure.method != IntervalMethod::kNone; }

GateStatus by_interval(const GateCheck& check) {
  const Estimate& figure = check.figure;
  if (satisfied(figure.low, check) && satisfied(figure.high, check)) return GateStatus::kPass;
  const bool below = check.at_least && figure.high < *check.at_least;
  const bool above = check.at_most && figure.low > *check.at_most;
  return below || above ? GateStatus::kFail : GateStatus::kUnresolved;
}

std::string interval_reason(GateStatus status) {
  switch (status) {
    case GateStatus::kPass:
      return "the whole interval keeps it";
    case GateStatus::kFail:
      return "the whole interval breaks it";
    case GateStatus::kUnresolved:
      return "the interval reaches both sides: more samples would tell";
  }
  return "";
}

std::string end_reason(GateStatus status, DecidedBy by) {
  const char* what = by == DecidedBy::kLower   ? "the lower end of the interval"
                     : by == DecidedBy::kUpper ? "the upper end of the interval"
                                               : "the value";
  return fmt::format("{} {} it", what, status == GateStatus::kPass ? "keeps" : "breaks");
}

}  // namespace

std::string figure_text(double value, GateUnit unit, const std::string& currency) {
  switch (unit) {
    case GateUnit::kShare:
      return fmt::format("{:.1f} %", value * 100);
    case GateUnit::kPoints:
      return fmt::format("{}{:.1f} points", value < -0.0005 ? "−" : "", std::abs(value) * 100);
    case GateUnit::kTokens:
      return short_number(value) + " tokens";
    case GateUnit::kMilliseconds:
      return short_number(value) + " ms";
    case GateUnit::kMoney:
      return fmt::format("{:.4g} {}", value, currency);
    case GateUnit::kRatio:
      return fmt::format("{:.2f} times the baseline", value);
  }
  return "";
}

std::string estimate_text(const GateCheck& check, const std::string& currency) {
  const Estimate& figure = check.figure;
  if (!figure.known()) return "not measured";
  std::string text = figure_text(figure.value, check.unit, currency);
  if (!has_interval(figure)) return fmt::format("{} (n = {})", text, figure.n);
  const auto end = [&](double value) {
    const std::string words = figure_text(value, check.unit, currency);
    return words.substr(0, words.find(' '));
  };
  return fmt::format("{} ({} to {}, n = {})", text, end(figure.low), end(figure.high), figure.n);
}

std::string limit_text(const GateCheck& check, const std::string& currency) {
  if (check.at_least && check.at_most) {
    const std::string low = figure_text(*check.at_least, check.unit, currency);
    return fmt::format("from {} to {}", low.substr(0, low.find(' ')),
                       figure_text(*check.at_most, check.unit, currency));
  }
  if (check.at_least) return "at least " + figure_text(*check.at_least, check.unit, currency);
  if (check.at_most) return "at most " + figure_text(*check.at_most, check.unit, currency);
  return "";
}

void decide(GateCheck& check, DecidedBy by, const std::string& currency) {
  const Estimate& figure = check.figure;
  if (!figure.known()) {
    check.status = GateStatus::kUnresolved;
    if (check.reason.empty()) check.reason = "nothing was measured";
    return;
  }
  const bool plain = by == DecidedBy::kValue || !has_interval(figure);
  if (by == DecidedBy::kInterval && !plain) {
    check.status = by_interval(check);
  } else {
    const double number = plain ? figure.value : by == DecidedBy::kLower ? figure.low : figure.high;
    check.status = satisfied(number, check) ? GateStatus::kPass : GateStatus::kFail;
  }
  check.reason =
      fmt::format("{}; wanted {}: {}", estimate_text(check, currency), limit_text(check, currency),
                  by == DecidedBy::kInterval && !plain
                      ? interval_reason(check.status)
                      : end_reason(check.status, plain ? DecidedBy::kValue : by));
}

}  // namespace fathom
