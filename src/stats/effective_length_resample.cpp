#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "stats/effective_length.h"
#include "stats/effective_length_kind.h"
#include "stats/index_stream.h"
#include "stats/isotonic.h"
#include "stats/quantile.h"

namespace fathom {
namespace {

struct Contribution {
  size_t cell = 0;  // task * lengths + length
  double score = 0;
  auto operator<=>(const Contribution&) const = default;
};
using ResampledUnit = std::vector<Contribution>;

// Units (or clusters) that are drawn from one another. Many are alike, so that a draw is counted by
// kind, and the scores are added up once a kind.
struct Stratum {
  std::vector<ResampledUnit> kinds;
  std::vector<uint32_t> kind_of;  // of each unit
};

Stratum stratum_of(std::vector<ResampledUnit> units) {
  std::sort(units.begin(), units.end());
  Stratum stratum;
  for (ResampledUnit& unit : units) {
    if (stratum.kinds.empty() || stratum.kinds.back() != unit)
      stratum.kinds.push_back(std::move(unit));
    stratum.kind_of.push_back(static_cast<uint32_t>(stratum.kinds.size() - 1));
  }
  return stratum;
}

// Those that touch the same tasks are one stratum.
std::vector<Stratum> strata_of(const ScoreGrid& grid) {
  std::map<int64_t, ResampledUnit> units;
  std::map<int64_t, std::set<size_t>> tasks;
  for (size_t task = 0; task < grid.tasks; ++task) {
    for (size_t index = 0; index < grid.indices; ++index) {
      for (size_t length = 0; length < grid.lengths.size(); ++length) {
        if (!grid.has(task, length, index)) continue;
        const int64_t cluster = grid.cluster_of(task, index);
        units[cluster].push_back(
            {task * grid.lengths.size() + length, grid.at(task, length, index)});
        tasks[cluster].insert(task);
      }
    }
  }
  std::map<std::set<size_t>, std::vector<ResampledUnit>> by_tasks;
  for (auto& [cluster, unit] : units) by_tasks[tasks[cluster]].push_back(std::move(unit));
  std::vector<Stratum> strata;
  for (auto& [key, members] : by_tasks) strata.push_back(stratum_of(std::move(members)));
  return strata;
}

struct CellSums {
  std::vector<double> sums;
  std::vector<double> counts;
  explicit CellSums(size_t cells) : sums(cells), counts(cells) {}
  void add(const ResampledUnit& unit, double times) {
    for (const Contribution& contribution : unit) {
      sums[contribution.cell] += times * contribution.score;
      counts[contribution.cell] += times;
    }
  }
};

struct ResampledCurve {
  std::vector<size_t> places;  // of the lengths with a score
  std::vector<double> log2;
  std::vector<double> means;   // over tasks
  std::vector<double> counts;  // scores
};

ResampledCurve curve_of(const ScoreGrid& grid, const CellSums& cells) {
  ResampledCurve curve;
  for (size_t length = 0; length < grid.lengths.size(); ++length) {
    double sum = 0;
    double tasks = 0;
    double count = 0;
    for (size_t task = 0; task < grid.tasks; ++task) {
      const size_t cell = task * grid.lengths.size() + length;
      if (cells.counts[cell] == 0) continue;
      sum += cells.sums[cell] / cells.counts[cell];
      count += cells.counts[cell];
      tasks += 1;
    }
    if (tasks == 0) continue;
    curve.places.push_back(length);
    curve.log2.push_back(std::log2(static_cast<double>(grid.lengths[length])));
    curve.means.push_back(sum / tasks);
    curve.counts.push_back(count);
  }
  return curve;
}

double crossing_length(const ResampledCurve& curve, double bar) {
  return std::exp2(
      falling_crossing(curve.log2, isotonic_decreasing(curve.means, curve.counts), bar));
}

}  // namespace

ResampledEffectiveLength resample_effective_length(const ScoreGrid& grid, double threshold,
                                                   int64_t resamples, RandomKey key,
                                                   double confidence) {
  const std::vector<Stratum> strata = strata_of(grid);
  ResampledEffectiveLength result{.shares = std::vector<double>(grid.lengths.size() + 1)};
  if (strata.empty() || resamples <= 0) return result;
  const double bar = threshold - kEffectiveRounding;
  const size_t cells = grid.tasks * grid.lengths.size();
  CellSums measured(cells);
  for (const Stratum& stratum : strata)
    for (const uint32_t kind : stratum.kind_of) measured.add(stratum.kinds[kind], 1);
  result.crossing.known = true;
  result.crossing.length = crossing_length(curve_of(grid, measured), bar);

  std::vector<double> crossings;
  std::vector<uint32_t> times;  // each kind was drawn
  for (int64_t resample = 0; resample < resamples; ++resample) {
    IndexStream indices(key.with(static_cast<uint64_t>(resample)));
    CellSums drawn(cells);
    for (const Stratum& stratum : strata) {
      const auto count = static_cast<uint32_t>(stratum.kind_of.size());
      times.assign(stratum.kinds.size(), 0);
      for (uint32_t i = 0; i < count; ++i) ++times[stratum.kind_of[indices.below(count)]];
      for (size_t kind = 0; kind < times.size(); ++kind)
        if (times[kind] > 0) drawn.add(stratum.kinds[kind], times[kind]);
    }
    const ResampledCurve curve = curve_of(grid, drawn);
    size_t last = 0;
    for (size_t point = 0; point < curve.means.size(); ++point)
      if (curve.means[point] >= bar) last = curve.places[point] + 1;
    result.shares[last] += 1 / static_cast<double>(resamples);
    crossings.push_back(crossing_length(curve, bar));
  }
  std::sort(crossings.begin(), crossings.end());
  // Without interpolation: a limit may lie beyond the grid.
  const auto limit = [&](double share) {
    return crossings[static_cast<size_t>(share * static_cast<double>(crossings.size() - 1))];
  };
  result.crossing.low = limit((1 - confidence) / 2);
  result.crossing.high = limit(0.5 + confidence / 2);
  return result;
}

}  // namespace fathom
