#include "report/log_study_json.h"

#include <string>
#include <utility>

#include "report/coverage_table.h"

namespace fathom {
namespace {

Json steps_json(const std::vector<StepReading>& steps) {
  Json list = Json::array();
  for (const StepReading& step : steps)
    list.push_back({{"step", std::string(to_text(step.step))},
                    {"samples", step.samples},
                    {"recall", step.recall},
                    {"joint", step.joint},
                    {"union_joint", step.union_joint},
                    {"hops", step.hops}});
  return list;
}

Json words_json(const WordCounts& words) {
  return {
      {"samples", words.samples},
      {"seen", words.seen},
      {"seen_wanted", words.seen_wanted},
      {"rank_correlation", words.rank_correlation ? Json(*words.rank_correlation) : Json(nullptr)},
      {"gap", words.gap},
      {"true_gap", words.true_gap},
      {"told_apart", words.told_apart}};
}

}  // namespace

Json log_study_json(const LogStudy& study) {
  Json arms = Json::array();
  for (const ArmReading& arm : study.arms) {
    Json variants = Json::array();
    for (const LogOverlap& one : arm.variants)
      variants.push_back({{"variant", one.b}, {"samples", one.samples}, {"jaccard", one.jaccard}});
    Json thirds = Json::array();
    for (const LayerGroup& group : arm.thirds) thirds.push_back(layer_group_json(group));
    arms.push_back({{"arm", arm.arm},
                    {"samples", arm.samples},
                    {"steps", steps_json(arm.steps)},
                    {"layers", std::move(thirds)},
                    {"words", arm.words ? words_json(*arm.words) : Json(nullptr)},
                    {"variants", std::move(variants)}});
  }
  Json pairs = Json::array();
  for (const LogOverlap& one : study.pairs)
    pairs.push_back(
        {{"a", one.a}, {"b", one.b}, {"samples", one.samples}, {"jaccard", one.jaccard}});
  return {{"arms", std::move(arms)}, {"pairs", std::move(pairs)}};
}

}  // namespace fathom
