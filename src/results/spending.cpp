#include "results/spending.h"

#include <algorithm>

#include "results/results.h"
#include "stats/interval.h"
#include "stats/quantile.h"

namespace fathom {
namespace {

Quantiles quantiles_of(const std::vector<double>& values, double confidence) {
  Quantiles quantiles;
  if (values.empty()) return quantiles;
  quantiles.n = static_cast<int64_t>(values.size());
  quantiles.p50 = quantile_estimate(values, 0.5, confidence);
  quantiles.p95 = quantile_estimate(values, 0.95, confidence);
  for (const double value : values) quantiles.sum += value;
  quantiles.mean = quantiles.sum / static_cast<double>(values.size());
  quantiles.largest = *std::max_element(values.begin(), values.end());
  return quantiles;
}

// What the attempts of one length report.
class Gathered {
 public:
  void add(const ScoredAttempt& score) {
    ++attempted_;
    const Spent& spent = score.spent;
    requests_ += std::max<int64_t>(spent.tries, 0);
    retried_ += spent.tries > 1 ? 1 : 0;
    output_cut_ += score.outcome == Outcome::kOutputCut ? 1 : 0;
    thinking_cut_ += score.outcome == Outcome::kThinkingCut ? 1 : 0;
    add_known(first_token_ms_, spent.first_token_ms, spent.first_token_ms > 0);
    add_known(spent.usage.cached > 0 ? warm_first_token_ms_ : cold_first_token_ms_,
              spent.first_token_ms, spent.first_token_ms > 0 && spent.usage.cached >= 0);
    add_known(total_ms_, spent.total_ms, spent.total_ms > 0);
    add_count(input_, spent.usage.input);
    add_count(cached_, spent.usage.cached);
    add_count(output_, spent.usage.output);
    add_count(thinking_, spent.usage.thinking);
    add_count(kv_bytes_, spent.memory.kv);
    add_count(peak_bytes_, spent.memory.peak);
    add_speeds(spent);
  }

  [[nodiscard]] LengthSpending spending(std::optional<size_t> length, double confidence) const {
    const auto share = [&](int64_t count) {
      return wilson(static_cast<double>(count), attempted_, confidence);
    };
    return {.length = length,
            .attempted = attempted_,
            .first_token_ms = quantiles_of(first_token_ms_, confidence),
            .cold_first_token_ms = quantiles_of(cold_first_token_ms_, confidence),
            .warm_first_token_ms = quantiles_of(warm_first_token_ms_, confidence),
            .total_ms = quantiles_of(total_ms_, confidence),
            .input = quantiles_of(input_, confidence),
            .cached = quantiles_of(cached_, confidence),
            .output = quantiles_of(output_, confidence),
            .thinking = quantiles_of(thinking_, confidence),
            .input_per_second = quantiles_of(input_per_second_, confidence),
            .output_per_second = quantiles_of(output_per_second_, confidence),
            .kv_bytes = quantiles_of(kv_bytes_, confidence),
            .peak_bytes = quantiles_of(peak_bytes_, confidence),
            .output_cut = share(output_cut_),
            .thinking_cut = share(thinking_cut_),
            .retried = retried_,
            .requests = requests_};
  }

 private:
  static void add_known(std::vector<double>& values, double value, bool known) {
    if (known) values.push_back(value);
  }
  static void add_count(std::vector<double>& values, int64_t count) {
    add_known(values, static_cast<double>(count), count >= 0);
  }
  void add_speeds(const Spent& spent) {
    constexpr double kMsPerSecond = 1000;
    const Usage& usage = spent.usage;
    if (usage.input >= 0 && spent.first_token_ms > 0) {
      const int64_t read = usage.input - std::max<int64_t>(usage.cached, 0);
      add_known(input_per_second_, static_cast<double>(read) * kMsPerSecond / spent.first_token_ms,
                read > 0);
    }
    const double rest_ms = spent.total_ms - spent.first_token_ms;
    if (usage.output > 1 && spent.first_token_ms > 0 && rest_ms > 0)
      output_per_second_.push_back(static_cast<double>(usage.output - 1) * kMsPerSecond / rest_ms);
  }

  int64_t attempted_ = 0;
  int64_t requests_ = 0;
  int64_t retried_ = 0;
  int64_t output_cut_ = 0;
  int64_t thinking_cut_ = 0;
  std::vector<double> first_token_ms_;
  std::vector<double> cold_first_token_ms_;
  std::vector<double> warm_first_token_ms_;
  std::vector<double> total_ms_;
  std::vector<double> input_;
  std::vector<double> cached_;
  std::vector<double> output_;
  std::vector<double> thinking_;
  std::vector<double> input_per_second_;
  std::vector<double> output_per_second_;
  std::vector<double> kv_bytes_;
  std::vector<double> peak_bytes_;
};

}  // namespace

Spending spending_of(const Results& results) {
  std::vector<Gathered> lengths(results.lengths.size());
  Gathered all;
  for (size_t row = 0; row < results.rows.size(); ++row) {
    const ScoredAttempt* score = results.score_of(row);
    if (score == nullptr) continue;
    lengths[results.rows[row].length].add(*score);
    all.add(*score);
  }
  const double confidence = results.options.confidence;
  Spending spending;
  spending.all = all.spending(std::nullopt, confidence);
  for (size_t length = 0; length < lengths.size(); ++length)
    spending.lengths.push_back(lengths[length].spending(length, confidence));
  return spending;
}

}  // namespace fathom
