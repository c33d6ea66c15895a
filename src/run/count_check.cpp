#include "run/count_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace fathom {
namespace {

struct Slack {
  int64_t below = 0;
  int64_t above = 0;
};

// Raw text: one BOS or EOS more or less than the server was told of. Messages: the server's
// template may add a system text of its own, and joints may merge differently.
Slack slack_for(bool raw, int64_t expected) {
  if (raw) return {1, 1};
  return {32 + expected / 200, 512 + expected / 100};
}

}  // namespace

CountResult CountCheck::check(const TokenCounts& counts) const {
  if (counts.expected <= 0 || counts.reported < 0) return CountResult::kUnchecked;
  const Slack slack = slack_for(raw_, counts.expected);
  if (accepted_) {
    const double lowest = static_cast<double>(counts.expected) * ratio_ * 0.9;
    return static_cast<double>(counts.reported + slack.below) < lowest ? CountResult::kShort
                                                                       : CountResult::kMatches;
  }
  if (counts.reported < counts.expected - slack.below) return CountResult::kShort;
  if (counts.reported > counts.expected + slack.above) return CountResult::kLong;
  return CountResult::kMatches;
}

void CountCheck::accept_ratio(const std::vector<TokenCounts>& first) {
  std::vector<double> ratios;
  for (const TokenCounts& counts : first)
    if (counts.expected > 0 && counts.reported >= 0)
      ratios.push_back(static_cast<double>(counts.reported) / static_cast<double>(counts.expected));
  accepted_ = true;
  if (ratios.empty()) return;
  const auto middle = ratios.begin() + std::ssize(ratios) / 2;
  std::nth_element(ratios.begin(), middle, ratios.end());
  ratio_ = *middle;
}

std::string count_mismatch_text(const std::vector<TokenCounts>& counts) {
  if (counts.empty()) return {};
  std::string all;
  for (const TokenCounts& pair : counts)
    all += fmt::format("{}{} instead of {}", all.empty() ? "" : ", ", pair.reported, pair.expected);
  const TokenCounts& first = counts.front();
  const bool is_short = first.reported < first.expected;
  return fmt::format(
      "the model read {} prompt tokens where fathom counts {} (first {} replies: {}); {}; stopped "
      "before more is spent, nothing of it was kept",
      first.reported, first.expected, counts.size(), all,
      is_short
          ? "either the server cuts prompts to a smaller window, or the samples were made with "
            "another tokenizer than the model's: check the server's context size and give the "
            "model's own tokenizer"
          : "either the samples were made with another tokenizer than the model's, or the "
            "server puts more text around them: give the model's own tokenizer and template, "
            "or allow the mismatch");
}

}  // namespace fathom
