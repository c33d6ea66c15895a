// What a comparison says in words, and which conditions differ.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "results/comparison.h"
#include "results/labels.h"

namespace fathom {
namespace {

std::string grouped(int64_t number) {
  std::string digits = std::to_string(number);
  for (auto at = static_cast<int64_t>(digits.size()) - 3; at > 0; at -= 3)
    digits.insert(static_cast<size_t>(at), ",");
  return digits;
}

std::string run_words(const RunDescription& run, const char* otherwise) {
  std::string words = run.name.empty() ? otherwise : run.name;
  if (!run.model.empty() && run.model != run.name)
    words += fmt::format(" ({}{})", run.simulated ? "simulated " : "", run.model);
  return words;
}

std::string basis_words(const Comparison& comparison) {
  const ComparedGroup& all = comparison.all;
  if (comparison.options.unpaired)
    return fmt::format("{} and {} samples, not paired", grouped(all.a.n), grouped(all.b.n));
  return fmt::format("{} shared sample{}", grouped(all.pairs), all.pairs == 1 ? "" : "s");
}

std::string interval_words(const Comparison& comparison, bool as_loss) {
  const Estimate& difference = comparison.all.difference;
  const double low = as_loss ? -difference.high : difference.low;
  const double high = as_loss ? -difference.low : difference.high;
  return fmt::format("{:g} %: {:.1f} to {:.1f}", comparison.options.confidence * 100, low * 100,
                     high * 100);
}

// "Worst cell: vt at 4K (−12.0)."
std::string extreme_words(const Comparison& comparison, bool worst) {
  const ComparedGroup* extreme = nullptr;
  for (const ComparedGroup& cell : comparison.cells) {
    if (!cell.difference.known()) continue;
    const bool further =
        extreme == nullptr || (worst ? cell.difference.value < extreme->difference.value
                                     : cell.difference.value > extreme->difference.value);
    if (further) extreme = &cell;
  }
  if (extreme == nullptr || extreme->difference.value == 0) return "";
  return fmt::format(" {} cell: {} ({}).", worst ? "Worst" : "Best", name_of(*extreme),
                     signed_points(extreme->difference.value));
}

std::string cells_words(const Comparison& comparison) {
  int64_t known = 0;
  int64_t different = 0;
  for (const ComparedGroup& cell : comparison.cells) {
    if (!cell.difference.known()) continue;
    ++known;
    if (cell.p_holm < 1 - comparison.options.confidence) ++different;
  }
  if (known < 2) return "";
  const std::string count = different == 0 ? "No" : fmt::format("{} of {}", different, known);
  return fmt::format(" {} by {} (Holm).",
                     count + (different == 0 ? " cell differs" : " cells differ"),
                     different == 0 ? "itself" : "themselves");
}

std::string power_words(const Comparison& comparison) {
  const ComparedGroup& all = comparison.all;
  if (all.detectable <= 0) return "";
  std::string words = fmt::format(
      " So many samples show a difference of {:.1f} points four times "
      "in five",
      all.detectable * 100);
  if (all.needed > 0 && all.detectable > comparison.options.wanted)
    words +=
        fmt::format("; {:g} points take {}", comparison.options.wanted * 100, grouped(all.needed));
  return words + ".";
}

// ---- conditions

constexpr char kBetween[] = ": ";

bool group_decides(const Condition& condition) {
  return condition.group != "Run" || condition.name == "fathom";
}

// Settings whose values a RunDescription shows in its own words.
bool is_described(const std::string& setting) {
  static const std::set<std::string> described = {
      "model",          "model.base_url",      "model.provider",      "model.name",
      "model.version",  "model.window_tokens", "model.prefix_policy", "decoding.temperature",
      "decoding.top_p", "decoding.seed",       "max_output_tokens",   "attempts",
      "suite",          "tokenizer_hash",      "chat_template",       "template_hash",
      "length_counts",  "dataset_hash",        "model.raw_prompts"};
  return described.contains(setting);
}

struct Shown {
  std::string a;
  std::string b;
  bool decides = true;
};

}  // namespace

std::string_view to_text(Reading reading) {
  switch (reading) {
    case Reading::kOfficial:
      return "official";
    case Reading::kStrict:
      return "strict";
  }
  return "official";
}

std::string_view to_text(PairOutcome outcome) {
  switch (outcome) {
    case PairOutcome::kBothRight:
      return "both-right";
    case PairOutcome::kLost:
      return "lost";
    case PairOutcome::kGained:
      return "gained";
    case PairOutcome::kBothWrong:
      return "both-wrong";
  }
  return "both-wrong";
}

std::string_view to_text(DifferenceTest test) {
  switch (test) {
    case DifferenceTest::kNone:
      return "none";
    case DifferenceTest::kMcNemar:
      return "exact McNemar";
    case DifferenceTest::kSignFlip:
      return "sign-flip";
    case DifferenceTest::kUnpaired:
      return "unpaired interval";
  }
  return "none";
}

std::string_view to_text(GroupKind kind) {
  switch (kind) {
    case GroupKind::kCell:
      return "cell";
    case GroupKind::kTask:
      return "task";
    case GroupKind::kLength:
      return "length";
    case GroupKind::kCategory:
      return "category";
    case GroupKind::kAll:
      return "all";
  }
  return "all";
}

std::string name_of(const ComparedGroup& group) {
  switch (group.kind) {
    case GroupKind::kCell:
      return group.length == 0 ? group.cell
                               : fmt::format("{} at {}", group.cell, length_name(group.length));
    case GroupKind::kTask:
      return group.cell;
    case GroupKind::kLength:
      return length_name(group.length);
    case GroupKind::kCategory:
      return group.category;
    case GroupKind::kAll:
      return "all samples";
  }
  return "all samples";
}

std::vector<ConditionDifference> differing_conditions(const ComparedRun& a, const ComparedRun& b) {
  std::map<std::string, Shown> shown;
  std::vector<std::string> order;
  const auto gather = [&](const RunDescription& run, std::string Shown::*side) {
    for (const Condition& condition : run.conditions) {
      if (condition.name == "Note" || condition.name == "Sessions") continue;
      const std::string name = condition.group + kBetween + condition.name;
      const auto [entry, fresh] = shown.try_emplace(name);
      if (fresh) order.push_back(name);
      entry->second.decides = group_decides(condition);
      std::string& value = entry->second.*side;
      value += (value.empty() ? "" : "; ") + condition.value;
    }
  };
  gather(*a.description, &Shown::a);
  gather(*b.description, &Shown::b);
  std::vector<ConditionDifference> differences;
  for (const std::string& name : order) {
    const Shown& values = shown.at(name);
    if (values.a != values.b) differences.push_back({name, values.a, values.b, values.decides});
  }
  if (a.record != nullptr && b.record != nullptr)
    for (const SettingChange& change : changed_settings(a.record->settings, b.record->settings))
      if (!is_described(change.name))
        differences.push_back(
            {"Setting" + (kBetween + change.name), change.before, change.now, true});
  std::stable_partition(differences.begin(), differences.end(),
                        [](const ConditionDifference& item) { return item.decides; });
  return differences;
}

std::string comparison_verdict(const Comparison& comparison) {
  const ComparedGroup& all = comparison.all;
  const std::string a = run_words(comparison.a, "A");
  const std::string b = run_words(comparison.b, "B");
  if (!all.difference.known())
    return fmt::format("{} and {} share nothing that was answered.", b, a);
  if (!comparison.options.unpaired && all.counts.discordant() == 0)
    return fmt::format(
        "{} and {} scored the same on each of {} ({:g} %: the true difference lies "
        "between {} and {} points).",
        b, a, basis_words(comparison), comparison.options.confidence * 100,
        signed_points(all.difference.low), signed_points(all.difference.high));
  if (!differs(all, comparison.options))
    return fmt::format("No difference shown between {} and {}: {} points ({}) on {}.", b, a,
                       signed_points(all.difference.value), interval_words(comparison, false),
                       basis_words(comparison)) +
           cells_words(comparison) + power_words(comparison);
  const bool worse = all.difference.value < 0;
  return fmt::format("{} is {} than {} by {:.1f} points ({}) on {}.", b, worse ? "worse" : "better",
                     a, std::abs(all.difference.value) * 100, interval_words(comparison, worse),
                     basis_words(comparison)) +
         extreme_words(comparison, worse) + cells_words(comparison);
}

}  // namespace fathom
