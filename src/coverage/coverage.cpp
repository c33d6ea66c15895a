#include "coverage/coverage.h"

#include <algorithm>
#include <map>

#include "coverage/look.h"
#include "coverage/read_cost.h"

namespace fathom {
namespace {

constexpr int kNever = INT32_MAX;
constexpr double LayerCoverage::*kLayerValues[] = {&LayerCoverage::recall, &LayerCoverage::joint,
                                                   &LayerCoverage::precision,
                                                   &LayerCoverage::density, &LayerCoverage::kept};

double share(double part, double whole) { return whole > 0 ? part / whole : 0; }

struct Step {
  int64_t position = 0;
  std::vector<Look> looks;              // by layer, masked ones
  std::vector<std::vector<char>> hits;  // [look][evidence]
};

std::vector<Step> steps_of(const SelectionLog& log, std::span<const TokenSpan> evidence) {
  std::map<int64_t, Step> steps;
  for (const LoggedSelection& each : log.selections) {
    if (each.dense) continue;
    Step& step = steps[each.position];
    step.position = each.position;
    const Look& look = step.looks.emplace_back(look_at(each, log.block));
    std::vector<char>& hits = step.hits.emplace_back();
    for (const TokenSpan& span : evidence) hits.push_back(look.hits(span) ? 1 : 0);
  }
  std::vector<Step> list;
  for (auto& [position, step] : steps) list.push_back(std::move(step));
  return list;
}

bool all_hit(const std::vector<char>& hits) {
  return std::ranges::all_of(hits, [](char hit) { return hit != 0; });
}

// Hops hit in order by ascending layers, as many as possible: the earliest layer for each.
int64_t hops_in_order(const Step& step, size_t hops, bool strict) {
  size_t hop = 0;
  for (size_t look = 0; look < step.hits.size() && hop < hops; ++look) {
    if (strict) {
      hop += step.hits[look][hop] != 0 ? 1 : 0;
    } else {
      while (hop < hops && step.hits[look][hop] != 0) ++hop;
    }
  }
  return static_cast<int64_t>(hop);
}

// lowest[step]: the lowest layer at which a reachable hit of the hop so far stands.
bool is_composable(const std::vector<Step>& steps, size_t hops) {
  if (hops == 0) return true;
  std::vector<int> lowest(steps.size(), kNever);
  const auto first_hit = [&](size_t s, size_t hop, int above_or_at) {
    const Step& step = steps[s];
    for (size_t look = 0; look < step.looks.size(); ++look)
      if (step.looks[look].log->layer >= above_or_at && step.hits[look][hop] != 0)
        return step.looks[look].log->layer;
    return kNever;
  };
  for (size_t s = 0; s < steps.size(); ++s) lowest[s] = first_hit(s, 0, 0);
  for (size_t hop = 1; hop < hops; ++hop) {
    std::vector<int> next(steps.size(), kNever);
    for (size_t s = 0; s < steps.size(); ++s) {
      int from = lowest[s] == kNever ? kNever : lowest[s] + 1;  // in the step itself
      for (size_t before = 0; before < s; ++before) {
        if (lowest[before] == kNever) continue;
        for (const Look& look : steps[s].looks) {
          if (look.log->layer <= lowest[before]) continue;
          if (look.log->layer >= from) break;
          if (look.reads(steps[before].position)) from = look.log->layer;
        }
      }
      if (from != kNever) next[s] = first_hit(s, hop, from);
    }
    lowest = std::move(next);
  }
  return std::ranges::any_of(lowest, [](int layer) { return layer != kNever; });
}

struct LayerSums {
  LayerCoverage sums;
  double recall_half = 0;
  double joint_answer = 0;
  double persistence = 0;
  int64_t neighbours = 0;
  std::optional<BlockSet> last;
};

void add_look(const Look& look, const std::vector<char>& hits, std::span<const TokenSpan> evidence,
              bool answers, LayerSums& into) {
  const auto pieces = static_cast<double>(evidence.size());
  LayerCoverage& sums = into.sums;
  ++sums.steps;
  sums.recall += share(static_cast<double>(std::ranges::count(hits, 1)), pieces);
  sums.joint += all_hit(hits) ? 1 : 0;
  into.joint_answer += answers && all_hit(hits) ? 1 : 0;
  const BlockSet blocks = look.blocks();
  BlockSet holding(look.grid.size());
  double tokens = 0;
  double half = 0;
  for (const TokenSpan& span : evidence) {
    const int64_t read = look.read_of(span);
    tokens += static_cast<double>(read);
    half += 2 * read >= static_cast<int64_t>(span.end - span.begin) ? 1 : 0;
    for (auto j = static_cast<int64_t>(span.begin); j < static_cast<int64_t>(span.end); ++j)
      if (look.reads(j)) holding.insert(j / look.grid.block);
  }
  into.recall_half += share(half, pieces);
  const auto read = static_cast<double>(positions_in(blocks, look.grid));
  sums.precision +=
      share(static_cast<double>(holding.count()), static_cast<double>(blocks.count()));
  sums.density += share(tokens, read);
  sums.kept += share(read, static_cast<double>(look.grid.visible()));
  if (into.last) {
    BlockSet grown(look.grid.size());
    into.last->for_each([&](int64_t b) { grown.insert(b); });
    into.persistence += jaccard(grown, blocks);
    ++into.neighbours;
  }
  into.last = blocks;
}

}  // namespace

std::vector<StepCoverage> step_coverage(const SelectionLog& log,
                                        std::span<const TokenSpan> evidence) {
  std::vector<StepCoverage> out;
  for (const Step& step : steps_of(log, evidence)) {
    StepCoverage& one = out.emplace_back();
    one.generated = step.position + 1 - log.prompt_tokens;
    one.looks = static_cast<int64_t>(step.looks.size());
    std::vector<char> found(evidence.size());
    for (const std::vector<char>& hits : step.hits) {
      one.recall += share(static_cast<double>(std::ranges::count(hits, 1)),
                          static_cast<double>(evidence.size() * step.looks.size()));
      one.joint += (all_hit(hits) ? 1.0 : 0.0) / static_cast<double>(step.looks.size());
      for (size_t e = 0; e < found.size(); ++e) found[e] |= hits[e];
    }
    one.union_joint = all_hit(found);
    one.hops = hops_in_order(step, evidence.size(), false);
  }
  return out;
}

std::vector<LayerGroup> layer_groups(const SampleCoverage& coverage, int layers, int groups) {
  std::vector<LayerGroup> out;
  for (int g = 0; g < groups; ++g) {
    LayerGroup group{.first = g * layers / groups, .end = (g + 1) * layers / groups};
    for (const LayerCoverage& layer : coverage.layers) {
      if (layer.layer < group.first || layer.layer >= group.end) continue;
      ++group.masked;
      group.mean.steps += layer.steps;
      for (const auto value : kLayerValues) group.mean.*value += layer.*value;
    }
    for (const auto value : kLayerValues)
      group.mean.*value = share(group.mean.*value, static_cast<double>(group.masked));
    if (group.masked > 0) out.push_back(group);
  }
  return out;
}

double jaccard(const BlockSet& a, const BlockSet& b) {
  int64_t both = 0;
  a.for_each([&](int64_t block) { both += block < b.size() && b.contains(block) ? 1 : 0; });
  const int64_t either = a.count() + b.count() - both;
  return either == 0 ? 1 : static_cast<double>(both) / static_cast<double>(either);
}

SampleCoverage coverage_of(const SelectionLog& log, std::span<const TokenSpan> evidence) {
  SampleCoverage out{.sample_id = log.sample_id,
                     .arm = log.arm,
                     .evidence = static_cast<int64_t>(evidence.size())};
  out.head_size = log.shape.head_size;
  out.group = log.shape.group();
  const ReadPairs pairs = read_pairs(log);
  out.pairs = pairs.read;
  out.pairs_full = pairs.full;
  out.pairs_to_select = pairs.to_select;
  if (CandidateRanking ranking = candidate_ranking(log, evidence, kRankedAt); ranking.looks > 0)
    out.ranking = std::move(ranking);
  const std::vector<Step> steps = steps_of(log, evidence);
  out.steps = static_cast<int64_t>(steps.size());
  std::map<int, LayerSums> layers;
  std::vector<char> found(evidence.size());
  int64_t longest = 0;
  double neighbours = 0;
  for (const Step& step : steps) {
    const bool answers = step.position + 1 == log.prompt_tokens;
    for (size_t i = 0; i < step.looks.size(); ++i) {
      add_look(step.looks[i], step.hits[i], evidence, answers, layers[step.looks[i].log->layer]);
      for (size_t e = 0; e < found.size(); ++e) found[e] |= step.hits[i][e];
      if (i == 0) continue;
      out.layer_jaccard += jaccard(step.looks[i - 1].blocks(), step.looks[i].blocks());
      ++neighbours;
    }
    const int64_t hops = hops_in_order(step, evidence.size(), false);
    longest = std::max(longest, hops);
    out.path += hops == out.evidence ? 1 : 0;
    out.path_strict += hops_in_order(step, evidence.size(), true) == out.evidence ? 1 : 0;
  }
  const auto count = static_cast<double>(steps.size());
  out.path = share(out.path, count);
  out.path_strict = share(out.path_strict, count);
  out.layer_jaccard = share(out.layer_jaccard, neighbours);
  if (longest < out.evidence) out.first_missing = longest;
  out.union_joint = all_hit(found);
  out.union_recall = share(static_cast<double>(std::ranges::count(found, 1)),
                           static_cast<double>(evidence.size()));
  out.composable = is_composable(steps, evidence.size());

  const auto of_layers = static_cast<double>(layers.size());
  for (auto& [layer, sums] : layers) {
    const auto of_steps = static_cast<double>(sums.sums.steps);
    LayerCoverage mean = sums.sums;
    mean.layer = layer;
    for (const auto value : kLayerValues) mean.*value = share(mean.*value, of_steps);
    out.recall += mean.recall / of_layers;
    out.joint += mean.joint / of_layers;
    out.precision += mean.precision / of_layers;
    out.density += mean.density / of_layers;
    out.kept += mean.kept / of_layers;
    out.recall_half += share(sums.recall_half, of_steps) / of_layers;
    out.joint_answer += sums.joint_answer / of_layers;
    out.persistence += share(sums.persistence, static_cast<double>(sums.neighbours)) / of_layers;
    out.joint_best = std::max(out.joint_best, mean.joint);
    out.layers.push_back(mean);
  }
  return out;
}

}  // namespace fathom
