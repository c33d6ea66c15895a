// Effective lengths of a ScoreGrid: the rules, their crossings and intervals.
#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>

#include "stats/effective_length.h"
#include "stats/effective_length_kind.h"
#include "stats/grid_means.h"
#include "stats/interval.h"
#include "stats/isotonic.h"
#include "stats/mover.h"
#include "stats/weighted_mean.h"

namespace fathom {
namespace {

// A mean on the logit scale, kept off 0 and 1 by half a sample.
struct LogitMean {
  double value = 0;
  double error = 0;

  explicit LogitMean(const Estimate& mean) {
    const auto worth = static_cast<double>(mean.clusters > 0 ? mean.clusters : mean.n);
    const double edge = 0.5 / (worth + 1);
    const double p = std::clamp(mean.value, edge, 1 - edge);
    value = std::log(p / (1 - p));
    error = 1 / std::sqrt(effective_sample_size(p, mean.error, worth) * p * (1 - p));
  }
};

struct Limits {
  double low = 0;
  double high = 0;
};

// Of the mean `part` of the way between two grid points, in log2 length, on the logistic curve
// through both.
Limits logistic_limits(const Estimate& from, const Estimate& to, double correlation, double part,
                       double confidence) {
  const LogitMean a(from);
  const LogitMean b(to);
  const double left = (1 - part) * a.error;
  const double right = part * b.error;
  const double error = std::sqrt(left * left + right * right + 2 * correlation * left * right);
  const double z = boost::math::quantile(boost::math::normal(), 0.5 + confidence / 2);
  const double middle = (1 - part) * a.value + part * b.value;
  const auto share = [](double logit) { return 1 / (1 + std::exp(-logit)); };
  return {share(middle - z * error), share(middle + z * error)};
}

// How far the score stands above what the rule asks for, at any length of the grid's range:
// score(x) - threshold, or score(x) - ratio * base. It passes where that is at least 0.
class MarginCurve {
 public:
  MarginCurve(GridMeans means, double threshold, double confidence)
      : means_(std::move(means)), bar_(threshold), confidence_(confidence) {}

  // Measures against `ratio` times the first mean (`control` unknown) or an independent estimate.
  void relate_to(const Estimate& control, double ratio) {
    ratio_ = ratio;
    control_ = control;
    bar_ = ratio * (control.known() ? control : means_.means[0]).value;
  }

  [[nodiscard]] const GridMeans& means() const { return means_; }
  // What the score is measured against, by the values.
  [[nodiscard]] double bar() const { return bar_; }

  // At grid point `point`, or `part` of the way to the next. Between the points the limits allow
  // for both a straight and a logistic course, since nothing was measured there.
  [[nodiscard]] Estimate at(size_t point, double part = 0) const {
    const Estimate score = score_at(point, part);
    Estimate margin = ratio_ > 0 ? against_base(score, point, part) : shifted(score, -bar_);
    if (part <= 0) return margin;
    const Limits bent = logistic_limits(means_.means[point], means_.means[point + 1],
                                        correlation_of(point, point + 1), part, confidence_);
    margin.low += std::min(0.0, bent.low - score.low);
    margin.high += std::max(0.0, bent.high - score.high);
    return margin;
  }
  // Score change from `point` to the next.
  [[nodiscard]] Estimate change(size_t point) const {
    const Estimate parts[] = {means_.means[point], means_.means[point + 1]};
    const double correlation = correlation_of(point, point + 1);
    const double signs[] = {-1, 1};
    const double correlations[] = {1, correlation, correlation, 1};
    return mover(parts, signs, correlations);
  }

 private:
  static Estimate shifted(Estimate estimate, double by) {
    estimate.value += by;
    estimate.low += by;
    estimate.high += by;
    return estimate;
  }
  [[nodiscard]] double correlation_of(size_t a, size_t b) const {
    return means_.correlations[a * means_.size() + b];
  }
  [[nodiscard]] Estimate score_at(size_t point, double part) const {
    if (part <= 0) return means_.means[point];
    const Estimate parts[] = {means_.means[point], means_.means[point + 1]};
    const double correlation = correlation_of(point, point + 1);
    const double weights[] = {1 - part, part};
    const double correlations[] = {1, correlation, correlation, 1};
    return stratified_mean(parts, weights, correlations, confidence_);
  }
  // score - ratio * base, by MOVER with the correlation of both.
  [[nodiscard]] Estimate against_base(const Estimate& score, size_t point, double part) const {
    const Estimate& base = control_.known() ? control_ : means_.means[0];
    if (!control_.known() && point == 0 && part <= 0) {
      // The base against a share of itself.
      return {.value = (1 - ratio_) * base.value,
              .low = (1 - ratio_) * base.low,
              .high = (1 - ratio_) * base.high,
              .n = base.n};
    }
    const Estimate parts[] = {score, base};
    double correlation = 0;
    if (!control_.known() && score.error > 0) {
      correlation = (1 - part) * correlation_of(point, 0) * means_.means[point].error;
      if (part > 0)
        correlation += part * correlation_of(point + 1, 0) * means_.means[point + 1].error;
      correlation = std::clamp(correlation / score.error, -1.0, 1.0);
    }
    const double coefficients[] = {1, -ratio_};
    const double correlations[] = {1, correlation, correlation, 1};
    return mover(parts, coefficients, correlations);
  }

  GridMeans means_;
  double bar_;
  double confidence_;
  double ratio_ = 0;  // 0: against the threshold alone
  Estimate control_;
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
  return read_curve(grid, MarginCurve(grid_means(grid, confidence), threshold, confidence));
}

EffectiveLength relative_effective_length(const ScoreGrid& grid, double ratio,
                                          const Estimate& control, double confidence) {
  MarginCurve curve(grid_means(grid, confidence), 0, confidence);
  EffectiveLength effective;
  if (curve.means().size() > 0) {
    curve.relate_to(control, ratio);
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
