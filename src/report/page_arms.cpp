#include "report/page_arms.h"

#include <string_view>
#include <unordered_map>

#include "io/json.h"
#include "report/arm_table.h"
#include "report/limits_json.h"
#include "report/page_values.h"
#include "results/covered_scores.h"

namespace fathom {
namespace {

std::unordered_map<std::string_view, size_t> rows_by_id(const Results& results) {
  std::unordered_map<std::string_view, size_t> rows;
  for (size_t row = 0; row < results.samples.size(); ++row) rows[results.samples[row].id] = row;
  return rows;
}

// Columns of what each sample's selections kept, by its row in the run.
Json coverage_columns(const FinishedArm& arm) {
  const auto rows = rows_by_id(arm.run.results);
  Json columns = {{"row", Json::array()},
                  {"joint", Json::array()},
                  {"recall", Json::array()},
                  {"path", Json::array()},
                  {"first_missing", Json::array()}};
  for (const SampleCoverage& each : arm.coverage) {
    const auto row = rows.find(each.sample_id);
    if (row == rows.end()) continue;
    columns["row"].push_back(row->second);
    for (const auto measure :
         {CoverageMeasure::kJoint, CoverageMeasure::kRecall, CoverageMeasure::kPath})
      columns[std::string(to_text(measure))].push_back(thousandths(coverage_by(measure, each)));
    columns["first_missing"].push_back(each.first_missing.value_or(-1));
  }
  return columns;
}

Json covered_json(std::span<const FinishedArm> arms) {
  Json list = Json::array();
  for (const CoveredScore& one : covered_scores(arms))
    list.push_back({{"measure", std::string(to_text(one.measure))},
                    {"from", page_number(one.from)},
                    {"below", page_number(one.below)},
                    {"score", limits_json(one.score)}});
  return list;
}

// From any run that shows the sample in full; empty where none does.
Json evidence_json(const std::string& sample, std::span<const PageRun> runs) {
  Json list = Json::array();
  for (const PageRun& run : runs) {
    for (const CaseDetail& detail : run.cases) {
      if (run.results->samples[detail.row].id != sample) continue;
      for (const CasePrompt::Place& place : detail.prompt.places)
        if (!place.distractor)
          list.push_back(
              {{"begin", place.tokens.begin}, {"end", place.tokens.end}, {"role", place.role}});
      return list;
    }
  }
  return list;
}

Json picture_json(const ArmPicture& picture, const FinishedArm& arm,
                  std::span<const PageRun> runs) {
  const auto rows = rows_by_id(arm.run.results);
  const auto row = rows.find(picture.sample_id);
  if (row == rows.end()) return nullptr;
  Json layers = Json::array();
  for (const PictureLayer& layer : picture.layers)
    layers.push_back({{"layer", layer.layer}, {"dense", layer.dense}, {"shares", layer.shares}});
  return {{"arm", picture.arm},
          {"row", row->second},
          {"block", picture.block},
          {"merged", picture.merged},
          {"context_tokens", picture.context_tokens},
          {"prompt_tokens", picture.prompt_tokens},
          {"end", picture.end},
          {"steps", picture.steps},
          {"evidence", evidence_json(picture.sample_id, runs)},
          {"layers", std::move(layers)}};
}

}  // namespace

std::string page_arms_json(const PageArms& page, std::span<const PageRun> runs) {
  Json json = arm_study_json(*page.study);
  for (size_t i = 0; i < page.arms.size(); ++i)
    json["arms"][i]["samples"] = coverage_columns(page.arms[i]);
  json["covered"] = covered_json(page.arms);
  json["pictures"] = Json::array();
  for (const ArmPicture& picture : page.pictures) {
    Json one = picture_json(picture, page.arms[picture.arm], runs);
    if (!one.is_null()) json["pictures"].push_back(std::move(one));
  }
  return to_json_line(json);
}

}  // namespace fathom
