#include "results/cross_table.h"

#include <algorithm>
#include <map>
#include <optional>

#include "results/answered_scores.h"
#include "stats/corrections.h"
#include "stats/effective_length.h"

namespace fathom {
namespace {

CrossGroup group_of(std::string kind, std::string name, const CrossCells& cells) {
  CrossGroup group{.kind = std::move(kind), .name = std::move(name), .cells = cells};
  group.full_minus_real = tango(cells.full_real());
  // Tango's difference is the second arm's less the first's.
  std::swap(group.full_minus_real.low, group.full_minus_real.high);
  for (double Estimate::*value : {&Estimate::value, &Estimate::low, &Estimate::high})
    group.full_minus_real.*value *= -1;
  group.p_full_real = mcnemar_exact(cells.full_real());
  group.p_full_oracle = mcnemar_exact(cells.full_oracle());
  group.p_oracle_real = mcnemar_exact(cells.oracle_real());
  return group;
}

void correct(std::vector<CrossGroup>& groups, size_t begin) {
  std::vector<double> full_real;
  std::vector<double> oracle_real;
  for (size_t i = begin; i < groups.size(); ++i) {
    full_real.push_back(groups[i].p_full_real);
    oracle_real.push_back(groups[i].p_oracle_real);
  }
  const std::vector<double> first = holm(full_real);
  const std::vector<double> second = holm(oracle_real);
  for (size_t i = begin; i < groups.size(); ++i) {
    groups[i].p_full_real_holm = first[i - begin];
    groups[i].p_oracle_real_holm = second[i - begin];
  }
}

// How far the evidence lies apart, from its first token to its last, as quarters of the prompt: 0
// where it is one piece, else 1 to 4; none where it is not known.
std::optional<int64_t> span_of(const SampleFacts& facts) {
  const auto span = static_cast<int64_t>(facts.evidence_tokens.end - facts.evidence_tokens.begin);
  if (facts.evidence == 1) return 0;
  if (facts.evidence < 1 || span < 1 || facts.prompt_tokens < 1) return std::nullopt;
  return std::clamp<int64_t>((span * 4 - 1) / facts.prompt_tokens + 1, 1, 4);
}

std::string span_name(int64_t quarters) {
  switch (quarters) {
    case 0:
      return "one piece";
    case 1:
      return "to 1/4 of the prompt";
    case 2:
      return "to 1/2 of the prompt";
    case 3:
      return "to 3/4 of the prompt";
    default:
      return "over 3/4 of the prompt";
  }
}

}  // namespace

int64_t CrossCells::n() const {
  int64_t sum = 0;
  for (const auto& full : count)
    for (const auto& oracle : full)
      for (const int64_t cell : oracle) sum += cell;
  return sum;
}
int64_t CrossCells::full_right() const {
  return count[1][0][0] + count[1][0][1] + count[1][1][0] + count[1][1][1];
}
int64_t CrossCells::oracle_right() const {
  return count[0][1][0] + count[0][1][1] + count[1][1][0] + count[1][1][1];
}
int64_t CrossCells::real_right() const {
  return count[0][0][1] + count[0][1][1] + count[1][0][1] + count[1][1][1];
}
int64_t CrossCells::sparsity_loss() const { return count[1][0][0] + count[1][0][1]; }
int64_t CrossCells::selector_loss() const { return count[0][1][0] + count[1][1][0]; }
int64_t CrossCells::luck() const { return count[0][0][1] + count[0][1][1]; }
PairedCounts CrossCells::full_real() const {
  return {.both = count[1][0][1] + count[1][1][1],
          .only_a = count[1][0][0] + count[1][1][0],
          .only_b = luck(),
          .neither = count[0][0][0] + count[0][1][0]};
}
PairedCounts CrossCells::full_oracle() const {
  return {.both = count[1][1][0] + count[1][1][1],
          .only_a = sparsity_loss(),
          .only_b = count[0][1][0] + count[0][1][1],
          .neither = count[0][0][0] + count[0][0][1]};
}
PairedCounts CrossCells::oracle_real() const {
  return {.both = count[0][1][1] + count[1][1][1],
          .only_a = selector_loss(),
          .only_b = count[0][0][1] + count[1][0][1],
          .neither = count[0][0][0] + count[1][0][0]};
}

Result<CrossTable> cross_table(const CrossArm& full, const CrossArm& oracle, const CrossArm& real) {
  CrossTable table{.full = full.name, .oracle = oracle.name, .real = real.name};
  const AnsweredScores of_full(*full.results);
  const AnsweredScores of_oracle(*oracle.results);
  CrossCells all;
  std::map<int64_t, CrossCells> lengths;
  std::map<std::string, CrossCells> tasks;
  std::map<int64_t, CrossCells> evidence;
  std::map<int64_t, CrossCells> spans;
  const Results& rows = *real.results;
  for (size_t row = 0; row < rows.rows.size(); ++row) {
    const SampleFacts& facts = rows.samples[row];
    const ScoredAttempt* score = rows.score_of(row);
    const AnsweredScore* in_full = of_full.find(facts);
    const AnsweredScore* in_oracle = of_oracle.find(facts);
    if (score == nullptr || in_full == nullptr || in_oracle == nullptr) {
      ++table.left_out;
      continue;
    }
    const bool right = score->official.value_or(0) >= 1;
    std::vector<CrossCells*> groups = {&all, &lengths[facts.length], &tasks[facts.cell],
                                       &evidence[facts.evidence]};
    if (const auto span = span_of(facts)) groups.push_back(&spans[*span]);
    for (CrossCells* cells : groups)
      ++cells->count[in_full->right() ? 1 : 0][in_oracle->right() ? 1 : 0][right ? 1 : 0];
  }
  if (all.n() == 0)
    return fail(ErrorCode::kUsage, "arms {}, {} and {} have no answered sample in common",
                full.name, oracle.name, real.name);
  table.groups.push_back(group_of("all", "all samples", all));
  correct(table.groups, 0);
  const auto add = [&](const auto& groups, const char* kind, auto name) {
    const size_t begin = table.groups.size();
    for (const auto& [key, cells] : groups)
      table.groups.push_back(group_of(kind, name(key), cells));
    correct(table.groups, begin);
  };
  add(lengths, "length", [](int64_t length) { return length_name(length); });
  add(tasks, "task", [](const std::string& task) { return task; });
  add(evidence, "evidence",
      [](int64_t pieces) { return fmt::format("{} piece{}", pieces, pieces == 1 ? "" : "s"); });
  add(spans, "span", span_name);
  return table;
}

}  // namespace fathom
