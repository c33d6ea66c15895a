#include "coverage/coverage_file.h"

#include <map>
#include <unordered_map>
#include <utility>

#include "io/file.h"
#include "io/json.h"
#include "io/json_fields.h"
#include "io/jsonl.h"

namespace fathom {
namespace {

constexpr std::pair<const char*, double SampleCoverage::*> kMeans[] = {
    {"recall", &SampleCoverage::recall},
    {"recall_half", &SampleCoverage::recall_half},
    {"joint", &SampleCoverage::joint},
    {"joint_best", &SampleCoverage::joint_best},
    {"joint_answer", &SampleCoverage::joint_answer},
    {"precision", &SampleCoverage::precision},
    {"density", &SampleCoverage::density},
    {"kept", &SampleCoverage::kept},
    {"union_recall", &SampleCoverage::union_recall},
    {"path", &SampleCoverage::path},
    {"path_strict", &SampleCoverage::path_strict},
    {"persistence", &SampleCoverage::persistence},
    {"layer_jaccard", &SampleCoverage::layer_jaccard},
    {"head_size", &SampleCoverage::head_size},
    {"group", &SampleCoverage::group},
    {"pairs", &SampleCoverage::pairs},
    {"pairs_full", &SampleCoverage::pairs_full},
    {"pairs_to_select", &SampleCoverage::pairs_to_select}};

constexpr std::pair<const char*, double LayerCoverage::*> kLayerMeans[] = {
    {"recall", &LayerCoverage::recall},
    {"joint", &LayerCoverage::joint},
    {"precision", &LayerCoverage::precision},
    {"density", &LayerCoverage::density},
    {"kept", &LayerCoverage::kept}};

Result<SampleCoverage> coverage_from(std::string_view text, const std::string& where) {
  TRY(const JsonFields fields, parse_fields(text, where));
  SampleCoverage coverage;
  TRY(coverage.sample_id, fields.text("sample"));
  TRY(coverage.arm, fields.text("arm"));
  TRY(coverage.evidence, fields.count("evidence"));
  TRY(coverage.steps, fields.count("steps"));
  for (const auto& [name, member] : kMeans) {
    if (member == &SampleCoverage::group && !fields.has(name)) continue;  // optional
    TRY(coverage.*member, fields.number(name));
  }
  TRY(coverage.union_joint, fields.boolean("union_joint"));
  TRY(coverage.composable, fields.boolean("composable"));
  if (fields.has("first_missing")) {
    TRY(coverage.first_missing, fields.count("first_missing"));
  }
  TRY(const auto layers, fields.objects("layers"));
  for (const JsonFields& each : layers) {
    LayerCoverage& layer = coverage.layers.emplace_back();
    TRY(const int64_t number, each.count("layer"));
    layer.layer = static_cast<int>(number);
    TRY(layer.steps, each.count("steps"));
    for (const auto& [name, member] : kLayerMeans) {
      TRY(layer.*member, each.number(name));
    }
  }
  return coverage;
}

}  // namespace

std::string coverage_line(const SampleCoverage& coverage) {
  Json json = {{"sample", coverage.sample_id},
               {"arm", coverage.arm},
               {"evidence", coverage.evidence},
               {"steps", coverage.steps}};
  for (const auto& [name, member] : kMeans) json[name] = coverage.*member;
  json["union_joint"] = coverage.union_joint;
  json["composable"] = coverage.composable;
  if (coverage.first_missing) json["first_missing"] = *coverage.first_missing;
  Json& layers = json["layers"] = Json::array();
  for (const LayerCoverage& layer : coverage.layers) {
    Json& one = layers.emplace_back(Json{{"layer", layer.layer}, {"steps", layer.steps}});
    for (const auto& [name, member] : kLayerMeans) one[name] = layer.*member;
  }
  return to_json_line(json);
}

Result<std::vector<SampleCoverage>> read_coverage(const std::string& path) {
  std::vector<SampleCoverage> samples;
  if (!file_exists(path)) return samples;
  std::unordered_map<std::string, size_t> places;
  TRY_VOID(for_each_line(path, [&](size_t number, std::string_view text) -> Result<void> {
    TRY(SampleCoverage coverage, coverage_from(text, fmt::format("{}:{}", path, number)));
    const auto [place, first] = places.try_emplace(coverage.sample_id, samples.size());
    if (first) {
      samples.push_back(std::move(coverage));
    } else {
      samples[place->second] = std::move(coverage);
    }
    return {};
  }));
  return samples;
}

SampleCoverage mean_coverage(const std::vector<SampleCoverage>& samples) {
  SampleCoverage mean;
  if (samples.empty()) return mean;
  const auto count = static_cast<double>(samples.size());
  std::map<int, std::pair<LayerCoverage, double>> layers;
  mean.group = 0;
  for (const SampleCoverage& sample : samples) {
    for (const auto& [name, member] : kMeans) mean.*member += sample.*member / count;
    mean.steps += sample.steps;
    for (const LayerCoverage& layer : sample.layers) {
      auto& [sums, seen] = layers[layer.layer];
      for (const auto& [name, member] : kLayerMeans) sums.*member += layer.*member;
      sums.steps += layer.steps;
      seen += 1;
    }
  }
  for (auto& [number, entry] : layers) {
    LayerCoverage& layer = mean.layers.emplace_back(entry.first);
    layer.layer = number;
    for (const auto& [name, member] : kLayerMeans) layer.*member /= entry.second;
  }
  mean.arm = samples.front().arm;
  mean.evidence = samples.front().evidence;
  return mean;
}

}  // namespace fathom
