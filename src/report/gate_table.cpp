#include "report/gate_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/inked_lines.h"
#include "report/terminal_text.h"

namespace fathom {
namespace {

constexpr size_t kNarrowest = 40;
constexpr size_t kIndent = 6;
constexpr size_t kShownHash = 12;

LineInk ink_of(GateStatus status) {
  switch (status) {
    case GateStatus::kPass:
      return LineInk::kGood;
    case GateStatus::kFail:
      return LineInk::kBad;
    case GateStatus::kUnresolved:
      return LineInk::kOpen;
  }
  return LineInk::kNone;
}

// Four columns wide, so that a reader without colours sees them too.
std::string sign_of(GateStatus status) {
  switch (status) {
    case GateStatus::kPass:
      return "pass";
    case GateStatus::kFail:
      return "FAIL";
    case GateStatus::kUnresolved:
      return "open";
  }
  return "open";
}

std::string run_words(const RunDescription& run) {
  std::string words = run.name;
  if (!run.model.empty() && run.model != run.name)
    words += fmt::format(" ({}{})", run.simulated ? "simulated " : "", run.model);
  return words;
}

}  // namespace

std::string gate_table(const GateResult& result, const TableStyle& style) {
  const size_t width = std::max(style.width, kNarrowest);
  InkedLines lines(style.colour);
  lines.paragraph(gate_verdict(result), width, ink_of(result.status));
  lines.paragraph(fmt::format("Policy {} (sha256 {}…), run {}{}.", result.policy,
                              result.policy_sha256.substr(0, kShownHash), run_words(result.run),
                              result.baseline ? ", baseline " + run_words(*result.baseline) : ""),
                  width, LineInk::kFaint);
  if (result.not_run > 0)
    lines.paragraph(fmt::format("{} samples have no answer yet and count nowhere.", result.not_run),
                    width, LineInk::kOpen);
  const bool differing = std::any_of(result.conditions.begin(), result.conditions.end(),
                                     [](const ConditionDifference& item) { return item.decides; });
  if (differing) {
    lines.end_line();
    lines.paragraph("Baseline and run differ in:", width, LineInk::kStrong);
    for (const ConditionDifference& item : result.conditions)
      if (item.decides)
        lines.paragraph(
            fmt::format("  {}: {} → {}", item.name, cut_to_width(terminal_safe(item.a), 60),
                        cut_to_width(terminal_safe(item.b), 60)),
            width, LineInk::kNone, 4);
  }
  for (const RuleResult& rule : result.rules) {
    lines.end_line();
    lines.add(sign_of(rule.status), ink_of(rule.status));
    lines.add("  ");
    bool first = true;
    for (const std::string& line :
         broken_at_width(terminal_safe(title_of(rule.rule)), width - kIndent)) {
      lines.add(first ? "" : std::string(kIndent, ' '));
      lines.add(line, LineInk::kStrong);
      lines.end_line();
      first = false;
    }
    lines.add(std::string(kIndent, ' '));
    lines.paragraph(rule.reason + ".", width, LineInk::kNone, kIndent);
  }
  return lines.take();
}

}  // namespace fathom
