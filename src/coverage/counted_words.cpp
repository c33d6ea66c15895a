#include "coverage/counted_words.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "coverage/look.h"
#include "stats/correlation.h"

namespace fathom {
namespace {

struct LayerCounts {
  CountedReading sums;
  double correlations = 0;
  int64_t correlated = 0;
};

double gap_of(std::span<const CountedWord> words, std::span<const double> counts) {
  std::optional<double> rarest;
  double most_of_others = 0;
  for (size_t w = 0; w < words.size(); ++w) {
    if (words[w].wanted) {
      rarest = std::min(rarest.value_or(counts[w]), counts[w]);
    } else {
      most_of_others = std::max(most_of_others, counts[w]);
    }
  }
  return rarest.value_or(0) - most_of_others;
}

std::vector<double> true_counts(std::span<const CountedWord> words) {
  std::vector<double> counts;
  for (const CountedWord& word : words) counts.push_back(static_cast<double>(word.places.size()));
  return counts;
}

void add_look(const Look& look, std::span<const CountedWord> words, std::span<const double> truth,
              LayerCounts& into) {
  std::vector<double> seen;
  double all = 0;
  double all_seen = 0;
  double wanted = 0;
  double wanted_seen = 0;
  for (const CountedWord& word : words) {
    const auto count = static_cast<double>(
        std::ranges::count_if(word.places, [&](const TokenSpan& span) { return look.hits(span); }));
    seen.push_back(count);
    const auto places = static_cast<double>(word.places.size());
    all += places;
    all_seen += count;
    wanted += word.wanted ? places : 0;
    wanted_seen += word.wanted ? count : 0;
  }
  CountedReading& sums = into.sums;
  ++sums.looks;
  sums.seen += all > 0 ? all_seen / all : 0;
  sums.seen_wanted += wanted > 0 ? wanted_seen / wanted : 0;
  const double seen_gap = gap_of(words, seen);
  sums.gap += seen_gap;
  sums.told_apart += seen_gap > 0 ? 1 : 0;
  const double correlation = spearman(truth, seen);
  if (std::isnan(correlation)) return;
  into.correlations += correlation;
  ++into.correlated;
}

}  // namespace

double gap(std::span<const CountedWord> words) { return gap_of(words, true_counts(words)); }

std::vector<CountedReading> counted_words(const SelectionLog& log,
                                          std::span<const CountedWord> words) {
  const std::vector<double> truth = true_counts(words);
  std::map<int, LayerCounts> layers;
  for (const LoggedSelection& each : log.selections)
    if (!each.dense) add_look(look_at(each, log.block), words, truth, layers[each.layer]);
  std::vector<CountedReading> out;
  for (const auto& [layer, counts] : layers) {
    CountedReading& mean = out.emplace_back(counts.sums);
    mean.layer = layer;
    for (const auto value : {&CountedReading::seen, &CountedReading::seen_wanted,
                             &CountedReading::gap, &CountedReading::told_apart})
      mean.*value /= static_cast<double>(mean.looks);
    if (counts.correlated > 0)
      mean.rank_correlation = counts.correlations / static_cast<double>(counts.correlated);
  }
  return out;
}

}  // namespace fathom
