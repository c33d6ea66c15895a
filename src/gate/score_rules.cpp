// Rules about scores: macro, categories, tasks, effective length, not worse.
#include <algorithm>
#include <functional>
#include <map>

#include "gate/rule_checks.h"
#include "stats/macro_mean.h"
#include "text/nearest.h"

namespace fathom {
namespace {

double score_of(const GateData& data, size_t row) {
  const Results& results = data.results();
  const ScoredAttempt& attempt = results.scores[*results.rows[row].score];
  return (data.policy.reading == Reading::kStrict ? attempt.strict : attempt.official)
      .value_or(0.0);
}

using RowTest = std::function<bool(size_t row)>;

Estimate mean_over(const std::vector<size_t>& rows, const GateData& data, double confidence,
                   const RowTest& counts) {
  TaskScores scores;
  for (const size_t row : rows)
    if (counts(row))
      scores.add(score_of(data, row), data.results().rows[row].task, data.clusters[row]);
  return macro_mean(scores, confidence);
}

const ResultTask& task_of(const GateData& data, size_t row) {
  return data.results().tasks[data.results().rows[row].task];
}

// The categories, or the rows of the table, that the rule's samples have; in order of appearance.
std::vector<std::string> names_in(const PolicyRule& rule, const std::vector<size_t>& rows,
                                  const GateData& data) {
  std::vector<std::string> names;
  for (const size_t row : rows) {
    const ResultTask& task = task_of(data, row);
    const std::string& name = rule.kind == RuleKind::kCategories ? task.category : task.cell;
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return names;
}

Error unknown_name(const PolicyRule& rule, const GateData& data, const std::string& what,
                   const std::string& name, const std::vector<std::string>& known) {
  return {ErrorCode::kUsage,
          fmt::format("{}the run has no {} '{}'{}; it has {}", place_of(rule, data), what, name,
                      did_you_mean(name, known), fmt::join(known, ", "))};
}

Result<std::vector<GateCheck>> named_checks(const PolicyRule& rule, const GateData& data,
                                            const std::vector<size_t>& rows) {
  const std::vector<std::string> known = names_in(rule, rows, data);
  const bool by_category = rule.kind == RuleKind::kCategories;
  std::map<std::string, double> limits = rule.limits;
  for (const auto& [name, limit] : limits)
    if (std::find(known.begin(), known.end(), name) == known.end())
      return fail(unknown_name(rule, data, by_category ? "category" : "task", name, known));
  if (rule.limit)
    for (const std::string& name : known) limits.emplace(name, *rule.limit);
  const double confidence = confidence_of_each(rule, limits.size());
  std::vector<GateCheck> checks;
  for (const std::string& name : known) {
    if (!limits.contains(name)) continue;
    const auto belongs = [&](size_t row) {
      const ResultTask& task = task_of(data, row);
      return (by_category ? task.category : task.cell) == name;
    };
    checks.push_back({.subject = name,
                      .figure = mean_over(rows, data, confidence, belongs),
                      .at_least = limits.at(name)});
  }
  return checks;
}

Result<std::vector<GateCheck>> effective_checks(const PolicyRule& rule, const GateData& data,
                                                const std::vector<size_t>& rows) {
  std::vector<std::string> categories;
  for (const ResultTask& task : data.results().tasks)
    if (std::find(categories.begin(), categories.end(), task.category) == categories.end())
      categories.push_back(task.category);
  if (!rule.category.empty() &&
      std::find(categories.begin(), categories.end(), rule.category) == categories.end())
    return fail(unknown_name(rule, data, "category", rule.category, categories));
  std::map<int64_t, std::vector<size_t>> by_length;
  for (const size_t row : rows)
    if (rule.category.empty() || task_of(data, row).category == rule.category)
      by_length[data.results().samples[row].length].push_back(row);
  const auto wanted = static_cast<int64_t>(*rule.limit);
  std::vector<std::string> lengths;
  std::vector<LengthPoint> points;
  int64_t samples = 0;
  for (const auto& [length, own] : by_length) {
    lengths.push_back(length_name(length));
    points.push_back({.length = length,
                      .score = mean_over(own, data, rule.confidence, [](size_t) { return true; })});
    samples += static_cast<int64_t>(own.size());
  }
  if (!by_length.contains(wanted))
    return fail(ErrorCode::kUsage,
                "{}nothing was measured at {}, so it cannot be told whether the model holds there; "
                "lengths of the run: {}",
                place_of(rule, data), length_name(wanted), fmt::join(lengths, ", "));
  const EffectiveLength effective = effective_length(points, rule.threshold);
  GateCheck check{.subject = rule.category.empty() ? "mean over tasks" : rule.category,
                  .unit = GateUnit::kTokens,
                  .at_least = *rule.limit};
  if (effective.kind == EffectiveLengthKind::kNotMeasured) return std::vector<GateCheck>{check};
  check.figure = {.value = static_cast<double>(effective.length),
                  .low = static_cast<double>(effective.low),
                  .high = static_cast<double>(effective.high),
                  .n = samples,
                  .method = points.front().score.method};
  return std::vector<GateCheck>{check};
}

const std::vector<ComparedGroup>& groups_over(const Comparison& comparison, GroupKind over,
                                              std::vector<ComparedGroup>& whole) {
  switch (over) {
    case GroupKind::kTask:
      return comparison.tasks;
    case GroupKind::kCategory:
      return comparison.categories;
    case GroupKind::kLength:
      return comparison.lengths;
    case GroupKind::kCell:
      return comparison.cells;
    case GroupKind::kAll:
      break;
  }
  whole = {comparison.all};
  return whole;
}

}  // namespace

Result<std::vector<GateCheck>> score_checks(const PolicyRule& rule, const GateData& data) {
  TRY(const std::vector<size_t> rows, rows_of(rule, data));
  if (rule.kind == RuleKind::kEffectiveLength) return effective_checks(rule, data, rows);
  if (rule.kind != RuleKind::kMacro) return named_checks(rule, data, rows);
  return std::vector<GateCheck>{
      {.subject = "mean over tasks",
       .figure = mean_over(rows, data, rule.confidence, [](size_t) { return true; }),
       .at_least = *rule.limit}};
}

Result<std::vector<GateCheck>> not_worse_checks(const PolicyRule& rule, const GateData& data) {
  TRY_VOID(rows_of(rule, data));  // the lengths exist
  ComparisonOptions options{.reading = data.policy.reading,
                            .shared_only = data.options.shared_only,
                            .lengths = rule.lengths,
                            .one_sided = rule.over};
  if (*rule.limit > 0 && *rule.limit < 1) options.wanted = *rule.limit;
  const auto compare = [&](size_t checks) {
    options.confidence = confidence_of_each(rule, checks);
    return compare_runs(*data.baseline, data.run, options);
  };
  TRY_CONTEXT(Comparison comparison, compare(1), place_of(rule, data) + "the baseline");
  std::vector<ComparedGroup> whole;
  const auto ordinary = [&](const ComparedGroup& group) {
    return group.ordinary && group.difference.known();
  };
  const auto count = [&] {
    const auto& groups = groups_over(comparison, rule.over, whole);
    return static_cast<size_t>(std::count_if(groups.begin(), groups.end(), ordinary));
  };
  if (rule.correction != Correction::kNone && count() > 1) {
    TRY(comparison, compare(count()));
  }
  std::vector<GateCheck> checks;
  for (const ComparedGroup& group : groups_over(comparison, rule.over, whole))
    if (ordinary(group))
      checks.push_back({.subject = name_of(group),
                        .figure = group.difference,
                        .unit = GateUnit::kPoints,
                        .at_least = -*rule.limit});
  return checks;
}

}  // namespace fathom
