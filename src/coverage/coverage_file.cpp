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

Result<CandidateRanking> ranking_from(const JsonFields& fields) {
  CandidateRanking ranking;
  TRY(ranking.looks, fields.count("looks"));
  TRY(const auto at, fields.objects("at"));
  for (const JsonFields& each : at) {
    RankedCoverage& one = ranking.at.emplace_back();
    TRY(one.k, each.count("k"));
    TRY(one.hit, each.number("hit"));
    TRY(one.joint, each.number("joint"));
  }
  TRY(ranking.weighed, fields.count("weighed"));
  TRY(ranking.mass_read, fields.number("mass_read"));
  TRY(ranking.mass_best, fields.number("mass_best"));
  if (fields.has("score_to_mass")) {
    TRY(ranking.score_to_mass, fields.number("score_to_mass"));
  }
  return ranking;
}

// Means over the samples that have one; counts are summed.
CandidateRanking mean_ranking(const std::vector<SampleCoverage>& samples) {
  CandidateRanking mean;
  std::map<int64_t, std::pair<RankedCoverage, double>> at;
  double correlations = 0;
  double correlated = 0;
  double weighed = 0;
  for (const SampleCoverage& sample : samples) {
    const CandidateRanking& one = sample.ranking;
    mean.looks += one.looks;
    mean.weighed += one.weighed;
    for (const RankedCoverage& each : one.at) {
      if (one.looks == 0) continue;
      auto& [sums, seen] = at[each.k];
      sums.hit += each.hit;
      sums.joint += each.joint;
      seen += 1;
    }
    if (one.weighed > 0) {
      mean.mass_read += one.mass_read;
      mean.mass_best += one.mass_best;
      weighed += 1;
    }
    if (!one.score_to_mass) continue;
    correlations += *one.score_to_mass;
    correlated += 1;
  }
  for (const auto& [k, entry] : at)
    mean.at.push_back({k, entry.first.hit / entry.second, entry.first.joint / entry.second});
  if (weighed > 0) {
    mean.mass_read /= weighed;
    mean.mass_best /= weighed;
  }
  if (correlated > 0) mean.score_to_mass = correlations / correlated;
  return mean;
}

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
  if (fields.has("ranking")) {
    TRY(const JsonFields ranking, fields.object("ranking"));
    TRY(coverage.ranking, ranking_from(ranking));
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

Json ranking_json(const CandidateRanking& ranking) {
  Json at = Json::array();
  for (const RankedCoverage& each : ranking.at)
    at.push_back({{"k", each.k}, {"hit", each.hit}, {"joint", each.joint}});
  Json json = {{"looks", ranking.looks},
               {"at", std::move(at)},
               {"weighed", ranking.weighed},
               {"mass_read", ranking.mass_read},
               {"mass_best", ranking.mass_best}};
  if (ranking.score_to_mass) json["score_to_mass"] = *ranking.score_to_mass;
  return json;
}

std::string coverage_line(const SampleCoverage& coverage) {
  Json json = {{"sample", coverage.sample_id},
               {"arm", coverage.arm},
               {"evidence", coverage.evidence},
               {"steps", coverage.steps}};
  for (const auto& [name, member] : kMeans) json[name] = coverage.*member;
  json["union_joint"] = coverage.union_joint;
  json["composable"] = coverage.composable;
  if (coverage.first_missing) json["first_missing"] = *coverage.first_missing;
  if (coverage.ranking.looks > 0) json["ranking"] = ranking_json(coverage.ranking);
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
  mean.ranking = mean_ranking(samples);
  mean.arm = samples.front().arm;
  mean.evidence = samples.front().evidence;
  return mean;
}

}  // namespace fathom
