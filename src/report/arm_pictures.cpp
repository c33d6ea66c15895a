#include "report/arm_pictures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "attention/selection_log_file.h"
#include "coverage/look.h"
#include "io/file.h"
#include "io/json.h"
#include "io/jsonl.h"
#include "results/answered_scores.h"
#include "results/arm_study.h"

namespace fathom {
namespace {

// A query sees the blocks from `lowest` to its own.
struct LayerCount {
  bool dense = false;
  std::vector<int64_t> seen;
  std::vector<int64_t> read;

  void add(const Look& look) {
    const auto size = static_cast<size_t>(look.grid.size());
    if (seen.size() < size) {
      seen.resize(size, 0);
      read.resize(size, 0);
    }
    for (auto b = static_cast<size_t>(look.grid.lowest()); b < size; ++b) ++seen[b];
    look.blocks().for_each([&](int64_t b) { ++read[static_cast<size_t>(b)]; });
  }
};

int64_t percent_of(int64_t read, int64_t seen) {
  if (seen == 0) return -1;
  if (read == 0) return 0;
  return std::max<int64_t>(
      1, std::lround(100.0 * static_cast<double>(read) / static_cast<double>(seen)));
}

std::vector<int64_t> columns_of(const LayerCount& count, int64_t columns, int64_t merged) {
  std::vector<int64_t> shares(static_cast<size_t>(columns), -1);
  for (size_t b = 0; b < count.seen.size(); ++b) {
    int64_t& share = shares[b / static_cast<size_t>(merged)];
    share = std::max(share, percent_of(count.read[b], count.seen[b]));
  }
  return shares;
}

bool is_right(const std::optional<AnsweredScores>& scores, const SampleFacts& facts) {
  const AnsweredScore* score = scores ? scores->find(facts) : nullptr;
  return score != nullptr && score->right();
}

// The first sample that full attention answers and the arm loses; those that the oracle keeps come
// first.
std::optional<std::string> lost_by(const FinishedArm& arm, const Results& samples,
                                   const AnsweredScores& full,
                                   const std::optional<AnsweredScores>& oracle,
                                   const std::set<std::string>& taken) {
  const AnsweredScores own(arm.run.results);
  std::optional<std::string> other;
  for (const SampleFacts& facts : samples.samples) {
    const AnsweredScore* reference = full.find(facts);
    const AnsweredScore* score = own.find(facts);
    if (reference == nullptr || !reference->right() || score == nullptr || score->right()) continue;
    if (taken.contains(facts.id)) continue;
    if (is_right(oracle, facts)) return facts.id;
    if (!other) other = facts.id;
  }
  return other;
}

std::optional<std::string> answered_by_all(std::span<const FinishedArm> arms,
                                           const Results& samples) {
  std::vector<AnsweredScores> all;
  for (const FinishedArm& arm : arms)
    if (arm.arm.options.kind != SelectorKind::kKnockout) all.emplace_back(arm.run.results);
  for (const SampleFacts& facts : samples.samples) {
    const bool right = std::ranges::all_of(all, [&](const AnsweredScores& scores) {
      const AnsweredScore* score = scores.find(facts);
      return score != nullptr && score->right();
    });
    if (right) return facts.id;
  }
  return std::nullopt;
}

// A line names its sample as a JSON string somewhere; most lines are about others and need not be
// read.
bool may_be_about(std::string_view line, const std::vector<std::string>& quoted) {
  return std::ranges::any_of(
      quoted, [&](const std::string& id) { return line.find(id) != std::string_view::npos; });
}

}  // namespace

std::vector<std::string> picture_samples(std::span<const FinishedArm> arms) {
  const FinishedArm* full = first_of(arms, SelectorKind::kFull);
  if (full == nullptr) return {};
  const AnsweredScores reference(full->run.results);
  const FinishedArm* oracle = first_of(arms, SelectorKind::kEvidence);
  std::optional<AnsweredScores> evidence;
  if (oracle != nullptr) evidence.emplace(oracle->run.results);
  std::vector<std::string> chosen;
  std::set<std::string> taken;
  for (const FinishedArm& arm : arms) {
    if (!is_real(arm.arm) || chosen.size() + 1 >= kMostPictureSamples) continue;
    const auto lost = lost_by(arm, full->run.results, reference, evidence, taken);
    if (lost && taken.insert(*lost).second) chosen.push_back(*lost);
  }
  const auto easy = answered_by_all(arms, full->run.results);
  if (easy && taken.insert(*easy).second) chosen.push_back(*easy);
  return chosen;
}

ArmPicture picture_of(const SelectionLog& log) {
  ArmPicture picture;
  picture.sample_id = log.sample_id;
  picture.block = log.block;
  picture.context_tokens = log.context_tokens;
  picture.prompt_tokens = log.prompt_tokens;
  std::map<int, LayerCount> layers;
  std::set<int64_t> steps;
  for (const LoggedSelection& selection : log.selections) {
    LayerCount& count = layers[selection.layer];
    picture.end = std::max(picture.end, selection.position + 1);
    if (selection.dense) {
      count.dense = true;
      continue;
    }
    steps.insert(selection.position);
    count.add(look_at(selection, log.block));
  }
  picture.steps = static_cast<int64_t>(steps.size());
  const int64_t blocks = (picture.end + log.block - 1) / log.block;
  picture.merged = std::max<int64_t>(1, (blocks + kMostPictureColumns - 1) / kMostPictureColumns);
  const int64_t columns = (blocks + picture.merged - 1) / picture.merged;
  for (const auto& [layer, count] : layers) {
    const bool dense = count.dense && count.seen.empty();
    picture.layers.push_back(
        {layer, dense,
         dense ? std::vector<int64_t>() : columns_of(count, columns, picture.merged)});
  }
  return picture;
}

Result<std::vector<ArmPicture>> read_pictures(std::span<const FinishedArm> arms,
                                              const std::vector<std::string>& samples) {
  std::vector<ArmPicture> pictures;
  if (samples.empty()) return pictures;
  std::vector<std::string> quoted;
  for (const std::string& id : samples) quoted.push_back(to_json_line(Json(id)));
  for (size_t i = 0; i < arms.size(); ++i) {
    const std::string path = arms[i].run.folder + "/selections.jsonl.zst";
    if (!file_exists(path)) continue;
    std::map<std::string, ArmPicture> last;
    TRY_VOID(for_each_line(path, [&](size_t number, std::string_view line) -> Result<void> {
      if (!may_be_about(line, quoted)) return {};
      TRY(const SelectionLog log,
          selection_log_from_line(line, fmt::format("{}:{}", path, number)));
      if (std::ranges::find(samples, log.sample_id) != samples.end())
        last[log.sample_id] = picture_of(log);
      return {};
    }));
    for (const std::string& id : samples) {
      const auto found = last.find(id);
      if (found == last.end()) continue;
      found->second.arm = i;
      pictures.push_back(std::move(found->second));
    }
  }
  return pictures;
}

}  // namespace fathom
