#include "report/coverage_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>

#include "coverage/coverage_file.h"
#include "coverage/read_cost.h"
#include "report/inked_lines.h"
#include "report/terminal_text.h"

namespace fathom {
namespace {

constexpr size_t kLongestName = 26;
constexpr size_t kNarrowest = 40;
constexpr int kLayerGroups = 3;  // early, middle, late
constexpr size_t kColumn = 8;

std::string percent(double share) { return fmt::format("{:.1f}", share * 100); }

double read_share(const SampleCoverage& mean) {
  return read_cost({.read = mean.pairs, .full = mean.pairs_full, .to_select = mean.pairs_to_select},
                   mean.head_size, mean.group)
      .share;
}

std::vector<LayerGroup> groups_of(const SampleCoverage& mean) {
  if (mean.layers.empty()) return {};
  return layer_groups(mean, mean.layers.back().layer + 1, kLayerGroups);
}

// By how often; chains of one piece have nothing to break, and say whether it was missed.
std::map<int64_t, int64_t> breaks_of(const CoveredArm& arm) {
  std::map<int64_t, int64_t> breaks;
  for (const SampleCoverage& each : arm.samples)
    if (each.first_missing) ++breaks[*each.first_missing];
  return breaks;
}

struct Figures {
  std::string head;
  std::function<std::string(const SampleCoverage&)> all;
  std::function<std::string(const LayerCoverage&)> group;  // null: of the whole alone
};

Figures share(const std::string& head, double SampleCoverage::*all,
              double LayerCoverage::*group = nullptr) {
  Figures out{head, [all](const SampleCoverage& mean) { return percent(mean.*all); }, nullptr};
  if (group != nullptr)
    out.group = [group](const LayerCoverage& layer) { return percent(layer.*group); };
  return out;
}

// The last ones go where a terminal is narrow.
std::vector<Figures> columns_for(size_t room) {
  std::vector<Figures> columns = {
      {"read", [](const SampleCoverage& mean) { return percent(read_share(mean)); }, nullptr},
      share("joint", &SampleCoverage::joint, &LayerCoverage::joint),
      share("recall", &SampleCoverage::recall, &LayerCoverage::recall),
      share("answer", &SampleCoverage::joint_answer),
      share("path", &SampleCoverage::path),
      share("precis.", &SampleCoverage::precision, &LayerCoverage::precision),
      share("kept", &SampleCoverage::kept, &LayerCoverage::kept)};
  while (columns.size() > 2 && columns.size() * kColumn > room) columns.pop_back();
  return columns;
}

void add_arm(InkedLines& lines, const CoveredArm& arm, size_t name,
             const std::vector<Figures>& columns) {
  const SampleCoverage mean = mean_coverage(arm.samples);
  lines.add(padded_left(cut_to_width(terminal_safe(arm.name), name - 1), name), LineInk::kStrong);
  for (const Figures& column : columns)
    lines.add(padded_right(arm.samples.empty() ? "–" : column.all(mean), kColumn));
  lines.end_line();
  for (const LayerGroup& group : groups_of(mean)) {
    const std::string label = fmt::format("  layers {}–{}", group.first, group.end - 1);
    lines.add(padded_left(cut_to_width(label, name - 1), name), LineInk::kFaint);
    for (const Figures& column : columns)
      lines.add(padded_right(column.group ? column.group(group.mean) : "", kColumn));
    lines.end_line();
  }
}

void add_ranking(InkedLines& lines, const CoveredArm& arm, size_t width) {
  const CandidateRanking ranking = mean_coverage(arm.samples).ranking;
  if (ranking.looks == 0) return;
  std::string hits;
  for (const RankedCoverage& each : ranking.at)
    hits += fmt::format("{}{}: {} ({})", hits.empty() ? "" : ", ", each.k, percent(each.hit),
                        percent(each.joint));
  std::string text = fmt::format(
      "{}: evidence among the k best blocks, percent (all of it at once): {}.", arm.name, hits);
  if (ranking.score_to_mass)
    text +=
        fmt::format(" Scores against attention: rank correlation {:.2f}.", *ranking.score_to_mass);
  if (ranking.weighed > 0)
    text += fmt::format(" Reads {} % of the candidates' attention; as many of the best hold {} %.",
                        percent(ranking.mass_read), percent(ranking.mass_best));
  lines.paragraph(text, width, LineInk::kNone, 2);
}

void add_breaks(InkedLines& lines, const CoveredArm& arm, size_t width) {
  const auto breaks = breaks_of(arm);
  if (breaks.empty()) return;
  std::string text;
  int64_t broken = 0;
  for (const auto& [hop, count] : breaks) {
    text += fmt::format("{}{} of evidence {}", text.empty() ? "" : ", ", count, hop + 1);
    broken += count;
  }
  lines.paragraph(fmt::format("{}: never in one step read as a chain in {} of {} samples, for want "
                              "first of all: {}.",
                              arm.name, broken, arm.samples.size(), text),
                  width, LineInk::kNone, 2);
}

}  // namespace

std::string coverage_table(std::span<const CoveredArm> arms, const TableStyle& style) {
  const size_t width = std::max(style.width, kNarrowest);
  InkedLines lines(style.colour);
  size_t name = std::string("  layers 00–00").size();
  for (const CoveredArm& arm : arms) name = std::max(name, display_width(terminal_safe(arm.name)));
  name = std::min({name, kLongestName, width / 2}) + 1;
  const std::vector<Figures> columns = columns_for(width - name);
  lines.add(padded_left("coverage", name), LineInk::kStrong);
  for (const Figures& column : columns)
    lines.add(padded_right(column.head, kColumn), LineInk::kFaint);
  lines.end_line();
  for (const CoveredArm& arm : arms) add_arm(lines, arm, name, columns);
  lines.paragraph(
      "In percent. read: of the key-value pairs that full attention reads, those read to select "
      "included; joint: steps and layers that read all evidence at once; recall: evidence read; "
      "answer: joint at the step that writes the answer's first token; path: steps whose layers "
      "read a chain in order; precis.: blocks read that hold evidence; kept: positions read.",
      width, LineInk::kFaint);
  for (const CoveredArm& arm : arms) {
    add_ranking(lines, arm, width);
    add_breaks(lines, arm, width);
  }
  return lines.take();
}

Json coverage_json(const SampleCoverage& coverage) {
  Json layers = Json::array();
  for (const LayerCoverage& layer : coverage.layers)
    layers.push_back({{"layer", layer.layer},
                      {"recall", layer.recall},
                      {"joint", layer.joint},
                      {"precision", layer.precision},
                      {"density", layer.density},
                      {"kept", layer.kept}});
  return {{"recall", coverage.recall},
          {"recall_half", coverage.recall_half},
          {"joint", coverage.joint},
          {"joint_best_layer", coverage.joint_best},
          {"joint_answer", coverage.joint_answer},
          {"union_recall", coverage.union_recall},
          {"path", coverage.path},
          {"path_strict", coverage.path_strict},
          {"precision", coverage.precision},
          {"density", coverage.density},
          {"kept", coverage.kept},
          {"persistence", coverage.persistence},
          {"layer_jaccard", coverage.layer_jaccard},
          {"ranking", coverage.ranking.looks > 0 ? ranking_json(coverage.ranking) : Json(nullptr)},
          {"layers", std::move(layers)}};
}

Json layer_group_json(const LayerGroup& group) {
  return {{"first", group.first},
          {"last", group.end - 1},
          {"joint", group.mean.joint},
          {"recall", group.mean.recall},
          {"precision", group.mean.precision},
          {"density", group.mean.density},
          {"kept", group.mean.kept}};
}

Json covered_arm_json(const CoveredArm& arm) {
  const SampleCoverage mean = mean_coverage(arm.samples);
  Json breaks = Json::array();
  for (const auto& [hop, count] : breaks_of(arm))
    breaks.push_back({{"piece", hop}, {"samples", count}});
  Json groups = Json::array();
  for (const LayerGroup& group : groups_of(mean)) groups.push_back(layer_group_json(group));
  return {{"arm", arm.name},
          {"samples", arm.samples.size()},
          {"read_share", read_share(mean)},
          {"coverage", arm.samples.empty() ? Json(nullptr) : coverage_json(mean)},
          {"breaks", std::move(breaks)},
          {"groups", std::move(groups)}};
}

}  // namespace fathom
