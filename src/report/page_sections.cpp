#include "report/page_sections.h"

#include <utility>

namespace fathom {

Json page_cells_json(const Results& results, const RunAxes& own) {
  Json cells = Json::array();
  for (const Cell& cell : results.cells) {
    if (cell.mark == CellMark::kNoSamples) continue;
    cells.push_back({{"task", own.task[cell.task]},
                     {"length", own.length[cell.length]},
                     {"tally", page_json(cell.tally)},
                     {"ruler", cell.ruler_score},
                     {"mark", static_cast<int>(cell.mark)}});
  }
  return cells;
}

Json page_curves_json(const Results& results, const RunAxes& own) {
  Json curves = Json::array();
  for (const Curve& curve : results.curves) {
    Json points = Json::array();
    for (const LengthSummary& point : curve.points)
      points.push_back({{"length", own.length[point.length]},
                        {"edge", point.edge},
                        {"quality", page_json(point.quality)},
                        {"usability", page_json(point.usability)},
                        {"strict", page_json(point.strict)},
                        {"tasks_with_quality", point.tasks_with_quality},
                        {"tasks_with_usability", point.tasks_with_usability},
                        {"pool", page_json(point.all)}});
    curves.push_back({{"name", curve.name},
                      {"effective", page_json(curve.effective)},
                      {"points", std::move(points)}});
  }
  return curves;
}

// As arrays: a large suite has fifty thousand bins.
Json page_depth_json(const Results& results, const RunAxes& own) {
  Json bins = Json::array();
  for (const DepthBin& bin : results.depth) {
    const Estimate& score = bin.tally.usability;
    if (!score.known()) continue;
    bins.push_back({own.task[bin.task], own.length[bin.length], bin.bin, bin.tally.attempted,
                    page_number(score.value), page_number(score.low), page_number(score.high)});
  }
  return bins;
}

Json page_summaries_json(const Results& results, const RunAxes& own) {
  Json list = Json::array();
  for (const CurveSummary& one : results.summaries.curves)
    list.push_back({{"name", one.name},
                    {"curve", one.curve ? static_cast<int64_t>(*one.curve) : -1},
                    {"task", own.task_of(one.task)},
                    {"absolute", page_json(one.absolute)},
                    {"relative", page_json(one.relative)},
                    {"strict", page_json(one.strict)},
                    {"risk", page_json(one.risk)},
                    {"slope", page_json(one.slope)},
                    {"area", page_json(one.area)}});
  return list;
}

Json page_robust_json(const Results& results) {
  const RobustLength& robust = results.summaries.robust;
  if (robust.parts.empty()) return nullptr;
  Json parts = Json::array();
  for (const RobustPart& part : robust.parts)
    parts.push_back({{"category", part.category},
                     {"effective", page_json(part.effective)},
                     {"breaks_first", page_number(part.breaks_first)}});
  return {{"effective", page_json(robust.effective)},
          {"none_breaks", page_number(robust.none_breaks)},
          {"parts", std::move(parts)}};
}

Json page_regions_json(const Results& results, const RunAxes& own) {
  Json list = Json::array();
  for (const ComplexityRegion& region : results.summaries.regions) {
    Json tasks = Json::array();
    for (const size_t task : region.tasks) tasks.push_back(own.task[task]);
    Json effective = Json::array();
    for (const EffectiveLength& one : region.effective) effective.push_back(page_json(one));
    Json contours = Json::array();
    for (const auto& contour : region.region.contours) {
      Json points = Json::array();
      for (const RegionPoint& point : contour)
        points.push_back({page_number(point.length), page_number(point.complexity)});
      contours.push_back(std::move(points));
    }
    list.push_back({{"task", region.task},
                    {"parameter", region.parameter},
                    {"fixed", region.fixed},
                    {"levels", region.levels},
                    {"tasks", std::move(tasks)},
                    {"effective", std::move(effective)},
                    {"area", page_number(region.region.area)},
                    {"contours", std::move(contours)}});
  }
  return list;
}

namespace {

Json buckets_json(const std::vector<TokenBucket>& buckets, const RunAxes& own) {
  Json list = Json::array();
  for (const TokenBucket& bucket : buckets)
    list.push_back({{"task", own.task_of(bucket.task)},
                    {"length", own.length_of(bucket.length)},
                    {"from", bucket.from},
                    {"below", bucket.below},
                    {"score", page_json(bucket.tally.usability)}});
  return list;
}

Json quantiles_json(const Quantiles& quantiles) {
  return {{"p50", page_json(quantiles.p50)},           {"p95", page_json(quantiles.p95)},
          {"mean", page_number(quantiles.mean)},       {"sum", page_number(quantiles.sum)},
          {"largest", page_number(quantiles.largest)}, {"n", quantiles.n}};
}

Json length_spending_json(const LengthSpending& one, const RunAxes& own) {
  return {{"length", own.length_of(one.length)},
          {"attempted", one.attempted},
          {"first_token_ms", quantiles_json(one.first_token_ms)},
          {"cold_first_token_ms", quantiles_json(one.cold_first_token_ms)},
          {"warm_first_token_ms", quantiles_json(one.warm_first_token_ms)},
          {"total_ms", quantiles_json(one.total_ms)},
          {"input", quantiles_json(one.input)},
          {"cached", quantiles_json(one.cached)},
          {"output", quantiles_json(one.output)},
          {"thinking", quantiles_json(one.thinking)},
          {"input_per_second", quantiles_json(one.input_per_second)},
          {"output_per_second", quantiles_json(one.output_per_second)},
          {"kv_bytes", quantiles_json(one.kv_bytes)},
          {"peak_bytes", quantiles_json(one.peak_bytes)},
          {"output_cut", page_json(one.output_cut)},
          {"thinking_cut", page_json(one.thinking_cut)},
          {"retried", one.retried},
          {"requests", one.requests}};
}

}  // namespace

Json page_positions_json(const Results& results, const RunAxes& own) {
  const Positions& positions = results.positions;
  Json gaps = Json::array();
  for (const PositionGap& gap : positions.gaps)
    gaps.push_back({{"cell", gap.cell},
                    {"length", own.length_of(gap.length)},
                    {"first", page_json(gap.first)},
                    {"middle", page_json(gap.middle)},
                    {"last", page_json(gap.last)},
                    {"first_minus_middle", page_json(gap.first_minus_middle)},
                    {"last_minus_middle", page_json(gap.last_minus_middle)},
                    {"pairs", gap.pairs},
                    {"tasks", gap.tasks}});
  Json edges = Json::array();
  for (const BlockEdge& edge : positions.edges)
    edges.push_back({{"boundary", own.length[edge.boundary]},
                     {"length", own.length[edge.length]},
                     {"offset", edge.offset},
                     {"at_boundary", page_json(edge.at_boundary)},
                     {"score", page_json(edge.score)},
                     {"difference", page_json(edge.difference)},
                     {"pairs", edge.pairs}});
  return {{"gaps", std::move(gaps)},
          {"spans", buckets_json(positions.spans, own)},
          {"distances", buckets_json(positions.distances, own)},
          {"edges", std::move(edges)}};
}

Json page_spending_json(const Results& results, const RunAxes& own) {
  const Spending& spending = results.spending;
  if (spending.all.input.n == 0 && spending.all.total_ms.n == 0) return nullptr;
  Json lengths = Json::array();
  for (const LengthSpending& one : spending.lengths)
    lengths.push_back(length_spending_json(one, own));
  return {{"all", length_spending_json(spending.all, own)}, {"lengths", std::move(lengths)}};
}

Json page_controls_json(const Results& results, const RunAxes& own) {
  Json list = Json::array();
  for (const ControlRow& row : results.controls)
    list.push_back({{"task", own.task_of(row.task)},
                    {"length", own.length[row.length]},
                    {"score", page_json(row.score)},
                    {"no_context", page_json(row.no_context)},
                    {"needles_only", page_json(row.needles_only)},
                    {"above_no_context", page_json(row.above_no_context)},
                    {"below_needles_only", page_json(row.below_needles_only)}});
  return list;
}

Json page_spread_json(const Robustness& robustness) {
  Json rows = Json::array();
  for (const SpreadRow& row : robustness.rows) {
    Json arms = Json::array();
    for (const Estimate& arm : row.arms) arms.push_back(page_json(arm));
    rows.push_back({{"cell", row.cell},
                    {"length", row.length.value_or(-1)},
                    {"arms", std::move(arms)},
                    {"lowest", page_number(row.lowest)},
                    {"highest", page_number(row.highest)},
                    {"deviation", page_number(row.deviation)},
                    {"sampling_deviation", page_number(row.sampling_deviation)},
                    {"arm_deviation", page_json(row.arm_deviation)},
                    {"p", row.p},
                    {"shared", row.shared}});
  }
  return {{"axis", std::string(to_text(robustness.axis))},
          {"arms", robustness.arms},
          {"rows", std::move(rows)}};
}

Json page_structure_json(const TaskStructure& structure) {
  const size_t tasks = structure.tasks.size();
  Json correlations = Json::array();
  for (size_t i = 0; i < tasks; ++i) {
    Json row = Json::array();
    for (size_t j = 0; j < tasks; ++j) {
      const Estimate& one = structure.correlations[i * tasks + j];
      row.push_back({page_number(one.value), page_number(one.low), page_number(one.high)});
    }
    correlations.push_back(std::move(row));
  }
  Json steps = Json::array();
  for (const LinkageStep& step : structure.steps)
    steps.push_back({{"left", step.left},
                     {"right", step.right},
                     {"distance", page_number(step.distance)},
                     {"size", step.size}});
  return {{"runs", structure.runs},
          {"tasks", structure.tasks},
          {"left_out", structure.left_out},
          {"correlations", std::move(correlations)},
          {"steps", std::move(steps)},
          {"order", structure.order},
          {"groups", structure.groups},
          {"subset", structure.smallest.tasks},
          {"subset_error", page_number(structure.smallest.error)}};
}

}  // namespace fathom
