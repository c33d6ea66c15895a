#include "results/arm_verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "results/labels.h"

namespace fathom {
namespace {

constexpr double kSignificant = 0.05;
constexpr int64_t kFew = 30;      // samples below which nothing is a verdict
constexpr size_t kMostNamed = 4;  // arms of one kind in a sentence
constexpr double kLeftOver =
    0.1;  // of the score, that a knock-out may keep and still be called one

std::string percent(double share) { return fmt::format("{:.1f} %", share * 100); }

std::string interval(const Estimate& estimate) {
  return fmt::format("{:.1f} to {:.1f}", estimate.low * 100, estimate.high * 100);
}

std::string signed_interval(const Estimate& difference) {
  return signed_points(difference.low) + " to " + signed_points(difference.high);
}

std::string p_words(double p) { return p < 0.001 ? "p < 0.001" : fmt::format("p = {:.3f}", p); }

std::string samples(int64_t n) { return fmt::format("{} sample{}", n, n == 1 ? "" : "s"); }

const ArmSummary* first_of(const ArmStudy& study, SelectorKind kind) {
  const auto found = std::ranges::find_if(
      study.arms, [&](const ArmSummary& arm) { return arm.arm.options.kind == kind; });
  return found == study.arms.end() ? nullptr : &*found;
}

bool reads_are_known(const ArmSummary& arm) { return arm.covered > 0; }

std::string reading(const ArmSummary& arm) {
  if (!reads_are_known(arm)) return "";
  return fmt::format("reading {:.0f} % of the pairs", arm.read_share * 100);
}

const Estimate& difference(const ArmSummary& arm) { return arm.against->difference; }

// "loses 3.1 points (0.5 to 5.7, p = 0.020)": losses as positive numbers.
std::string loss_words(const ArmSummary& arm) {
  const Estimate& d = difference(arm);
  return fmt::format("loses {:.1f} points ({:.1f} to {:.1f}, {})", -d.value * 100, -d.high * 100,
                     -d.low * 100, p_words(arm.p_holm));
}

// An interval is of one arm; p is corrected for all that were looked at, and may leave open what
// the interval alone would not.
std::string open_words(const ArmSummary& arm) {
  const Estimate& d = difference(arm);
  if (d.low <= 0 && d.high >= 0) return signed_interval(d);
  return fmt::format("{} taken alone, {} among all arms", signed_interval(d), p_words(arm.p_holm));
}

std::string standing_words(const ArmSummary& arm) {
  switch (standing_of(arm)) {
    case ArmStanding::kLoses:
      return loss_words(arm);
    case ArmStanding::kGains:
      return fmt::format("gains {:.1f} points ({}, {})", difference(arm).value * 100,
                         signed_interval(difference(arm)), p_words(arm.p_holm));
    case ArmStanding::kKeepsUp:
      return fmt::format("keeps up ({} points, {})", signed_points(difference(arm).value),
                         signed_interval(difference(arm)));
    case ArmStanding::kUnresolved:
      return fmt::format("is not resolved from it ({} points, {})",
                         signed_points(difference(arm).value), open_words(arm));
    case ArmStanding::kUnknown:
      break;
  }
  return "is not compared yet";
}

std::vector<const ArmSummary*> selectors(const ArmStudy& study) {
  std::vector<const ArmSummary*> found;
  for (const ArmSummary& arm : study.arms)
    if (chooses_by_itself(arm.arm) && arm.score.known()) found.push_back(&arm);
  std::ranges::stable_sort(found, [](const ArmSummary* a, const ArmSummary* b) {
    if (a->score.value != b->score.value) return a->score.value > b->score.value;
    return a->read_share < b->read_share;
  });
  return found;
}

std::string headline(const ArmStudy& study) {
  const ArmSummary* full = first_of(study, SelectorKind::kFull);
  std::string words = study.model.empty() ? "Unnamed model" : study.model;
  if (full == nullptr || !full->score.known())
    return words + ": full attention has not answered, so that there is nothing to compare with.";
  words += fmt::format(", {}: full attention answers {}", samples(full->score.n),
                       percent(full->score.value));
  const std::vector<const ArmSummary*> real = selectors(study);
  if (real.empty()) return words + "; no selector has run.";
  const ArmSummary& best = *real.front();
  const std::string read = reading(best);
  words += fmt::format("; {}{} {}{}.", real.size() > 1 ? "the best selector, " : "",
                       best.arm.name + (real.size() > 1 ? "," : ""), standing_words(best),
                       read.empty() ? "" : ", " + read);
  return words;
}

std::string oracle_words(const ArmStudy& study) {
  const ArmSummary* oracle = first_of(study, SelectorKind::kEvidence);
  if (oracle == nullptr || !oracle->against)
    return "No oracle arm: what reading little costs and what the selectors cost cannot be told "
           "apart.";
  const Estimate& d = difference(*oracle);
  const std::string words =
      fmt::format("With the evidence alone (oracle) {}: ", percent(oracle->score.value));
  switch (standing_of(*oracle)) {
    case ArmStanding::kLoses:
      return words + fmt::format("sparsity itself costs {:.1f} points ({:.1f} to {:.1f}).",
                                 -d.value * 100, -d.high * 100, -d.low * 100);
    case ArmStanding::kGains:
      return words + fmt::format("reading the evidence alone gains {:.1f} points ({}).",
                                 d.value * 100, signed_interval(d));
    case ArmStanding::kKeepsUp:
      return words + fmt::format("reading little is enough ({} points, {}).",
                                 signed_points(d.value), signed_interval(d));
    default:
      return words + fmt::format("what sparsity itself costs is not resolved ({} points, {}).",
                                 signed_points(d.value), open_words(*oracle));
  }
}

// Of the samples that full attention answers and the selector does not, those that the evidence
// alone keeps are the selector's.
std::string split_words(const ArmStudy& study, const ArmSummary& arm) {
  const auto cross = std::ranges::find_if(
      study.crosses, [&](const CrossTable& table) { return table.real == arm.arm.name; });
  if (cross == study.crosses.end() || cross->groups.empty()) return "";
  const auto& right = cross->groups.front().cells.count[1];
  const int64_t of_selector = right[1][0];
  const int64_t of_sparsity = right[0][0];
  const int64_t lost = of_selector + of_sparsity;
  if (lost == 0) return "";
  if (lost == 1)
    return of_sparsity == 0 ? "; the one lost sample is the selector's"
                            : "; the one lost sample is lost to sparsity";
  if (of_sparsity == 0) return fmt::format("; all {} lost samples are the selector's", lost);
  return fmt::format("; of {} lost samples {} are the selector's", lost, of_selector);
}

std::string listed(const ArmStudy& study, const std::vector<const ArmSummary*>& arms) {
  std::string words;
  for (size_t i = 0; i < std::min(arms.size(), kMostNamed); ++i) {
    const std::string read = reading(*arms[i]);
    words +=
        fmt::format("{}{} {}{}{}", i == 0 ? "" : "; ", arms[i]->arm.name, standing_words(*arms[i]),
                    read.empty() ? "" : ", " + read, split_words(study, *arms[i]));
  }
  if (arms.size() > kMostNamed) words += fmt::format("; and {} more", arms.size() - kMostNamed);
  return words + ".";
}

void add_selectors(const ArmStudy& study, std::vector<std::string>& out) {
  std::vector<const ArmSummary*> losing;
  std::vector<const ArmSummary*> others;
  std::vector<const ArmSummary*> open;
  std::vector<const ArmSummary*> all = selectors(study);
  if (!all.empty()) all.erase(all.begin());  // the headline's
  for (const ArmSummary* arm : all) {
    const ArmStanding standing = standing_of(*arm);
    (standing == ArmStanding::kLoses        ? losing
     : standing == ArmStanding::kUnresolved ? open
                                            : others)
        .push_back(arm);
  }
  std::ranges::reverse(losing);  // the greatest loss first
  if (!others.empty()) out.push_back("Within reach: " + listed(study, others));
  if (!losing.empty()) out.push_back("Clear losses: " + listed(study, losing));
  if (!open.empty()) out.push_back("Left open by these samples: " + listed(study, open));
}

std::string knockout_words(const ArmStudy& study) {
  const ArmSummary* knockout = first_of(study, SelectorKind::kKnockout);
  if (knockout == nullptr || !knockout->score.known())
    return "No knock-out arm: whether these answers need the evidence is not shown.";
  const std::string score = percent(knockout->score.value);
  const std::string words = fmt::format("Without the evidence (knock-out) {} are answered", score);
  if (standing_of(*knockout) != ArmStanding::kLoses)
    return words + fmt::format(" ({}): that the evidence is needed is not shown.",
                               interval(knockout->score));
  if (knockout->score.value <= kLeftOver) return words + ": the evidence is needed.";
  return words + fmt::format(
                     " ({}): so many answers do not need it, and say nothing about what a "
                     "selector reads.",
                     interval(knockout->score));
}

void add_budgets(const ArmStudy& study, std::vector<std::string>& out) {
  std::string holding;
  std::string open;
  for (const BudgetStudy& budget : study.budgets) {
    const BudgetChoice& choice = budget.choice;
    std::string& list = choice.budget && choice.holds ? holding : open;
    if (!list.empty()) list += ", ";
    list += choice.budget ? fmt::format("{} {}", budget.selector, *choice.budget) : budget.selector;
  }
  if (!holding.empty())
    out.push_back(
        fmt::format("Budgets that hold, chosen on one half of the haystacks and judged on "
                    "the other (a loss of {:.0f} points ruled out): {}.",
                    kBudgetMargin * 100, holding));
  if (!open.empty()) out.push_back("No budget that holds there is shown for " + open + ".");
}

void add_chance(const ArmStudy& study, std::vector<std::string>& out) {
  if (study.noise)
    out.push_back(fmt::format("Full attention twice differs on {} of {}: {}.",
                              study.noise->discordant(), samples(study.noise->n()),
                              study.noise->discordant() == 0
                                  ? "no difference above is chance of the computation"
                                  : "differences of that size are chance"));
  if (study.unfinished > 0)
    out.push_back(fmt::format("{} of {} arms have not answered every sample yet.", study.unfinished,
                              study.arms.size()));
  const ArmSummary* full = first_of(study, SelectorKind::kFull);
  if (full != nullptr && full->score.known() && full->score.n < kFew)
    out.push_back(fmt::format("{} are too few for a verdict.", full->score.n == 1
                                                                   ? std::string("One sample")
                                                                   : samples(full->score.n)));
}

}  // namespace

bool chooses_by_itself(const AttentionArm& arm) {
  return is_real(arm) && arm.options.kind != SelectorKind::kMassOracle;
}

ArmStanding standing_of(const ArmSummary& arm) {
  if (!arm.against || !difference(arm).known() || !arm.arm.only_failed.empty())
    return ArmStanding::kUnknown;
  const Estimate& d = difference(arm);
  if (arm.p_holm < kSignificant) return d.value < 0 ? ArmStanding::kLoses : ArmStanding::kGains;
  return d.low > -kBudgetMargin ? ArmStanding::kKeepsUp : ArmStanding::kUnresolved;
}

std::string_view to_text(ArmStanding standing) {
  switch (standing) {
    case ArmStanding::kUnknown:
      return "not compared";
    case ArmStanding::kLoses:
      return "loses";
    case ArmStanding::kGains:
      return "gains";
    case ArmStanding::kKeepsUp:
      return "keeps up";
    case ArmStanding::kUnresolved:
      return "not resolved";
  }
  return "";
}

ArmVerdict arm_verdict(const ArmStudy& study) {
  ArmVerdict verdict{.headline = headline(study), .sentences = {}};
  const ArmSummary* full = first_of(study, SelectorKind::kFull);
  if (full != nullptr && full->score.known()) {
    verdict.sentences.push_back(oracle_words(study));
    add_selectors(study, verdict.sentences);
    verdict.sentences.push_back(knockout_words(study));
    add_budgets(study, verdict.sentences);
  }
  for (const ArmSummary& arm : study.arms)
    if (!arm.arm.only_failed.empty()) verdict.sentences.push_back(intervention_words(arm));
  add_chance(study, verdict.sentences);
  return verdict;
}

}  // namespace fathom
