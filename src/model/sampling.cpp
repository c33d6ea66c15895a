#include "model/sampling.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace fathom {

std::optional<int32_t> greedy_token(std::span<const float> logits) {
  std::optional<int32_t> best;
  for (size_t i = 0; i < logits.size(); ++i)
    if (std::isfinite(logits[i]) && (!best || logits[i] > logits[static_cast<size_t>(*best)]))
      best = static_cast<int32_t>(i);
  return best;
}

std::optional<int32_t> sampled_token(std::span<const float> logits, double temperature,
                                     double top_p, Random& random) {
  const std::optional<int32_t> best = greedy_token(logits);
  if (!best) return std::nullopt;
  const double highest = logits[static_cast<size_t>(*best)];
  std::vector<double> weights(logits.size(), 0.0);
  for (size_t i = 0; i < logits.size(); ++i)
    if (std::isfinite(logits[i])) weights[i] = std::exp((logits[i] - highest) / temperature);

  std::vector<int32_t> order(logits.size());
  std::iota(order.begin(), order.end(), 0);
  double kept = std::accumulate(weights.begin(), weights.end(), 0.0);
  if (top_p < 1) {
    std::stable_sort(order.begin(), order.end(),
                     [&](int32_t a, int32_t b) { return weights[a] > weights[b]; });
    const double wanted = std::max(0.0, top_p) * kept;
    size_t count = 0;
    kept = 0;
    do kept += weights[order[count++]];
    while (count < order.size() && kept < wanted);
    order.resize(count);
  }
  double left = random.uniform() * kept;
  for (const int32_t token : order) {
    left -= weights[token];
    if (left < 0) return token;
  }
  return best;  // rounding used up the last bit
}

StopText::StopText(std::vector<std::string> stops) : stops_(std::move(stops)) {
  std::erase_if(stops_, [](const std::string& stop) { return stop.empty(); });
}

bool StopText::append(std::string_view piece) {
  const size_t before = text_.size();
  text_ += piece;
  size_t cut = std::string::npos;
  for (const std::string& stop : stops_) {
    const size_t from = before < stop.size() ? 0 : before - stop.size() + 1;
    cut = std::min(cut, text_.find(stop, from));
  }
  if (cut == std::string::npos) return false;
  text_.resize(cut);
  return true;
}

}  // namespace fathom
