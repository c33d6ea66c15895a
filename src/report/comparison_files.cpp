#include "report/comparison_files.h"

#include <fmt/format.h>

#include "grade/python_text.h"
#include "io/file.h"
#include "report/limits_json.h"
#include "report/markup_text.h"

namespace fathom {
namespace {

constexpr int kComparisonVersion = 1;

Json group_json(const ComparedGroup& group) {
  Json json = {{"kind", std::string(to_text(group.kind))}, {"name", name_of(group)}};
  if (!group.cell.empty()) json["cell"] = group.cell;
  if (!group.category.empty()) json["category"] = group.category;
  if (group.length != 0) json["length"] = group.length;
  json["ordinary"] = group.ordinary;
  json["pairs"] = group.pairs;
  json["clusters"] = group.clusters;
  json["both"] = group.counts.both;
  json["lost"] = group.counts.only_a;
  json["gained"] = group.counts.only_b;
  json["neither"] = group.counts.neither;
  json["a"] = limits_json(group.a);
  json["b"] = limits_json(group.b);
  json["difference"] = limits_json(group.difference);
  json["test"] = std::string(to_text(group.test));
  json["p"] = group.p;
  json["p_holm"] = group.p_holm;
  json["p_bh"] = group.p_bh;
  json["detectable"] = group.detectable > 0 ? Json(group.detectable) : Json(nullptr);
  json["needed"] = group.needed > 0 ? Json(group.needed) : Json(nullptr);
  return json;
}

Json groups_json(const std::vector<ComparedGroup>& groups) {
  Json json = Json::array();
  for (const ComparedGroup& group : groups) json.push_back(group_json(group));
  return json;
}

Json run_json(const RunDescription& run) {
  return {{"run", run.name},          {"model", run.model},
          {"provider", run.provider}, {"simulated", run.simulated},
          {"suite", run.suite},       {"started", run.started}};
}

// Samples that came out differently: where to look.
Json changes_json(const Comparison& comparison) {
  Json json = Json::array();
  for (const ComparedSample& sample : comparison.samples)
    if (sample.a != sample.b)
      json.push_back({{"id", sample.id},
                      {"outcome", std::string(to_text(sample.outcome))},
                      {"a", sample.a},
                      {"b", sample.b}});
  return json;
}

Json one_json(const Comparison& comparison) {
  Json conditions = Json::array();
  for (const ConditionDifference& item : comparison.conditions)
    conditions.push_back(
        {{"name", item.name}, {"a", item.a}, {"b", item.b}, {"decides", item.decides}});
  return {{"verdict", comparison_verdict(comparison)},
          {"a", run_json(comparison.a)},
          {"b", run_json(comparison.b)},
          {"conditions", std::move(conditions)},
          {"paired", !comparison.options.unpaired},
          {"reading", std::string(to_text(comparison.options.reading))},
          {"confidence", comparison.options.confidence},
          {"wanted", comparison.options.wanted},
          {"shared", comparison.shared},
          {"only_a", comparison.only_a},
          {"only_b", comparison.only_b},
          {"changed", comparison.changed},
          {"not_run", comparison.not_run},
          {"all", group_json(comparison.all)},
          {"categories", groups_json(comparison.categories)},
          {"lengths", groups_json(comparison.lengths)},
          {"tasks", groups_json(comparison.tasks)},
          {"cells", groups_json(comparison.cells)},
          {"samples", changes_json(comparison)}};
}

std::string estimate_fields(const Estimate& estimate) {
  if (!estimate.known()) return ",,,0,";
  return fmt::format("{},{},{},{},{}", python_repr(estimate.value), python_repr(estimate.low),
                     python_repr(estimate.high), estimate.n, to_text(estimate.method));
}

std::string csv_row(const Comparison& comparison, const ComparedGroup& group) {
  return fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n",
                     csv_text(comparison.a.name), csv_text(comparison.b.name), to_text(group.kind),
                     csv_text(name_of(group)), csv_text(group.cell), csv_text(group.category),
                     group.length == 0 ? "" : std::to_string(group.length), group.pairs,
                     group.clusters, group.counts.both, group.counts.only_a, group.counts.only_b,
                     group.counts.neither, group.a.known() ? python_repr(group.a.value) : "",
                     group.b.known() ? python_repr(group.b.value) : "",
                     estimate_fields(group.difference), to_text(group.test), python_repr(group.p),
                     python_repr(group.p_holm), python_repr(group.p_bh),
                     group.detectable > 0 ? python_repr(group.detectable) : "",
                     group.needed > 0 ? std::to_string(group.needed) : "");
}

std::string percent(const Estimate& estimate) {
  return estimate.known() ? fmt::format("{:.1f}", estimate.value * 100) : "";
}

std::string markdown_row(const ComparedGroup& group, bool paired) {
  std::string row = fmt::format("| {} |", markdown_text(name_of(group)));
  if (paired)
    row += fmt::format(" {} | {} | {} | {} |", group.counts.both, group.counts.only_a,
                       group.counts.only_b, group.counts.neither);
  row += fmt::format(" {} | {} |", percent(group.a), percent(group.b));
  const Estimate& difference = group.difference;
  if (!difference.known()) return row + "  |  |  |\n";
  return row + fmt::format(" {:+.1f} | {:+.1f} to {:+.1f} | {:.3g} |\n", difference.value * 100,
                           difference.low * 100, difference.high * 100, group.p_holm);
}

std::string markdown_of(const Comparison& comparison) {
  const bool paired = !comparison.options.unpaired;
  std::string out = "**" + markdown_text(comparison_verdict(comparison)) + "**\n\n";
  if (!comparison.conditions.empty()) {
    out += "| what differs | A | B |\n|---|---|---|\n";
    for (const ConditionDifference& item : comparison.conditions)
      out += fmt::format("| {} | {} | {} |\n", markdown_text(item.name), markdown_text(item.a),
                         markdown_text(item.b));
    out += "\n";
  }
  out += fmt::format("| |{} A | B | B − A | {:g} % | p (Holm) |\n",
                     paired ? " both right | lost | won | none |" : "",
                     comparison.options.confidence * 100);
  out += paired ? "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n"
                : "|---|---:|---:|---:|---:|---:|\n";
  out += markdown_row(comparison.all, paired);
  for (const auto* groups :
       {&comparison.categories, &comparison.lengths, &comparison.tasks, &comparison.cells})
    for (const ComparedGroup& group : *groups) out += markdown_row(group, paired);
  return out + "\n";
}

}  // namespace

Json comparison_json(std::span<const Comparison> comparisons) {
  Json list = Json::array();
  for (const Comparison& comparison : comparisons) list.push_back(one_json(comparison));
  return {{"format", "fathom-comparison"},
          {"version", kComparisonVersion},
          {"comparisons", std::move(list)}};
}

std::string comparison_csv(std::span<const Comparison> comparisons) {
  std::string out =
      "a,b,kind,name,cell,category,length,pairs,clusters,both,lost,gained,neither,a_value,b_value,"
      "difference,low,high,n,method,test,p,p_holm,p_bh,detectable,needed\n";
  for (const Comparison& comparison : comparisons) {
    out += csv_row(comparison, comparison.all);
    for (const auto* groups :
         {&comparison.categories, &comparison.lengths, &comparison.tasks, &comparison.cells})
      for (const ComparedGroup& group : *groups) out += csv_row(comparison, group);
  }
  return out;
}

std::string comparison_markdown(std::span<const Comparison> comparisons) {
  std::string out;
  for (const Comparison& comparison : comparisons) out += markdown_of(comparison);
  return out;
}

Result<void> write_comparison_files(const std::string& folder,
                                    std::span<const Comparison> comparisons) {
  TRY_VOID(make_directories(folder));
  TRY_VOID(
      write_file_atomic(folder + "/comparison.json", to_pretty_json(comparison_json(comparisons))));
  TRY_VOID(write_file_atomic(folder + "/comparison.csv", comparison_csv(comparisons)));
  return write_file_atomic(folder + "/comparison.md", comparison_markdown(comparisons));
}

}  // namespace fathom
