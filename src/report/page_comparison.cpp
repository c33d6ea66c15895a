#include "report/page_comparison.h"

#include "io/json.h"
#include "report/page_columns.h"

namespace fathom {
namespace {

Json group_json(const ComparedGroup& group, const PageAxes& axes) {
  const bool of_task = group.kind == GroupKind::kCell || group.kind == GroupKind::kTask;
  const bool of_length = group.kind == GroupKind::kCell || group.kind == GroupKind::kLength;
  return {{"task", of_task ? axes.task_index(group.cell) : -1},
          {"length", of_length ? axes.length_index(group.length) : -1},
          {"name", name_of(group)},
          {"pairs", group.pairs},
          {"clusters", group.clusters},
          {"counts",
           {{"both", group.counts.both},
            {"only_a", group.counts.only_a},
            {"only_b", group.counts.only_b},
            {"neither", group.counts.neither}}},
          {"a", page_json(group.a)},
          {"b", page_json(group.b)},
          {"difference", page_json(group.difference)},
          {"test", std::string(to_text(group.test))},
          {"p", group.p},
          {"p_holm", group.p_holm},
          {"p_bh", group.p_bh},
          {"detectable", page_number(group.detectable)},
          {"needed", group.needed}};
}

Json groups_json(const std::vector<ComparedGroup>& groups, const PageAxes& axes) {
  Json list = Json::array();
  for (const ComparedGroup& group : groups) list.push_back(group_json(group, axes));
  return list;
}

std::string pairs_json(const Comparison& comparison) {
  PageColumn columns[] = {{"row_a", {}}, {"row_b", {}}, {"outcome", {}}};
  for (const ComparedSample& sample : comparison.samples) {
    columns[0].values.push_back(static_cast<int64_t>(sample.row_a));
    columns[1].values.push_back(static_cast<int64_t>(sample.row_b));
    columns[2].values.push_back(static_cast<int64_t>(sample.outcome));
  }
  return "{\"count\":" + std::to_string(comparison.samples.size()) +
         ",\"columns\":" + packed_columns(columns) + "}";
}

}  // namespace

std::string page_comparison_json(const Comparison& comparison, size_t a, size_t b,
                                 const PageAxes& axes) {
  Json conditions = Json::array();
  for (const ConditionDifference& one : comparison.conditions)
    conditions.push_back(
        {{"name", one.name}, {"a", one.a}, {"b", one.b}, {"decides", one.decides}});
  const Json json = {{"a", a},
                     {"b", b},
                     {"verdict", comparison_verdict(comparison)},
                     {"reading", std::string(to_text(comparison.options.reading))},
                     {"wanted", comparison.options.wanted},
                     {"conditions", std::move(conditions)},
                     {"shared", comparison.shared},
                     {"only_a", comparison.only_a},
                     {"only_b", comparison.only_b},
                     {"changed", comparison.changed},
                     {"not_run", comparison.not_run},
                     {"all", group_json(comparison.all, axes)},
                     {"tasks", groups_json(comparison.tasks, axes)},
                     {"categories", groups_json(comparison.categories, axes)},
                     {"lengths", groups_json(comparison.lengths, axes)},
                     {"cells", groups_json(comparison.cells, axes)}};
  std::string out = to_json_line(json);
  out.pop_back();  // the closing brace: the pairs follow
  out += ",\"samples\":" + pairs_json(comparison) + "}";
  return out;
}

}  // namespace fathom
