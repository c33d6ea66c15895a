#include "report/page_data.h"

#include <algorithm>
#include <unordered_map>

#include "io/json.h"
#include "report/page_comparison.h"
#include "report/page_samples.h"
#include "report/page_sections.h"
#include "report/page_values.h"
#include "results/labels.h"
#include "results/verdict.h"

namespace fathom {
namespace {

constexpr int kPageVersion = 2;
constexpr size_t kKeyBytes = 100;  // of the keys and brackets around prompts and cases, a run

// Appends members to an object's text that Json has written.
std::string with_members(const Json& object, std::string_view members) {
  std::string out = to_json_line(object);
  out.pop_back();
  out += ',';
  out += members;
  out += '}';
  return out;
}

Json conditions_json(const RunDescription& description) {
  Json conditions = Json::array();
  for (const Condition& condition : description.conditions)
    conditions.push_back(
        {{"group", condition.group}, {"name", condition.name}, {"value", condition.value}});
  return conditions;
}

// A run but for its cases: an object's text without its closing brace.
std::string run_json(const PageRun& run, const PageAxes& axes) {
  const Results& results = *run.results;
  const RunDescription& description = *run.description;
  const RunAxes own = run_axes(results, axes);
  const Verdict verdict = verdict_of(results, description);
  const EffectiveLength effective =
      results.curves.empty() ? EffectiveLength{} : results.curves.front().effective;
  Json variants = Json::array();
  for (const Robustness& one : results.variants) variants.push_back(page_spread_json(one));
  const Json json = {{"name", description.name},
                     {"model", description.model},
                     {"provider", description.provider},
                     {"suite", description.suite},
                     {"started", description.started},
                     {"settings", description.settings},
                     {"simulated", description.simulated},
                     {"headline", verdict.headline},
                     {"details", verdict.details},
                     {"effective", page_json(effective)},
                     {"averages",
                      {{"average", page_json(results.averages.average)},
                       {"increasing", page_json(results.averages.increasing)},
                       {"decreasing", page_json(results.averages.decreasing)}}},
                     {"conditions", conditions_json(description)},
                     {"relative", results.options.relative},
                     {"risk_limit", page_number(results.options.risk_limit)},
                     {"total", page_json(results.total)},
                     {"cells", page_cells_json(results, own)},
                     {"curves", page_curves_json(results, own)},
                     {"summaries", page_summaries_json(results, own)},
                     {"robust", page_robust_json(results)},
                     {"regions", page_regions_json(results, own)},
                     {"depth", page_depth_json(results, own)},
                     {"positions", page_positions_json(results, own)},
                     {"spending", page_spending_json(results, own)},
                     {"controls", page_controls_json(results, own)},
                     {"variants", std::move(variants)},
                     {"remake", description.remake_command}};
  return with_members(json, "\"samples\":" + page_samples_json(results));
}

// Prompts and cases of all runs, within a budget. Runs take turns, so that each shows its most
// telling ones, and a prompt that several runs were given is written once.
class CasePacker {
 public:
  CasePacker(std::span<const PageRun> runs, size_t budget) : runs_(runs), budget_(budget) {
    for (const PageRun& run : runs) longest_ = std::max(longest_, run.cases.size());
    cases_.assign(runs.size(), "[");
    shown_.assign(runs.size(), 0);
  }

  void pack() {
    for (size_t turn = 0; turn < longest_; ++turn)
      for (size_t run = 0; run < runs_.size(); ++run)
        if (turn < runs_[run].cases.size() && !add(run, runs_[run].cases[turn])) return;
  }

  [[nodiscard]] std::string prompts() const { return "[" + prompts_ + "]"; }
  [[nodiscard]] std::string cases(size_t run) const { return cases_[run] + "]"; }
  [[nodiscard]] size_t left_out(size_t run) const { return runs_[run].cases.size() - shown_[run]; }

 private:
  // False: it does not fit, and nothing was added.
  bool add(size_t run, const CaseDetail& detail) {
    const auto known = places_.find(detail.prompt.hash);
    const size_t place = known == places_.end() ? places_.size() : known->second;
    const std::string prompt = known == places_.end() ? prompt_json(detail.prompt) : "";
    const std::string json = case_json(detail, place);
    if (used_ + prompt.size() + json.size() + 2 > budget_) return false;
    used_ += prompt.size() + json.size() + 2;
    if (known == places_.end()) {
      places_.emplace(detail.prompt.hash, place);
      if (!prompts_.empty()) prompts_ += ',';
      prompts_ += prompt;
    }
    if (shown_[run]++ > 0) cases_[run] += ',';
    cases_[run] += json;
    return true;
  }

  std::span<const PageRun> runs_;
  size_t budget_;
  size_t used_ = 0;
  size_t longest_ = 0;
  std::unordered_map<std::string, size_t> places_;
  std::string prompts_;
  std::vector<std::string> cases_;
  std::vector<size_t> shown_;
};

Json outcomes_json() {
  Json list = Json::array();
  for (const Outcome outcome : all_outcomes())
    list.push_back({{"kind", std::string(to_text(outcome))},
                    {"label", outcome_label(outcome)},
                    {"complete", is_complete(outcome)}});
  return list;
}

Json marks_json() {
  Json list = Json::array();
  for (const CellMark mark : all_marks())
    list.push_back({{"kind", std::string(to_text(mark))}, {"label", mark_label(mark)}});
  return list;
}

Json misses_json() {
  Json list = Json::array();
  for (const Miss miss : all_misses())
    list.push_back({{"kind", std::string(to_text(miss))},
                    {"label", std::string(miss_label(miss))},
                    {"sentence", std::string(sentence(miss))}});
  return list;
}

Json pair_outcomes_json() {
  Json list = Json::array();
  for (const PairOutcome outcome :
       {PairOutcome::kBothRight, PairOutcome::kLost, PairOutcome::kGained, PairOutcome::kBothWrong})
    list.push_back(std::string(to_text(outcome)));
  return list;
}

std::string title_of(std::span<const PageRun> runs) {
  std::string title;
  std::vector<std::string> named;
  for (const PageRun& run : runs) {
    const std::string& name = run.description->model;
    if (std::find(named.begin(), named.end(), name) != named.end()) continue;
    named.push_back(name);
    title += (title.empty() ? "" : ", ") + name;
  }
  return title;
}

Json top_json(std::span<const PageRun> runs, const PageParts& parts, const PageAxes& axes,
              const PageOptions& options) {
  Json lengths = Json::array();
  for (const int64_t length : axes.lengths)
    lengths.push_back({{"tokens", length}, {"name", length_name(length)}});
  Json tasks = Json::array();
  Json categories = Json::array();
  for (const ResultTask& task : axes.tasks) {
    tasks.push_back({{"cell", task.cell},
                     {"task", task.task},
                     {"category", task.category},
                     {"metric", std::string(to_text(task.metric))},
                     {"has_depth", task.has_depth},
                     {"variant", std::string(to_text(task.variant.axis))}});
    if (std::find(categories.begin(), categories.end(), Json(task.category)) == categories.end())
      categories.push_back(task.category);
  }
  return {{"format", "fathom-page"},
          {"version", kPageVersion},
          {"made", {{"by", options.made_by}, {"at", options.made_at}}},
          {"title", title_of(runs)},
          {"threshold", runs.empty() ? kRulerThreshold : runs.front().results->threshold},
          {"confidence", kConfidence},
          {"lengths", std::move(lengths)},
          {"tasks", std::move(tasks)},
          {"categories", std::move(categories)},
          {"outcomes", outcomes_json()},
          {"marks", marks_json()},
          {"misses", misses_json()},
          {"pair_outcomes", pair_outcomes_json()},
          {"depth_bins", kDepthBins},
          {"robustness", parts.robustness ? page_spread_json(*parts.robustness) : Json()},
          {"structure", parts.structure ? page_structure_json(*parts.structure) : Json()}};
}

std::string joined(const std::vector<std::string>& objects) {
  std::string out;
  for (const std::string& object : objects) out += (out.empty() ? "" : ",") + object;
  return "[" + out + "]";
}

}  // namespace

std::string page_data(std::span<const PageRun> runs, const PageParts& parts,
                      const PageOptions& options) {
  std::vector<const Results*> results;
  for (const PageRun& run : runs) results.push_back(run.results);
  const PageAxes axes = page_axes(results);

  std::vector<std::string> written;
  for (const PageRun& run : runs) written.push_back(run_json(run, axes));
  std::vector<std::string> comparisons;
  for (const PageParts::Compared& one : parts.comparisons)
    comparisons.push_back(page_comparison_json(one.comparison, one.a, one.b, axes));
  const Json top = top_json(runs, parts, axes, options);
  size_t bytes = to_json_line(top).size() + parts.arms.size() + kKeyBytes * (1 + runs.size());
  for (const auto* list : {&written, &comparisons})
    for (const std::string& text : *list) bytes += text.size();

  CasePacker packer(runs, options.most_bytes - std::min(options.most_bytes, bytes));
  packer.pack();
  for (size_t i = 0; i < runs.size(); ++i) {
    written[i].pop_back();
    written[i] += ",\"cases\":" + packer.cases(i) +
                  ",\"cases_left_out\":" + std::to_string(packer.left_out(i)) + "}";
  }
  return with_members(top, "\"prompts\":" + packer.prompts() + ",\"runs\":" + joined(written) +
                               ",\"comparisons\":" + joined(comparisons) +
                               ",\"arms\":" + (parts.arms.empty() ? "null" : parts.arms));
}

}  // namespace fathom
