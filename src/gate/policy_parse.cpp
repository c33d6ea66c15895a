// A policy file as a value. docs/formats/policy.md is the form.
#include <algorithm>
#include <functional>

#include "base/hash.h"
#include "gate/policy.h"
#include "grade/miss.h"
#include "io/yaml.h"
#include "results/results.h"
#include "suite/suite_parse.h"

namespace fathom {
namespace {

constexpr double kMostTokens = 1e15;
constexpr double kMostMilliseconds = 1e12;
constexpr double kMostMoney = 1e12;
constexpr int64_t kFirstOwnExit = 6;  // 0 to 5 have meanings of their own (docs/exit-codes.md)
constexpr int64_t kLastOwnExit = 99;
constexpr size_t kMostRules = 1000;

const std::vector<std::string> kPolicyKeys = {"name",       "version",    "description", "reading",
                                              "confidence", "unresolved", "prices",      "rules"};

// What a number of a rule may be.
struct Range {
  double low = 0;
  double high = 1;
  std::string words = "a share from 0 to 1";
};
const Range kShare;
const Range kTokens{0, kMostTokens, "a number of tokens from 0"};
const Range kMilliseconds{0, kMostMilliseconds, "milliseconds from 0"};
const Range kMoney{0, kMostMoney, "an amount from 0"};
const Range kRatio{0, 1000, "a ratio from 0 to 1000"};

Result<double> number_in(const YamlValue& value, const std::string& where, const std::string& name,
                         const Range& range) {
  TRY(const double number, yaml_number(value, where, name));
  if (number < range.low || number > range.high)
    return fail(yaml_error(where, value,
                           fmt::format("{} must be {}, not {}", name, range.words, value.scalar)));
  return number;
}

// One of a few words.
template <typename T>
Result<T> word_of(const YamlValue& value, const std::string& where, const std::string& name,
                  const std::vector<T>& choices) {
  TRY(const std::string word, yaml_text(value, where, name));
  std::vector<std::string> words;
  for (const T choice : choices) {
    if (word == to_text(choice)) return choice;
    words.emplace_back(to_text(choice));
  }
  return fail(yaml_error(
      where, value,
      fmt::format("{} must be one of {}, not {}", name, fmt::join(words, ", "), describe(value))));
}

Result<double> confidence_of(const YamlValue& value, const std::string& where) {
  TRY(const double confidence, yaml_number(value, where, "'confidence'"));
  if (confidence < 0.6 || confidence > 0.9999)
    return fail(yaml_error(
        where, value,
        fmt::format("'confidence' must be a share from 0.6 to 0.9999 (0.95 is usual), not {}",
                    value.scalar)));
  return confidence;
}

// The settings of one rule, read key by key.
class RuleReader {
 public:
  RuleReader(const YamlValue& settings, const std::string& where, PolicyRule& rule)
      : settings_(settings), where_(where), rule_(rule) {}

  // Refuses every key but these and those that all rules have.
  Result<void> allow(std::vector<std::string> keys) const {
    for (const char* common : {"name", "by", "confidence", "lengths"}) keys.emplace_back(common);
    return check_yaml_keys(settings_, where_, what(), keys);
  }

  Result<void> common() {
    if (const YamlValue* value = settings_.find("name")) {
      TRY(rule_.name, yaml_text(*value, where_, "'name'"));
    }
    if (const YamlValue* value = settings_.find("by")) {
      TRY(rule_.by, word_of<DecidedBy>(*value, where_, "'by'",
                                       {DecidedBy::kInterval, DecidedBy::kValue, DecidedBy::kLower,
                                        DecidedBy::kUpper}));
    }
    if (const YamlValue* value = settings_.find("confidence")) {
      TRY(rule_.confidence, confidence_of(*value, where_));
    }
    if (const YamlValue* value = settings_.find("correction")) {
      TRY(rule_.correction, word_of<Correction>(*value, where_, "'correction'",
                                                {Correction::kNone, Correction::kBonferroni}));
    }
    if (const YamlValue* value = settings_.find("lengths")) {
      TRY(rule_.lengths, parse_suite_lengths(*value, where_));
    }
    return {};
  }

  // `key` holds one number for all.
  Result<void> one_limit(const std::string& key, const Range& range) {
    TRY(const YamlValue* value, needed(key));
    TRY(rule_.limit, number_in(*value, where_, quoted(key), range));
    return {};
  }

  // `key` holds a map from a name to a number. `check` says what a name may be.
  using NameCheck = std::function<Result<std::string>(const YamlValue& name)>;
  Result<void> limit_map(const std::string& key,
                         const std::function<Range(const std::string&)>& range,
                         const NameCheck& check) {
    TRY(const YamlValue* value, needed(key));
    if (value->kind != YamlKind::kMap || value->members.empty())
      return fail(yaml_error(where_, *value,
                             fmt::format("{} of {} must be a map (name: limit), not {}",
                                         quoted(key), what(), describe(*value))));
    for (const auto& [name, limit] : value->members) {
      TRY(const std::string known, check(name));
      TRY(rule_.limits[known], number_in(limit, where_, quoted(name.scalar), range(known)));
    }
    return {};
  }

  // `key` holds one number for all, or a map.
  Result<void> one_or_map(const std::string& key, const Range& range, const NameCheck& check) {
    TRY(const YamlValue* value, needed(key));
    if (value->kind == YamlKind::kMap)
      return limit_map(
          key, [&](const std::string&) { return range; }, check);
    return one_limit(key, range);
  }

  // `key` holds [low, high].
  Result<void> band(const std::string& key, const Range& range) {
    TRY(const YamlValue* value, needed(key));
    if (value->kind != YamlKind::kSequence || value->items.size() != 2)
      return fail(yaml_error(where_, *value,
                             fmt::format("{} must be a list of two numbers, [from, to], not {}",
                                         quoted(key), describe(*value))));
    TRY(rule_.low, number_in(value->items[0], where_, quoted(key), range));
    TRY(rule_.high, number_in(value->items[1], where_, quoted(key), range));
    if (rule_.low > rule_.high)
      return fail(yaml_error(where_, *value,
                             fmt::format("{}: the first number is above the second", quoted(key))));
    return {};
  }

  Result<const YamlValue*> needed(const std::string& key) const {
    const YamlValue* value = settings_.find(key);
    if (value == nullptr)
      return fail(yaml_error(where_, settings_, fmt::format("{} needs the key '{}'", what(), key)));
    return value;
  }
  [[nodiscard]] const YamlValue* find(const std::string& key) const { return settings_.find(key); }
  [[nodiscard]] const std::string& where() const { return where_; }
  [[nodiscard]] std::string what() const { return fmt::format("rule '{}'", to_text(rule_.kind)); }

  // Names that only the run can know (tasks, categories) are checked against it later.
  [[nodiscard]] NameCheck any_name() const {
    return [](const YamlValue& name) -> Result<std::string> { return name.scalar; };
  }
  [[nodiscard]] NameCheck one_of(std::vector<std::string> names) const {
    return [this, names = std::move(names)](const YamlValue& name) -> Result<std::string> {
      if (std::find(names.begin(), names.end(), name.scalar) != names.end()) return name.scalar;
      const std::string nearest = nearest_word(name.scalar, names);
      return fail(yaml_error(
          where_, name,
          fmt::format("unknown name '{}' in {}; {}", name.scalar, what(),
                      nearest.empty() ? fmt::format("valid names: {}", fmt::join(names, ", "))
                                      : fmt::format("did you mean '{}'?", nearest))));
    };
  }

 private:
  static std::string quoted(const std::string& key) { return "'" + key + "'"; }

  const YamlValue& settings_;
  const std::string& where_;
  PolicyRule& rule_;
};

const std::vector<std::string>& money_keys() {
  static const std::vector<std::string> keys = {"input_tokens", "output_tokens", "total_tokens",
                                                "money"};
  return keys;
}

std::vector<std::string> outcome_names() {
  std::vector<std::string> names;
  for (const Outcome outcome : all_outcomes()) names.emplace_back(to_text(outcome));
  return names;
}

std::vector<std::string> miss_names() {
  std::vector<std::string> names;
  for (const Miss miss : all_misses()) names.emplace_back(to_text(miss));
  return names;
}

Result<void> read_effective_length(RuleReader& reader, PolicyRule& rule) {
  TRY_VOID(reader.allow({"at_least", "threshold", "category"}));
  TRY(const YamlValue* value, reader.needed("at_least"));
  TRY(const auto lengths, parse_suite_lengths(*value, reader.where()));
  if (lengths.size() != 1)
    return fail(yaml_error(reader.where(), *value, "'at_least' must be one length, as 4k"));
  rule.limit = static_cast<double>(lengths.front());
  if (const YamlValue* threshold = reader.find("threshold")) {
    TRY(rule.threshold, number_in(*threshold, reader.where(), "'threshold'", kShare));
  }
  if (const YamlValue* category = reader.find("category")) {
    TRY(rule.category, yaml_text(*category, reader.where(), "'category'"));
  }
  return {};
}

Result<void> read_not_worse(RuleReader& reader, PolicyRule& rule) {
  TRY_VOID(reader.allow({"margin", "over", "correction"}));
  TRY_VOID(reader.one_limit("margin", kShare));
  if (const YamlValue* over = reader.find("over")) {
    TRY(rule.over, word_of<GroupKind>(*over, reader.where(), "'over'",
                                      {GroupKind::kAll, GroupKind::kTask, GroupKind::kCategory,
                                       GroupKind::kLength, GroupKind::kCell}));
  }
  return {};
}

Result<void> read_output_tokens(RuleReader& reader, PolicyRule& rule) {
  TRY_VOID(reader.allow({"between", "of_baseline", "statistic"}));
  rule.of_baseline = reader.find("of_baseline") != nullptr;
  if (rule.of_baseline && reader.find("between") != nullptr)
    return fail(yaml_error(reader.where(), *reader.find("between"),
                           "either 'between' or 'of_baseline', not both in one rule"));
  TRY_VOID(rule.of_baseline ? reader.band("of_baseline", kRatio) : reader.band("between", kTokens));
  if (const YamlValue* statistic = reader.find("statistic")) {
    TRY(rule.statistic, word_of<OutputStatistic>(*statistic, reader.where(), "'statistic'",
                                                 {OutputStatistic::kMean, OutputStatistic::kMedian,
                                                  OutputStatistic::kP95}));
  }
  return {};
}

Result<void> read_latency(RuleReader& reader, PolicyRule& rule) {
  TRY_VOID(reader.allow({"at_most_ms", "quantile", "measure"}));
  const auto length = [&](const YamlValue& name) -> Result<std::string> {
    TRY(const auto lengths, parse_suite_lengths(name, reader.where()));
    if (lengths.size() != 1)
      return fail(yaml_error(reader.where(), name, "a limit belongs to one length, as 4k"));
    return std::to_string(lengths.front());
  };
  TRY_VOID(reader.one_or_map("at_most_ms", kMilliseconds, length));
  if (const YamlValue* quantile = reader.find("quantile")) {
    TRY(rule.quantile, number_in(*quantile, reader.where(), "'quantile'", kShare));
  }
  if (const YamlValue* measure = reader.find("measure")) {
    TRY(rule.measure,
        word_of<LatencyMeasure>(*measure, reader.where(), "'measure'",
                                {LatencyMeasure::kTotal, LatencyMeasure::kFirstToken}));
  }
  return {};
}

Result<void> read_shares(RuleReader& reader, const std::vector<std::string>& names) {
  TRY_VOID(reader.allow({"at_most", "correction"}));
  return reader.limit_map(
      "at_most", [](const std::string&) { return kShare; }, reader.one_of(names));
}

Result<void> read_settings(RuleReader& reader, PolicyRule& rule) {
  switch (rule.kind) {
    case RuleKind::kMacro:
    case RuleKind::kCompletion:
      TRY_VOID(reader.allow({"at_least"}));
      return reader.one_limit("at_least", kShare);
    case RuleKind::kStrictGap:
      TRY_VOID(reader.allow({"at_most"}));
      return reader.one_limit("at_most", kShare);
    case RuleKind::kCategories:
    case RuleKind::kTasks:
      TRY_VOID(reader.allow({"at_least", "correction"}));
      return reader.one_or_map("at_least", kShare, reader.any_name());
    case RuleKind::kEffectiveLength:
      return read_effective_length(reader, rule);
    case RuleKind::kNotWorse:
      return read_not_worse(reader, rule);
    case RuleKind::kOutcomes:
      return read_shares(reader, outcome_names());
    case RuleKind::kMisses:
      return read_shares(reader, miss_names());
    case RuleKind::kCoverage:
      TRY_VOID(reader.allow({"at_least", "correction"}));
      return reader.limit_map(
          "at_least", [](const std::string&) { return kShare; }, reader.one_of(coverage_names()));
    case RuleKind::kLosses:
      return read_shares(reader, loss_names());
    case RuleKind::kAudited:
      return reader.allow({});
    case RuleKind::kReadShare:
      TRY_VOID(reader.allow({"at_most"}));
      return reader.one_limit("at_most", kShare);
    case RuleKind::kOutputTokens:
      return read_output_tokens(reader, rule);
    case RuleKind::kLatency:
      return read_latency(reader, rule);
    case RuleKind::kCost:
      TRY_VOID(reader.allow({"at_most"}));
      return reader.limit_map(
          "at_most", [](const std::string& name) { return name == "money" ? kMoney : kTokens; },
          reader.one_of(money_keys()));
  }
  return {};
}

// What a run shows of a model is a sample, and has an interval. How often its requests failed, and
// what they took, are facts of this run.
DecidedBy usual_decision(RuleKind kind) {
  switch (kind) {
    case RuleKind::kMacro:
    case RuleKind::kCategories:
    case RuleKind::kTasks:
    case RuleKind::kEffectiveLength:
    case RuleKind::kNotWorse:
    case RuleKind::kStrictGap:
    case RuleKind::kCoverage:
    case RuleKind::kLosses:
      return DecidedBy::kInterval;
    case RuleKind::kCompletion:
    case RuleKind::kOutcomes:
    case RuleKind::kOutputTokens:
    case RuleKind::kLatency:
    case RuleKind::kCost:
    case RuleKind::kReadShare:
    case RuleKind::kAudited:
    case RuleKind::kMisses:
      return DecidedBy::kValue;
  }
  return DecidedBy::kInterval;
}

Result<PolicyRule> parse_rule(const YamlValue& entry, const std::string& where, double confidence) {
  if (entry.kind != YamlKind::kMap || entry.members.size() != 1)
    return fail(yaml_error(
        where, entry,
        fmt::format("a rule is one kind with its settings, as '- macro: {{at_least: 0.8}}', not {}",
                    entry.kind == YamlKind::kMap
                        ? fmt::format("a map of {} keys", entry.members.size())
                        : describe(entry))));
  const auto& [key, settings] = entry.members.front();
  std::vector<std::string> kinds;
  PolicyRule rule{.line = key.line, .confidence = confidence};
  bool known = false;
  for (const RuleKind kind : all_rule_kinds()) {
    kinds.emplace_back(to_text(kind));
    if (key.scalar != kinds.back()) continue;
    rule.kind = kind;
    known = true;
  }
  if (!known) {
    const std::string nearest = nearest_word(key.scalar, kinds);
    return fail(
        yaml_error(where, key,
                   fmt::format("unknown rule '{}'; {}", key.scalar,
                               nearest.empty() ? fmt::format("rules: {}", fmt::join(kinds, ", "))
                                               : fmt::format("did you mean '{}'?", nearest))));
  }
  if (settings.kind != YamlKind::kMap)
    return fail(yaml_error(where, settings,
                           fmt::format("rule '{}' must be a map of settings, not {}", key.scalar,
                                       describe(settings))));
  rule.by = usual_decision(rule.kind);
  RuleReader reader(settings, where, rule);
  TRY_VOID(read_settings(reader, rule));
  TRY_VOID(reader.common());
  if (rule.of_baseline && rule.statistic != OutputStatistic::kMean && rule.by != DecidedBy::kValue)
    return fail(
        yaml_error(where, settings,
                   "the ratio of medians or quantiles has no interval here: 'by: value', or "
                   "'statistic: mean'"));
  return rule;
}

Result<void> parse_unresolved(const YamlValue& value, const std::string& where, Policy& policy) {
  const std::string form = "'unresolved' must be pass, fail, or {exit: N}";
  if (value.kind == YamlKind::kMap) {
    TRY_VOID(check_yaml_keys(value, where, "'unresolved'", {"exit"}));
    const YamlValue* code = value.find("exit");
    if (code == nullptr) return fail(yaml_error(where, value, form));
    TRY(const int64_t number, yaml_integer(*code, where, "'exit'", kFirstOwnExit, kLastOwnExit));
    policy.unresolved = UnresolvedAs::kExit;
    policy.unresolved_exit = static_cast<int>(number);
    return {};
  }
  if (value.kind == YamlKind::kScalar && value.scalar == "pass") {
    policy.unresolved = UnresolvedAs::kPass;
  } else if (value.kind == YamlKind::kScalar && value.scalar == "fail") {
    policy.unresolved = UnresolvedAs::kFail;
  } else {
    return fail(yaml_error(where, value, fmt::format("{}, not {}", form, describe(value))));
  }
  return {};
}

Result<void> parse_prices(const YamlValue& value, const std::string& where, Policy& policy) {
  TRY_VOID(
      check_yaml_keys(value, where, "'prices'", {"input", "cached", "output", "per", "currency"}));
  TokenPrices prices;
  for (const char* needed : {"input", "output"})
    if (value.find(needed) == nullptr)
      return fail(yaml_error(where, value, fmt::format("'prices' needs the key '{}'", needed)));
  TRY(prices.input, number_in(*value.find("input"), where, "'input'", kMoney));
  TRY(prices.output, number_in(*value.find("output"), where, "'output'", kMoney));
  prices.cached = prices.input;
  if (const YamlValue* cached = value.find("cached")) {
    TRY(prices.cached, number_in(*cached, where, "'cached'", kMoney));
  }
  if (const YamlValue* per = value.find("per")) {
    TRY(const int64_t tokens, yaml_integer(*per, where, "'per'", 1, 1'000'000'000));
    prices.per_tokens = static_cast<double>(tokens);
  }
  if (const YamlValue* currency = value.find("currency")) {
    TRY(prices.currency, yaml_text(*currency, where, "'currency'"));
  }
  policy.prices = prices;
  return {};
}

Result<void> parse_rules(const YamlValue& value, const std::string& where, Policy& policy) {
  if (value.kind != YamlKind::kSequence || value.items.empty())
    return fail(yaml_error(
        where, value,
        fmt::format("'rules' must be a list of rules (- macro: {{at_least: 0.8}}), not {}",
                    value.kind == YamlKind::kSequence ? "an empty one" : describe(value))));
  if (value.items.size() > kMostRules)
    return fail(yaml_error(where, value, fmt::format("more than {} rules", kMostRules)));
  for (const YamlValue& entry : value.items) {
    TRY(PolicyRule rule, parse_rule(entry, where, policy.confidence));
    if (rule.limits.contains("money") && rule.kind == RuleKind::kCost && !policy.prices)
      return fail(yaml_error(
          where, entry, "a limit on money needs 'prices' in the policy: {input: …, output: …}"));
    policy.rules.push_back(std::move(rule));
  }
  return {};
}

}  // namespace

Result<Policy> parse_policy(std::string_view yaml, const std::string& where) {
  if (yaml.size() > static_cast<size_t>(kLongestPolicy))
    return fail(ErrorCode::kInput, "{}: {} bytes; a policy has at most {}: is this the right file?",
                where, yaml.size(), kLongestPolicy);
  TRY(const YamlValue root, parse_yaml(yaml, where));
  if (root.kind == YamlKind::kNull)
    return fail(ErrorCode::kInput,
                "{}: an empty file; a policy needs 'name' and 'rules' (docs/formats/policy.md)",
                where);
  TRY_VOID(check_yaml_keys(root, where, "a policy", kPolicyKeys));
  for (const char* needed : {"name", "rules"})
    if (root.find(needed) == nullptr)
      return fail(yaml_error(where, root, fmt::format("a policy needs the key '{}'", needed)));
  Policy policy;
  policy.source = where;
  policy.sha256 = sha256_hex(yaml);
  TRY(policy.name, yaml_text(*root.find("name"), where, "'name'"));
  if (const YamlValue* value = root.find("version"))
    TRY_VOID(yaml_integer(*value, where, "'version'", 1, 1'000'000));
  if (const YamlValue* value = root.find("description")) {
    TRY(policy.description, yaml_text(*value, where, "'description'"));
  }
  if (const YamlValue* value = root.find("reading")) {
    TRY(policy.reading,
        word_of<Reading>(*value, where, "'reading'", {Reading::kOfficial, Reading::kStrict}));
  }
  if (const YamlValue* value = root.find("confidence")) {
    TRY(policy.confidence, confidence_of(*value, where));
  }
  if (const YamlValue* value = root.find("unresolved"))
    TRY_VOID(parse_unresolved(*value, where, policy));
  if (const YamlValue* value = root.find("prices")) TRY_VOID(parse_prices(*value, where, policy));
  TRY_VOID(parse_rules(*root.find("rules"), where, policy));
  return policy;
}

}  // namespace fathom
