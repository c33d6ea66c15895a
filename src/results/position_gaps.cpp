#include "results/position_gaps.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>
#include <tuple>

#include "results/results.h"
#include "results/sample_clusters.h"
#include "stats/clustered.h"
#include "stats/paired.h"
#include "stats/weighted_mean.h"

namespace fathom {
namespace {

enum Fifth : size_t { kFirst, kMiddle, kLast, kFifths };

std::optional<Fifth> fifth_of(double depth) {
  if (depth < 0.2) return kFirst;
  if (depth >= 0.4 && depth < 0.6) return kMiddle;
  if (depth >= 0.8) return kLast;
  return std::nullopt;
}

// "niah_single_2[keys=4]" for niah_single_2[depth=fixed,depth_value=0.5,keys=4].
std::string without_depth(const ResultTask& task) {
  constexpr std::string_view kDepthParameters[] = {"depth", "depth_points", "depth_value",
                                                   "spread"};
  std::string kept;
  for (const auto& [name, value] : task.parameters) {
    if (std::find(std::begin(kDepthParameters), std::end(kDepthParameters), name) !=
        std::end(kDepthParameters))
      continue;
    kept += (kept.empty() ? "" : ",") + name + "=" + value;
  }
  if (task.parameters.empty()) return task.cell;
  const std::string base = task.cell.substr(0, task.cell.find('['));
  return kept.empty() ? base : base + "[" + kept + "]";
}

struct Scored {
  size_t row = 0;
  double score = 0;
};
using Fifths = std::array<std::vector<Scored>, kFifths>;

class GapMaker {
 public:
  GapMaker(const Results& results, const std::vector<int64_t>& clusters)
      : results_(results), clusters_(clusters) {}

  [[nodiscard]] PositionGap gap(const std::string& cell, std::optional<size_t> length,
                                const Fifths& fifths) const {
    PositionGap gap{.cell = cell, .length = length};
    gap.first = mean(fifths[kFirst]);
    gap.middle = mean(fifths[kMiddle]);
    gap.last = mean(fifths[kLast]);
    const Difference first = difference(fifths[kMiddle], gap.middle, fifths[kFirst], gap.first);
    const Difference last = difference(fifths[kMiddle], gap.middle, fifths[kLast], gap.last);
    gap.first_minus_middle = first.estimate;
    gap.last_minus_middle = last.estimate;
    gap.pairs = std::min(first.pairs, last.pairs);
    // One of both would be paired and the other not: shown alike, as the weaker of the two.
    if (gap.pairs == 0) {
      gap.first_minus_middle = unpaired(gap.middle, gap.first);
      gap.last_minus_middle = unpaired(gap.middle, gap.last);
    }
    return gap;
  }

 private:
  struct Difference {
    Estimate estimate;
    int64_t pairs = 0;
  };

  [[nodiscard]] Estimate mean(const std::vector<Scored>& samples) const {
    std::vector<double> scores;
    std::vector<int64_t> shared;
    for (const Scored& sample : samples) {
      scores.push_back(sample.score);
      shared.push_back(clusters_[sample.row]);
    }
    return clustered_mean_score(scores, shared, results_.options.confidence);
  }

  [[nodiscard]] static Estimate unpaired(const Estimate& from, const Estimate& to) {
    return from.known() && to.known() ? unpaired_difference(from, to) : Estimate{};
  }

  // Samples of one text stand beside each other, so that two fifths pair in order.
  [[nodiscard]] std::vector<Scored> by_text(std::vector<Scored> samples) const {
    std::sort(samples.begin(), samples.end(), [&](const Scored& a, const Scored& b) {
      const SampleFacts& left = results_.samples[a.row];
      const SampleFacts& right = results_.samples[b.row];
      return std::tie(left.haystack, left.length, left.index, a.row) <
             std::tie(right.haystack, right.length, right.index, b.row);
    });
    return samples;
  }

  // Mean of `to` minus mean of `from`: by pairs where every sample has a partner with the same
  // haystack and length, else as of two groups.
  [[nodiscard]] Difference difference(const std::vector<Scored>& from, const Estimate& from_mean,
                                      const std::vector<Scored>& to,
                                      const Estimate& to_mean) const {
    const Difference groups{unpaired(from_mean, to_mean), 0};
    if (from.empty() || from.size() != to.size()) return groups;
    const std::vector<Scored> left = by_text(from);
    const std::vector<Scored> right = by_text(to);
    std::vector<double> a;
    std::vector<double> b;
    std::vector<int64_t> shared;
    for (size_t i = 0; i < left.size(); ++i) {
      const SampleFacts& one = results_.samples[left[i].row];
      const SampleFacts& other = results_.samples[right[i].row];
      if (one.haystack.empty() || one.haystack != other.haystack || one.length != other.length)
        return groups;
      a.push_back(left[i].score);
      b.push_back(right[i].score);
      shared.push_back(clusters_[left[i].row]);
    }
    return {paired_difference(a, b, shared, results_.options.confidence),
            static_cast<int64_t>(a.size())};
  }

  const Results& results_;
  const std::vector<int64_t>& clusters_;
};

// The mean over cells that have all three fifths.
PositionGap mean_gap(const std::vector<PositionGap>& gaps, Dependence dependence,
                     double confidence) {
  PositionGap mean{.cell = "all tasks", .length = gaps.front().length, .tasks = 0};
  std::array<std::vector<Estimate>, 5> parts;
  constexpr Estimate PositionGap::*kParts[] = {&PositionGap::first, &PositionGap::middle,
                                               &PositionGap::last, &PositionGap::first_minus_middle,
                                               &PositionGap::last_minus_middle};
  bool paired = true;
  for (const PositionGap& gap : gaps) {
    if (!gap.first.known() || !gap.middle.known() || !gap.last.known()) continue;
    for (size_t part = 0; part < parts.size(); ++part) parts[part].push_back(gap.*kParts[part]);
    paired = paired && gap.paired();
    mean.pairs += gap.pairs;
    ++mean.tasks;
  }
  if (!paired) mean.pairs = 0;
  for (size_t part = 0; part < parts.size(); ++part)
    mean.*kParts[part] = weighted_mean(parts[part], {}, dependence, confidence);
  return mean;
}

// All lengths of the main curve first, then each length.
constexpr size_t kAllLengths = 0;

}  // namespace

std::vector<PositionGap> position_gaps(const Results& results, const std::vector<int64_t>& clusters,
                                       const std::vector<size_t>& boundaries) {
  std::vector<std::string> cells;
  std::vector<bool> ordinary;
  std::vector<size_t> cell_of(results.tasks.size());
  for (size_t task = 0; task < results.tasks.size(); ++task) {
    const std::string name = without_depth(results.tasks[task]);
    const auto found = std::find(cells.begin(), cells.end(), name);
    cell_of[task] = static_cast<size_t>(found - cells.begin());
    if (found != cells.end()) continue;
    cells.push_back(name);
    ordinary.push_back(results.tasks[task].variant.ordinary());
  }

  std::map<std::pair<size_t, size_t>, Fifths> fifths;  // by cell, length
  for (size_t row = 0; row < results.rows.size(); ++row) {
    const std::optional<double>& depth = results.samples[row].depth;
    const ScoredAttempt* score = results.score_of(row);
    if (!depth || score == nullptr) continue;
    const std::optional<Fifth> fifth = fifth_of(*depth);
    if (!fifth) continue;
    const SampleRow& place = results.rows[row];
    const Scored scored{row, score->official.value_or(0)};
    fifths[{cell_of[place.task], place.length + 1}][*fifth].push_back(scored);
    if (boundaries[place.length] == place.length)
      fifths[{cell_of[place.task], kAllLengths}][*fifth].push_back(scored);
  }

  const GapMaker maker(results, clusters);
  std::vector<PositionGap> gaps;
  std::map<size_t, std::vector<PositionGap>> by_length;  // of ordinary cells
  for (const auto& [key, samples] : fifths) {
    std::optional<size_t> length;
    if (key.second != kAllLengths) length = key.second - 1;
    gaps.push_back(maker.gap(cells[key.first], length, samples));
    if (ordinary[key.first]) by_length[key.second].push_back(gaps.back());
  }
  const Dependence dependence = task_dependence(results, clusters);
  for (const auto& [length, parts] : by_length)
    if (parts.size() > 1) gaps.push_back(mean_gap(parts, dependence, results.options.confidence));
  return gaps;
}

}  // namespace fathom
