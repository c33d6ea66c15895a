#include "gate/policy.h"

#include <algorithm>

#include "io/embedded.h"
#include "io/file.h"
#include "text/nearest.h"

namespace fathom {
namespace {

constexpr std::string_view kFolder = "policies/";
constexpr std::string_view kEnding = ".yaml";

}  // namespace

std::string_view to_text(RuleKind kind) {
  switch (kind) {
    case RuleKind::kMacro:
      return "macro";
    case RuleKind::kCategories:
      return "categories";
    case RuleKind::kTasks:
      return "tasks";
    case RuleKind::kEffectiveLength:
      return "effective_length";
    case RuleKind::kNotWorse:
      return "not_worse";
    case RuleKind::kCompletion:
      return "completion";
    case RuleKind::kStrictGap:
      return "strict_gap";
    case RuleKind::kOutcomes:
      return "outcomes";
    case RuleKind::kOutputTokens:
      return "output_tokens";
    case RuleKind::kLatency:
      return "latency";
    case RuleKind::kCost:
      return "cost";
    case RuleKind::kCoverage:
      return "coverage";
    case RuleKind::kLosses:
      return "losses";
    case RuleKind::kReadShare:
      return "read_share";
    case RuleKind::kAudited:
      return "audited";
    case RuleKind::kMisses:
      return "misses";
  }
  return "macro";
}

std::vector<RuleKind> all_rule_kinds() {
  return {RuleKind::kMacro,           RuleKind::kCategories, RuleKind::kTasks,
          RuleKind::kEffectiveLength, RuleKind::kNotWorse,   RuleKind::kCompletion,
          RuleKind::kStrictGap,       RuleKind::kOutcomes,   RuleKind::kOutputTokens,
          RuleKind::kLatency,         RuleKind::kCost,       RuleKind::kCoverage,
          RuleKind::kLosses,          RuleKind::kReadShare,  RuleKind::kAudited,
          RuleKind::kMisses};
}

std::string_view to_text(DecidedBy by) {
  switch (by) {
    case DecidedBy::kInterval:
      return "interval";
    case DecidedBy::kValue:
      return "value";
    case DecidedBy::kLower:
      return "lower";
    case DecidedBy::kUpper:
      return "upper";
  }
  return "interval";
}

std::string_view to_text(Correction correction) {
  switch (correction) {
    case Correction::kNone:
      return "none";
    case Correction::kBonferroni:
      return "bonferroni";
  }
  return "none";
}

std::string_view to_text(OutputStatistic statistic) {
  switch (statistic) {
    case OutputStatistic::kMean:
      return "mean";
    case OutputStatistic::kMedian:
      return "median";
    case OutputStatistic::kP95:
      return "p95";
  }
  return "mean";
}

std::string_view to_text(LatencyMeasure measure) {
  switch (measure) {
    case LatencyMeasure::kTotal:
      return "total";
    case LatencyMeasure::kFirstToken:
      return "first_token";
  }
  return "total";
}

std::vector<std::string> embedded_policies() {
  std::vector<std::string> names;
  for (const std::string& file : embedded_names(kFolder))
    if (file.ends_with(kEnding))
      names.push_back(file.substr(kFolder.size(), file.size() - kFolder.size() - kEnding.size()));
  return names;
}

Result<Policy> load_policy(const std::string& name_or_path) {
  const std::string file = fmt::format("{}{}{}", kFolder, name_or_path, kEnding);
  if (const auto text = embedded_file(file)) {
    TRY(Policy policy, parse_policy(*text, file));
    policy.source = name_or_path;
    return policy;
  }
  if (is_directory(name_or_path))
    return fail(ErrorCode::kUsage, "--policy {}: a folder; a YAML file is wanted", name_or_path);
  if (!file_exists(name_or_path)) {
    const std::vector<std::string> known = embedded_policies();
    return fail(ErrorCode::kUsage,
                "--policy {}: no such file, and no policy of that name travels with fathom{}; "
                "ready ones: {}",
                name_or_path, did_you_mean(name_or_path, known), fmt::join(known, ", "));
  }
  TRY(const std::string text, read_file(name_or_path));
  return parse_policy(text, name_or_path);
}

}  // namespace fathom
