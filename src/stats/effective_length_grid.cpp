// Effective lengths of a ScoreGrid: the rules, their crossings and intervals.
#include <algorithm>
#include <cmath>

#include "stats/effective_length.h"
#include "stats/effective_length_kind.h"
#include "stats/grid_means.h"
#include "stats/isotonic.h"
#include "stats/mover.h"

namespace fathom {
namespace {

constexpr size_t kAbsent = static_cast<size_t>(-1);

// How far the score stands above what the rule asks for, at any length of the grid's range:
// score(x) - threshold - ratio * base. It passes where that is at least 0.
class MarginCurve {
 public:
  MarginCurve(GridMeans means, double threshold) : means_(std::move(means)), threshold_(threshold) {
    parts_ = means_.means;
    correlations_ = means_.correlations;
  }

  // Measures against `ratio` times the first mean.
  void relate_to_first(double ratio) {
    base_ = 0;
    ratio_ = ratio;
  }
  // … or times an independent estimate.
  void relate_to(const Estimate& control, double ratio) {
    const size_t before = parts_.size();
    base_ = before;
    ratio_ = ratio;
    parts_.push_back(control);
    std::vector<double> wider((before + 1) * (before + 1));
    for (size_t i = 0; i < before; ++i)
      for (size_t j = 0; j < before; ++j)
        wider[i * (before + 1) + j] = correlations_[i * before + j];
    wider.back() = 1;
    correlations_ = std::move(wider);
  }

  [[nodiscard]] const GridMeans& means() const { return means_; }
  // What the score is measured against, by the values.
  [[nodiscard]] double bar() const {
    return threshold_ + (base_ == kAbsent ? 0 : ratio_ * parts_[base_].value);
  }
  // At grid point `point`, or `part` of the way (0..1, in log2) to the next.
  [[nodiscard]] Estimate at(size_t point, double part = 0) const {
    std::vector<double> coefficients(parts_.size());
    coefficients[point] = 1 - part;
    if (part > 0) coefficients[point + 1] = part;
    if (base_ != kAbsent) coefficients[base_] -= ratio_;
    Estimate margin = mover(parts_, coefficients, correlations_);
    margin.value -= threshold_;
    margin.low -= threshold_;
    margin.high -= threshold_;
    return margin;
  }
  // Score change from `point` to the next.
  [[nodiscard]] Estimate change(size_t point) const {
    std::vector<double> coefficients(parts_.size());
    coefficients[point] = -1;
    coefficients[point + 1] = 1;
    return mover(parts_, coefficients, correlations_);
  }

 private:
  GridMeans means_;
  double threshold_;
  std::vector<Estimate> parts_;
  std::vector<double> correlations_;
  size_t base_ = kAbsent;
  double ratio_ = 0;
};

constexpr int kStepsBetween = 32;  // places looked at between two grid points
constexpr int kBisections = 40;

// The first place (in order of length, or from the end backwards) where `holds` turns true, as a
// fraction of grid points: 2.25 is a quarter of the way from point 2 to 3. -1: nowhere.
template <typename Holds>
double first_place(size_t points, bool backwards, const Holds& holds) {
  const auto last = static_cast<int64_t>(points - 1) * kStepsBetween;
  const auto place = [&](int64_t step) {
    return static_cast<double>(backwards ? last - step : step) / kStepsBetween;
  };
  if (holds(place(0))) return place(0);
  for (int64_t step = 1; step <= last; ++step) {
    if (!holds(place(step))) continue;
    double outside = place(step - 1);
    double inside = place(step);
    for (int i = 0; i < kBisections; ++i) {
      const double middle = (outside + inside) / 2;
      (holds(middle) ? inside : outside) = middle;
    }
    return inside;
  }
  return -1;
}

double tokens_at(const GridMeans& means, double place) {
  const auto point = std::min(static_cast<size_t>(place), means.size() - 1);
  const double part = place - static_cast<double>(point);
  if (part <= 0) return std::exp2(means.log2[point]);
  return std::exp2(means.log2[point] + part * (means.log2[point + 1] - means.log2[point]));
}

Crossing crossing_of(const MarginCurve& curve) {
  const GridMeans& means = curve.means();
  std::vector<double> values;
  std::vector<double> weights;
  for (const Estimate& mean : means.means) {
    values.push_back(mean.value);
    weights.push_back(static_cast<double>(mean.n));
  }
  const std::vector<double> fit = isotonic_decreasing(values, weights);
  Crossing crossing{.known = true};
  crossing.length = std::exp2(falling_crossing(means.log2, fit, curve.bar() - kEffectiveRounding));
  const auto margin = [&](double place) {
    const auto point = std::min(static_cast<size_t>(place), means.size() - 1);
    return curve.at(point, place - static_cast<double>(point));
  };
  // The lengths whose interval contains the threshold, from the first to the last.
  const double first = first_place(
      means.size(), false, [&](double place) { return margin(place).low < -kEffectiveRounding; });
  const double last = first_place(
      means.size(), true, [&](double place) { return margin(place).high >= -kEffectiveRounding; });
  crossing.low = first < 0 ? Crossing::kNoEnd : first == 0 ? 0 : tokens_at(means, first);
  crossing.high = last < 0                                        ? 0
                  : last == static_cast<double>(means.size() - 1) ? Crossing::kNoEnd
                                                                  : tokens_at(means, last);
  crossing.low = std::min(crossing.low, crossing.length);
  crossing.high = std::max(crossing.high, crossing.length);
  return crossing;
}

EffectiveLength read_curve(const ScoreGrid& grid, const MarginCurve& curve) {
  const GridMeans& means = curve.means();
  std::vector<LengthPoint> margins;
  for (size_t point = 0; point < means.size(); ++point)
    margins.push_back({.length = grid.lengths[means.places[point]], .score = curve.at(point)});
  EffectiveLength effective = effective_length(margins, 0);
  effective.threshold = curve.bar();
  if (means.size() == 0) return effective;
  effective.crossing = crossing_of(curve);
  for (size_t point = 0; point + 1 < means.size(); ++point)
    effective.rises = effective.rises || curve.change(point).low > 0;
  return effective;
}

// The shorter of two crossings, limit by limit.
Crossing shorter(const Crossing& a, const Crossing& b) {
  if (!a.known) return b;
  if (!b.known) return a;
  return {std::min(a.length, b.length), std::min(a.low, b.low), std::min(a.high, b.high), true};
}

}  // namespace

EffectiveLength effective_length(const ScoreGrid& grid, double threshold, double confidence) {
  return read_curve(grid, MarginCurve(grid_means(grid, confidence), threshold));
}

EffectiveLength relative_effective_length(const ScoreGrid& grid, double ratio,
                                          const Estimate& control, double confidence) {
  MarginCurve curve(grid_means(grid, confidence), 0);
  EffectiveLength effective;
  if (curve.means().size() > 0) {
    if (control.known()) {
      curve.relate_to(control, ratio);
    } else {
      curve.relate_to_first(ratio);
    }
    effective = read_curve(grid, curve);
  }
  effective.rule = EffectiveLengthRule::kRelative;
  effective.ratio = ratio;
  return effective;
}

EffectiveLength robust_effective_length(const ScoreGrid& grid,
                                        std::span<const CategoryThreshold> categories,
                                        double confidence) {
  // That the least of the categories' lengths is above its lower limit needs only the lower limit
  // of the category that fails first; that it is below its upper limit needs all of them, so those
  // share the allowed error (Bonferroni).
  const double shared =
      1 - (1 - confidence) / static_cast<double>(std::max<size_t>(1, categories.size()));
  EffectiveLength least;
  least.rule = EffectiveLengthRule::kRobust;
  const GridMeans all = grid_means(grid);
  if (all.size() == 0) return least;
  least.shortest = grid.lengths[all.places.front()];
  least.longest = grid.lengths[all.places.back()];
  least.length = least.low = least.high = least.longest;
  double first_crossing = Crossing::kNoEnd;
  for (const CategoryThreshold& category : categories) {
    const ScoreGrid part = grid.of_tasks(category.tasks);
    const EffectiveLength one = effective_length(part, category.threshold, confidence);
    if (one.kind == EffectiveLengthKind::kNotMeasured) continue;
    const EffectiveLength wide = effective_length(part, category.threshold, shared);
    // A category that passes wherever it was measured limits nothing.
    const auto reach = [&](int64_t length) {
      return length == one.longest ? least.longest : length;
    };
    const bool first = least.limited_by.empty() || reach(one.length) < least.length ||
                       (reach(one.length) == least.length && one.crossing.length < first_crossing);
    if (first) {
      least.limited_by = category.name;
      least.threshold = category.threshold;
      first_crossing = one.crossing.length;
    }
    least.length = std::min(least.length, reach(one.length));
    least.low = std::min(least.low, reach(one.low));
    least.high = std::min(least.high, reach(wide.high));
    if (one.first_failing != 0 &&
        (least.first_failing == 0 || one.first_failing < least.first_failing))
      least.first_failing = one.first_failing;
    least.rises = least.rises || one.rises;
    Crossing crossing = one.crossing;
    crossing.high = wide.crossing.high;
    least.crossing = shorter(least.crossing, crossing);
  }
  if (least.limited_by.empty()) return EffectiveLength{.rule = EffectiveLengthRule::kRobust};
  least.kind = effective_kind(least);
  return least;
}

EffectiveLength risk_effective_length(const ScoreGrid& losses, double limit, double worst,
                                      double confidence) {
  ScoreGrid scores = losses;
  for (double& score : scores.scores) score = 1 - score / worst;
  EffectiveLength effective = effective_length(scores, 1 - limit / worst, confidence);
  effective.rule = EffectiveLengthRule::kRisk;
  effective.threshold = limit;
  return effective;
}

}  // namespace fathom
