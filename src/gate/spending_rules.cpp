// Rules about what answers took: length of the output, latency, cost.
#include <algorithm>
#include <functional>
#include <map>
#include <unordered_map>

#include "gate/rule_checks.h"
#include "stats/clustered.h"
#include "stats/paired.h"
#include "stats/quantile.h"

namespace fathom {
namespace {

struct Measured {
  std::vector<double> values;
  std::vector<int64_t> clusters;
};

const ScoredAttempt& attempt_at(const Results& results, size_t row) {
  return results.scores[*results.rows[row].score];
}

// Of the completed answers among `rows` for which `value` gives a number from 0.
Measured measured(const std::vector<size_t>& rows, const GateData& data,
                  const std::function<double(const Spent&)>& value) {
  Measured found;
  for (const size_t row : rows) {
    const ScoredAttempt& attempt = attempt_at(data.results(), row);
    if (!is_complete(attempt.outcome) || value(attempt.spent) < 0) continue;
    found.values.push_back(value(attempt.spent));
    found.clusters.push_back(data.clusters[row]);
  }
  return found;
}

// A mean of any numbers from 0, as a mean of shares of the largest.
Estimate mean_of_amounts(const Measured& measured, double confidence) {
  if (measured.values.empty()) return {};
  const double largest = *std::max_element(measured.values.begin(), measured.values.end());
  if (largest <= 0)
    return {.n = static_cast<int64_t>(measured.values.size()), .method = IntervalMethod::kNone};
  std::vector<double> shares;
  for (const double value : measured.values) shares.push_back(value / largest);
  Estimate mean = clustered_mean_score(shares, measured.clusters, confidence);
  mean.value *= largest;
  mean.low *= largest;
  mean.high *= largest;
  mean.error *= largest;
  return mean;
}

void fill_quantile(GateCheck& check, const std::vector<double>& values, double share,
                   const PolicyRule& rule) {
  if (values.empty()) return;
  check.figure = quantile_estimate(values, share, rule.confidence);
  if (check.figure.method != IntervalMethod::kNone) return;
  if (rule.by == DecidedBy::kValue) {
    check.figure.low = check.figure.high = check.figure.value;
    return;
  }
  check.reason = fmt::format("{} answers are too few for an interval of their {:g} % quantile",
                             values.size(), share * 100);
  check.figure = {};
}

double share_of(OutputStatistic statistic) {
  return statistic == OutputStatistic::kP95 ? 0.95 : 0.5;
}

// ---- output tokens

double output_tokens(const Spent& spent) { return static_cast<double>(spent.usage.output); }

struct OutputPairs {
  std::vector<double> baseline;
  std::vector<double> run;
  std::vector<int64_t> clusters;
};

// Answers of both runs to the same sample, where both came with a token count.
OutputPairs output_pairs(const std::vector<size_t>& rows, const GateData& data) {
  const Results& before = *data.baseline->results;
  std::unordered_map<std::string_view, size_t> row_before;
  for (size_t i = 0; i < before.rows.size(); ++i)
    if (before.rows[i].score) row_before.emplace(before.samples[i].id, i);
  OutputPairs pairs;
  for (const size_t row : rows) {
    const SampleFacts& sample = data.results().samples[row];
    const auto found = row_before.find(sample.id);
    if (found == row_before.end() || before.samples[found->second].hash != sample.hash) continue;
    const ScoredAttempt& earlier = attempt_at(before, found->second);
    const ScoredAttempt& attempt = attempt_at(data.results(), row);
    if (!is_complete(earlier.outcome) || !is_complete(attempt.outcome) ||
        output_tokens(earlier.spent) < 0 || output_tokens(attempt.spent) < 0)
      continue;
    pairs.baseline.push_back(output_tokens(earlier.spent));
    pairs.run.push_back(output_tokens(attempt.spent));
    pairs.clusters.push_back(data.clusters[row]);
  }
  return pairs;
}

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

// Ratio of the means, with the interval of its linear part: R + mean(b - R·a) / mean(a).
Estimate ratio_of_means(const OutputPairs& pairs, double confidence) {
  const auto n = static_cast<int64_t>(pairs.run.size());
  const double base = mean(pairs.baseline);
  const double ratio = mean(pairs.run) / base;
  double largest = 0;
  for (size_t i = 0; i < pairs.run.size(); ++i)
    largest = std::max({largest, pairs.run[i], ratio * pairs.baseline[i]});
  if (largest <= 0) return {.value = ratio, .low = ratio, .high = ratio, .n = n};
  std::vector<double> a;
  std::vector<double> b;
  for (size_t i = 0; i < pairs.run.size(); ++i) {
    a.push_back(std::min(1.0, ratio * pairs.baseline[i] / largest));
    b.push_back(std::min(1.0, pairs.run[i] / largest));
  }
  Estimate part = paired_difference(a, b, pairs.clusters, confidence);
  part.low = ratio + part.low * largest / base;
  part.high = ratio + part.high * largest / base;
  part.value = ratio;
  return part;
}

void fill_ratio(GateCheck& check, const PolicyRule& rule, const std::vector<size_t>& rows,
                const GateData& data) {
  const OutputPairs pairs = output_pairs(rows, data);
  const double base = pairs.baseline.empty() ? 0
                      : rule.statistic == OutputStatistic::kMean
                          ? mean(pairs.baseline)
                          : quantile(pairs.baseline, share_of(rule.statistic));
  if (base <= 0) {
    check.reason = "no sample has an answer with output tokens in both runs";
    return;
  }
  if (rule.statistic == OutputStatistic::kMean) {
    check.figure = ratio_of_means(pairs, rule.confidence);
    return;
  }
  const double ratio = quantile(pairs.run, share_of(rule.statistic)) / base;
  check.figure = {
      .value = ratio, .low = ratio, .high = ratio, .n = static_cast<int64_t>(pairs.run.size())};
}

std::vector<GateCheck> output_checks(const PolicyRule& rule, const GateData& data,
                                     const std::vector<size_t>& rows) {
  GateCheck check{.subject = fmt::format("{} output tokens", to_text(rule.statistic)),
                  .unit = rule.of_baseline ? GateUnit::kRatio : GateUnit::kTokens,
                  .at_least = rule.low,
                  .at_most = rule.high};
  if (rule.of_baseline) {
    fill_ratio(check, rule, rows, data);
    return {check};
  }
  const Measured found = measured(rows, data, output_tokens);
  if (found.values.empty()) check.reason = "no answer came with a count of its output tokens";
  if (rule.statistic == OutputStatistic::kMean) {
    check.figure = mean_of_amounts(found, rule.confidence);
  } else {
    fill_quantile(check, found.values, share_of(rule.statistic), rule);
  }
  return {check};
}

// ---- latency

Result<std::vector<GateCheck>> latency_checks(const PolicyRule& rule, const GateData& data,
                                              const std::vector<size_t>& rows) {
  std::map<int64_t, std::vector<size_t>> by_length;
  for (const size_t row : rows) by_length[data.results().samples[row].length].push_back(row);
  std::map<int64_t, double> limits;
  for (const auto& [text, limit] : rule.limits) {
    const int64_t length = std::stoll(text);  // written by parse_policy()
    if (!by_length.contains(length))
      return fail(ErrorCode::kUsage, "{}the run has no samples of {} tokens", place_of(rule, data),
                  length_name(length));
    limits[length] = limit;
  }
  if (rule.limit)
    for (const auto& [length, own] : by_length) limits.emplace(length, *rule.limit);
  const auto time = [&](const Spent& spent) {
    return rule.measure == LatencyMeasure::kTotal ? spent.total_ms : spent.first_token_ms;
  };
  std::vector<GateCheck> checks;
  for (const auto& [length, limit] : limits) {
    GateCheck check{.subject = length_name(length),
                    .unit = GateUnit::kMilliseconds,
                    .at_most = limit,
                    .reason = "no request was completed"};
    fill_quantile(check, measured(by_length.at(length), data, time).values, rule.quantile, rule);
    checks.push_back(std::move(check));
  }
  return checks;
}

// ---- cost

struct Spend {
  double input = 0;
  double cached = 0;
  double output = 0;
  int64_t counted = 0;
  int64_t unknown = 0;  // answers without token counts
};

// Over every attempt of the run, controls and repeated attempts too: all of them were paid for.
Spend spend_of(const PolicyRule& rule, const Results& results) {
  Spend spend;
  for (const ScoredAttempt& attempt : results.scores) {
    if (!rule.lengths.empty() &&
        std::find(rule.lengths.begin(), rule.lengths.end(), attempt.length) == rule.lengths.end())
      continue;
    const Usage& usage = attempt.spent.usage;
    if (usage.input < 0 || usage.output < 0) {
      spend.unknown += is_complete(attempt.outcome) ? 1 : 0;
      continue;
    }
    ++spend.counted;
    spend.input += static_cast<double>(usage.input);
    spend.cached += static_cast<double>(std::max<int64_t>(0, usage.cached));
    spend.output += static_cast<double>(usage.output);
  }
  return spend;
}

double money_of(const Spend& spend, const TokenPrices& prices) {
  return ((spend.input - spend.cached) * prices.input + spend.cached * prices.cached +
          spend.output * prices.output) /
         prices.per_tokens;
}

std::vector<GateCheck> cost_checks(const PolicyRule& rule, const GateData& data) {
  const Spend spend = spend_of(rule, data.results());
  std::vector<GateCheck> checks;
  for (const auto& [name, limit] : rule.limits) {
    const bool is_money = name == "money";
    GateCheck check{
        .subject = name, .unit = is_money ? GateUnit::kMoney : GateUnit::kTokens, .at_most = limit};
    if (spend.unknown > 0) {
      check.reason = fmt::format("{} answers came without token counts, so the sum is not known",
                                 spend.unknown);
    } else if (spend.counted > 0) {
      const double sum = is_money                  ? money_of(spend, *data.policy.prices)
                         : name == "input_tokens"  ? spend.input
                         : name == "output_tokens" ? spend.output
                                                   : spend.input + spend.output;
      check.figure = {.value = sum, .low = sum, .high = sum, .n = spend.counted};
    }
    checks.push_back(std::move(check));
  }
  return checks;
}

}  // namespace

Result<std::vector<GateCheck>> spending_checks(const PolicyRule& rule, const GateData& data) {
  TRY(const std::vector<size_t> rows, rows_of(rule, data));
  if (rule.kind == RuleKind::kCost) return cost_checks(rule, data);
  if (rule.kind == RuleKind::kLatency) return latency_checks(rule, data, rows);
  return output_checks(rule, data, rows);
}

}  // namespace fathom
