#include "report/summary_json.h"

#include <cmath>
#include <string>

#include "results/verdict.h"
#include "suite/variant_json.h"

namespace fathom {
namespace {

Json estimate_json(const Estimate& estimate) {
  if (!estimate.known()) return nullptr;
  Json json = {{"value", estimate.value}};
  if (estimate.method != IntervalMethod::kNone) {
    json["low"] = estimate.low;
    json["high"] = estimate.high;
  }
  json["n"] = estimate.n;
  if (estimate.clusters > 0) json["clusters"] = estimate.clusters;
  json["method"] = to_text(estimate.method);
  return json;
}

Json estimates_json(const std::vector<Estimate>& estimates) {
  Json json = Json::array();
  for (const Estimate& estimate : estimates) json.push_back(estimate_json(estimate));
  return json;
}

// JSON has no infinity: null where the curve never falls below its threshold.
Json end_json(double length) {
  return std::isfinite(length) ? Json(std::round(length)) : Json(nullptr);
}

Json effective_json(const EffectiveLength& effective) {
  Json json = {{"kind", to_text(effective.kind)},
               {"rule", to_text(effective.rule)},
               {"threshold", effective.threshold},
               {"length", effective.length},
               {"low", effective.low},
               {"high", effective.high},
               {"first_failing", effective.first_failing},
               {"shortest", effective.shortest},
               {"longest", effective.longest},
               {"rises", effective.rises}};
  if (effective.ratio > 0) json["ratio"] = effective.ratio;
  if (!effective.limited_by.empty()) json["limited_by"] = effective.limited_by;
  json["crossing"] = nullptr;
  if (effective.crossing.known)
    json["crossing"] = {{"length", end_json(effective.crossing.length)},
                        {"low", end_json(effective.crossing.low)},
                        {"high", end_json(effective.crossing.high)}};
  json["words"] = to_words(effective);
  return json;
}

Json tally_json(const Tally& tally) {
  Json outcomes = Json::object();
  for (const Outcome outcome : all_outcomes())
    outcomes[std::string(to_text(outcome))] = tally.outcomes[static_cast<size_t>(outcome)];
  Json misses = Json::object();  // only kinds that occur: most never do
  for (const Miss miss : all_misses()) {
    const int64_t count = tally.misses[static_cast<size_t>(miss)];
    if (count > 0) misses[std::string(to_text(miss))] = count;
  }
  return {{"samples", tally.samples},
          {"attempted", tally.attempted},
          {"completed", tally.completed},
          {"nulls", tally.nulls},
          {"clusters", tally.clusters},
          {"outcomes", std::move(outcomes)},
          {"misses", std::move(misses)},
          {"strictly_right", tally.strictly_right},
          {"quality", estimate_json(tally.quality)},
          {"completion", estimate_json(tally.completion)},
          {"usability", estimate_json(tally.usability)},
          {"strict", estimate_json(tally.strict)}};
}

// What refers to tasks and lengths names them, so that no reader needs an index.
class Summary {
 public:
  explicit Summary(const Results& results) : results_(results) {}

  [[nodiscard]] Json curves() const {
    Json curves = Json::array();
    for (size_t i = 0; i < results_.curves.size(); ++i) {
      const Curve& curve = results_.curves[i];
      Json json = {{"name", curve.name}};
      for (const CurveSummary& summary : results_.summaries.curves)
        if (summary.curve == i) json.update(curve_summary(summary));
      Json points = Json::array();
      for (const LengthSummary& point : curve.points) points.push_back(length_json(point));
      json["points"] = std::move(points);
      curves.push_back(std::move(json));
    }
    return curves;
  }

  [[nodiscard]] Json tasks() const {
    Json tasks = Json::array();
    for (size_t i = 0; i < results_.tasks.size(); ++i) {
      const ResultTask& task = results_.tasks[i];
      Json json = {{"task", task.task},
                   {"cell", task.cell},
                   {"category", task.category},
                   {"metric", to_text(task.metric)}};
      Json parameters = Json::object();
      for (const auto& [name, value] : task.parameters) parameters[name] = value;
      json["parameters"] = std::move(parameters);
      if (!task.variant.ordinary()) json["variant"] = variant_json(task.variant);
      for (const CurveSummary& summary : results_.summaries.curves)
        if (summary.task == i) json.update(curve_summary(summary));
      tasks.push_back(std::move(json));
    }
    return tasks;
  }

  [[nodiscard]] Json cells() const {
    Json cells = Json::array();
    for (const Cell& cell : results_.cells) {
      if (cell.mark == CellMark::kNoSamples) continue;
      const ResultTask& task = results_.tasks[cell.task];
      Json json = {{"task", task.task},
                   {"cell", task.cell},
                   {"category", task.category},
                   {"metric", to_text(task.metric)},
                   {"length", results_.lengths[cell.length]},
                   {"mark", to_text(cell.mark)},
                   {"ruler_score", nullptr}};
      if (cell.tally.completed > 0) json["ruler_score"] = cell.ruler_score;
      json.update(tally_json(cell.tally));
      cells.push_back(std::move(json));
    }
    return cells;
  }

  [[nodiscard]] Json robust() const {
    const RobustLength& robust = results_.summaries.robust;
    Json parts = Json::array();
    for (const RobustPart& part : robust.parts)
      parts.push_back({{"category", part.category},
                       {"effective_length", effective_json(part.effective)},
                       {"breaks_first", part.breaks_first}});
    return {{"effective_length", effective_json(robust.effective)},
            {"none_breaks", robust.none_breaks},
            {"parts", std::move(parts)}};
  }

  [[nodiscard]] Json regions() const {
    Json regions = Json::array();
    for (const ComplexityRegion& region : results_.summaries.regions) {
      Json levels = Json::array();
      for (size_t i = 0; i < region.levels.size(); ++i)
        levels.push_back({{"level", region.levels[i]},
                          {"cell", results_.tasks[region.tasks[i]].cell},
                          {"effective_length", effective_json(region.effective[i])}});
      Json lengths = Json::array();
      for (const size_t length : region.lengths) lengths.push_back(results_.lengths[length]);
      Json contours = Json::array();
      for (const auto& line : region.region.contours) {
        Json points = Json::array();
        for (const RegionPoint& point : line) points.push_back({point.length, point.complexity});
        contours.push_back(std::move(points));
      }
      regions.push_back({{"task", region.task},
                         {"parameter", region.parameter},
                         {"fixed", region.fixed},
                         {"lengths", std::move(lengths)},
                         {"levels", std::move(levels)},
                         {"threshold", region.region.threshold},
                         {"area", region.region.area},
                         {"contours", std::move(contours)}});
    }
    return regions;
  }

  [[nodiscard]] Json positions() const {
    const Positions& positions = results_.positions;
    Json gaps = Json::array();
    for (const PositionGap& gap : positions.gaps)
      gaps.push_back({{"cell", gap.cell},
                      {"length", length_or_null(gap.length)},
                      {"first", estimate_json(gap.first)},
                      {"middle", estimate_json(gap.middle)},
                      {"last", estimate_json(gap.last)},
                      {"first_minus_middle", estimate_json(gap.first_minus_middle)},
                      {"last_minus_middle", estimate_json(gap.last_minus_middle)},
                      {"pairs", gap.pairs},
                      {"tasks", gap.tasks}});
    Json edges = Json::array();
    for (const BlockEdge& edge : positions.edges)
      edges.push_back({{"boundary", results_.lengths[edge.boundary]},
                       {"length", results_.lengths[edge.length]},
                       {"offset", edge.offset},
                       {"at_boundary", estimate_json(edge.at_boundary)},
                       {"score", estimate_json(edge.score)},
                       {"difference", estimate_json(edge.difference)},
                       {"pairs", edge.pairs}});
    return {{"gaps", std::move(gaps)},
            {"spans", buckets(positions.spans)},
            {"distances", buckets(positions.distances)},
            {"edges", std::move(edges)}};
  }

  [[nodiscard]] Json depth() const {
    Json bins = Json::array();
    for (const DepthBin& bin : results_.depth)
      bins.push_back({{"cell", results_.tasks[bin.task].cell},
                      {"length", results_.lengths[bin.length]},
                      {"from", static_cast<double>(bin.bin) / kDepthBins},
                      {"usability", estimate_json(bin.tally.usability)},
                      {"strict", estimate_json(bin.tally.strict)}});
    return bins;
  }

  [[nodiscard]] Json spending() const {
    Json lengths = Json::array();
    for (const LengthSpending& each : results_.spending.lengths)
      lengths.push_back(spending_json(each));
    return {{"all", spending_json(results_.spending.all)}, {"lengths", std::move(lengths)}};
  }

  [[nodiscard]] Json controls() const {
    Json rows = Json::array();
    for (const ControlRow& row : results_.controls)
      rows.push_back({{"cell", row.task ? Json(results_.tasks[*row.task].cell) : Json(nullptr)},
                      {"length", results_.lengths[row.length]},
                      {"score", estimate_json(row.score)},
                      {"no_context", estimate_json(row.no_context)},
                      {"needles_only", estimate_json(row.needles_only)},
                      {"above_no_context", estimate_json(row.above_no_context)},
                      {"below_needles_only", estimate_json(row.below_needles_only)}});
    return rows;
  }

  [[nodiscard]] Json variants() const {
    Json axes = Json::array();
    for (const Robustness& axis : results_.variants) {
      Json rows = Json::array();
      for (const SpreadRow& row : axis.rows)
        rows.push_back({{"cell", row.cell},
                        {"length", row.length ? Json(*row.length) : Json(nullptr)},
                        {"scores", estimates_json(row.arms)},
                        {"lowest", row.lowest},
                        {"highest", row.highest},
                        {"deviation", row.deviation},
                        {"sampling_deviation", row.sampling_deviation},
                        {"arm_deviation", estimate_json(row.arm_deviation)},
                        {"p", row.p},
                        {"shared", row.shared}});
      axes.push_back(
          {{"axis", to_text(axis.axis)}, {"arms", axis.arms}, {"rows", std::move(rows)}});
    }
    return axes;
  }

 private:
  [[nodiscard]] Json length_or_null(const std::optional<size_t>& length) const {
    return length ? Json(results_.lengths[*length]) : Json(nullptr);
  }

  [[nodiscard]] Json length_json(const LengthSummary& point) const {
    return {{"length", results_.lengths[point.length]},
            {"edge", point.edge},
            {"quality", estimate_json(point.quality)},
            {"usability", estimate_json(point.usability)},
            {"strict", estimate_json(point.strict)},
            {"tasks_with_quality", point.tasks_with_quality},
            {"tasks_with_usability", point.tasks_with_usability},
            {"pool", tally_json(point.all)}};
  }

  static Json curve_summary(const CurveSummary& summary) {
    return {{"effective_length", effective_json(summary.absolute)},
            {"relative", effective_json(summary.relative)},
            {"strict", effective_json(summary.strict)},
            {"risk", effective_json(summary.risk)},
            {"cost", estimates_json(summary.cost)},
            {"slope", estimate_json(summary.slope)},
            {"area", estimate_json(summary.area)}};
  }

  [[nodiscard]] Json buckets(const std::vector<TokenBucket>& buckets) const {
    Json json = Json::array();
    for (const TokenBucket& bucket : buckets)
      json.push_back({{"cell", bucket.task ? Json(results_.tasks[*bucket.task].cell) : Json()},
                      {"length", length_or_null(bucket.length)},
                      {"from", bucket.from},
                      {"below", bucket.below},
                      {"usability", estimate_json(bucket.tally.usability)},
                      {"strict", estimate_json(bucket.tally.strict)}});
    return json;
  }

  static Json quantiles_json(const Quantiles& quantiles) {
    if (quantiles.n == 0) return nullptr;
    return {{"p50", estimate_json(quantiles.p50)},
            {"p95", estimate_json(quantiles.p95)},
            {"mean", quantiles.mean},
            {"sum", quantiles.sum},
            {"largest", quantiles.largest},
            {"n", quantiles.n}};
  }

  [[nodiscard]] Json spending_json(const LengthSpending& each) const {
    return {{"length", length_or_null(each.length)},
            {"attempted", each.attempted},
            {"first_token_ms", quantiles_json(each.first_token_ms)},
            {"cold_first_token_ms", quantiles_json(each.cold_first_token_ms)},
            {"warm_first_token_ms", quantiles_json(each.warm_first_token_ms)},
            {"total_ms", quantiles_json(each.total_ms)},
            {"input_tokens", quantiles_json(each.input)},
            {"cached_tokens", quantiles_json(each.cached)},
            {"output_tokens", quantiles_json(each.output)},
            {"thinking_tokens", quantiles_json(each.thinking)},
            {"input_tokens_per_second", quantiles_json(each.input_per_second)},
            {"output_tokens_per_second", quantiles_json(each.output_per_second)},
            {"kv_bytes", quantiles_json(each.kv_bytes)},
            {"peak_bytes", quantiles_json(each.peak_bytes)},
            {"output_cut", estimate_json(each.output_cut)},
            {"thinking_cut", estimate_json(each.thinking_cut)},
            {"retried", each.retried},
            {"requests", each.requests}};
  }

  const Results& results_;
};

Json options_json(const ResultsOptions& options) {
  return {
      {"threshold", options.threshold},
      {"relative", options.relative},
      {"relative_to", options.relative_to == RelativeBase::kControl ? "needles-only" : "shortest"},
      {"category_thresholds", options.category_thresholds},
      {"risk_limit", options.risk_limit},
      {"resamples", options.resamples},
      {"confidence", options.confidence}};
}

}  // namespace

Json summary_json(const Results& results, const RunDescription& run) {
  Json conditions = Json::array();
  for (const Condition& condition : run.conditions)
    conditions.push_back(
        {{"group", condition.group}, {"name", condition.name}, {"value", condition.value}});
  const Verdict words = verdict_of(results, run);
  const Summary summary(results);
  return {{"format", "fathom-summary"},
          {"version", kSummaryVersion},
          {"run", run.name},
          {"model", run.model},
          {"provider", run.provider},
          {"simulated", run.simulated},
          {"suite", run.suite},
          {"started", run.started},
          {"verdict", verdict(results, run)},
          {"headline", words.headline},
          {"confidence", results.options.confidence},
          {"options", options_json(results.options)},
          {"lengths", results.lengths},
          {"total", tally_json(results.total)},
          {"averages",
           {{"average", estimate_json(results.averages.average)},
            {"increasing", estimate_json(results.averages.increasing)},
            {"decreasing", estimate_json(results.averages.decreasing)}}},
          {"robust", summary.robust()},
          {"curves", summary.curves()},
          {"tasks", summary.tasks()},
          {"cells", summary.cells()},
          {"regions", summary.regions()},
          {"depth", summary.depth()},
          {"positions", summary.positions()},
          {"spending", summary.spending()},
          {"controls", summary.controls()},
          {"variants", summary.variants()},
          {"conditions", std::move(conditions)}};
}

}  // namespace fathom
