#include "results/log_study.h"

#include <array>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "attention/selection_log_file.h"
#include "coverage/coverage_file.h"
#include "coverage/log_agreement.h"
#include "io/file.h"
#include "io/jsonl.h"

namespace fathom {
namespace {

constexpr int kThirds = 3;
constexpr std::array<AnswerStep, 3> kSteps = {AnswerStep::kQuestion, AnswerStep::kFirst,
                                              AnswerStep::kLater};
constexpr std::array<double StepReading::*, 4> kStepValues = {
    &StepReading::recall, &StepReading::joint, &StepReading::union_joint, &StepReading::hops};

using FactsById = std::unordered_map<std::string_view, const SampleLine*>;

AnswerStep step_of(int64_t generated) {
  if (generated < 0) return AnswerStep::kQuestion;
  return generated == 0 ? AnswerStep::kFirst : AnswerStep::kLater;
}

void divide(StepReading& reading, int64_t by) {
  for (const auto value : kStepValues) reading.*value /= static_cast<double>(by);
}

// Of one sample; `samples` counts its steps.
std::array<StepReading, 3> steps_of_sample(const SelectionLog& log, const SamplePlaces& places) {
  std::array<StepReading, 3> means;
  for (const StepCoverage& step : step_coverage(log, places.evidence)) {
    if (step.looks == 0) continue;  // every layer reads everything
    StepReading& mean = means[static_cast<size_t>(step_of(step.generated))];
    ++mean.samples;
    mean.recall += step.recall;
    mean.joint += step.joint;
    mean.union_joint += step.union_joint ? 1 : 0;
    mean.hops += static_cast<double>(step.hops);
  }
  for (StepReading& mean : means)
    if (mean.samples > 0) divide(mean, mean.samples);
  return means;
}

std::vector<StepReading> mean_steps(const ArmLogs& arm, const PlacesById& places) {
  std::array<StepReading, 3> sums;
  for (const auto& [id, log] : arm.logs) {
    const auto place = places.find(id);
    if (place == places.end() || place->second.evidence.empty()) continue;
    const auto sample = steps_of_sample(log, place->second);
    for (size_t i = 0; i < sums.size(); ++i) {
      if (sample[i].samples == 0) continue;
      ++sums[i].samples;
      for (const auto value : kStepValues) sums[i].*value += sample[i].*value;
    }
  }
  std::vector<StepReading> steps;
  for (size_t i = 0; i < sums.size(); ++i) {
    if (sums[i].samples == 0) continue;
    sums[i].step = kSteps[i];
    divide(sums[i], sums[i].samples);
    steps.push_back(sums[i]);
  }
  return steps;
}

void add_words(const SelectionLog& log, const std::vector<CountedWord>& words, WordCounts& into) {
  const std::vector<CountedReading> layers = counted_words(log, words);
  if (layers.empty()) return;
  const auto share = 1 / static_cast<double>(layers.size());
  double correlation = 0;
  int64_t correlated = 0;
  for (const CountedReading& layer : layers) {
    into.seen += layer.seen * share;
    into.seen_wanted += layer.seen_wanted * share;
    into.gap += layer.gap * share;
    into.told_apart += layer.told_apart * share;
    correlation += layer.rank_correlation.value_or(0);
    correlated += layer.rank_correlation ? 1 : 0;
  }
  ++into.samples;
  into.true_gap += gap(words);
  if (correlated == 0) return;
  ++into.correlated;
  into.rank_correlation =
      into.rank_correlation.value_or(0) + correlation / static_cast<double>(correlated);
}

std::optional<WordCounts> mean_words(const ArmLogs& arm, const PlacesById& places) {
  WordCounts counts;
  for (const auto& [id, log] : arm.logs) {
    const auto place = places.find(id);
    if (place != places.end() && !place->second.words.empty())
      add_words(log, place->second.words, counts);
  }
  if (counts.samples == 0) return std::nullopt;
  for (const auto value : {&WordCounts::seen, &WordCounts::seen_wanted, &WordCounts::gap,
                           &WordCounts::true_gap, &WordCounts::told_apart})
    counts.*value /= static_cast<double>(counts.samples);
  if (counts.rank_correlation) *counts.rank_correlation /= static_cast<double>(counts.correlated);
  return counts;
}

LoggedContext context_in(const SelectionLog& log, int64_t context) {
  const auto end = static_cast<uint64_t>(std::max<int64_t>(log.context_tokens, 0));
  const auto length = static_cast<uint64_t>(std::max<int64_t>(context, 0));
  return {&log, {end - std::min(length, end), end}};
}

void add_pair(const LoggedContext& a, const LoggedContext& b, LogOverlap& into) {
  const std::vector<LayerAgreement> layers = log_agreement(a, b);
  if (layers.empty()) return;
  double sum = 0;
  for (const LayerAgreement& layer : layers) sum += layer.jaccard;
  ++into.samples;
  into.jaccard += sum / static_cast<double>(layers.size());
}

void keep(LogOverlap agreement, std::vector<LogOverlap>& list) {
  if (agreement.samples == 0) return;
  agreement.jaccard /= static_cast<double>(agreement.samples);
  list.push_back(std::move(agreement));
}

bool keeps_context(VariantAxis axis) {
  return axis == VariantAxis::kWording || axis == VariantAxis::kInstruction ||
         axis == VariantAxis::kHop;
}

std::vector<LogOverlap> variants_of(const ArmLogs& arm, const FactsById& samples) {
  using Place = std::tuple<std::string_view, int64_t, int64_t>;
  std::map<Place, std::string_view> ordinary;
  for (const auto& [id, line] : samples)
    if (line->facts.variant.ordinary())
      ordinary[{line->facts.cell, line->facts.length, line->facts.index}] = id;
  std::map<std::string, LogOverlap> by_value;
  for (const auto& [id, log] : arm.logs) {
    const auto known = samples.find(id);
    if (known == samples.end()) continue;
    const SampleFacts& facts = known->second->facts;
    if (!keeps_context(facts.variant.axis)) continue;
    const auto partner = ordinary.find({facts.variant.of, facts.length, facts.index});
    if (partner == ordinary.end()) continue;
    const auto other = arm.logs.find(std::string(partner->second));
    if (other == arm.logs.end()) continue;
    const std::string name = std::string(to_text(facts.variant.axis)) + "=" + facts.variant.value;
    add_pair(context_in(other->second, samples.at(partner->second)->tokens.context),
             context_in(log, known->second->tokens.context), by_value[name]);
  }
  std::vector<LogOverlap> list;
  for (auto& [name, agreement] : by_value) {
    agreement.b = name;
    keep(std::move(agreement), list);
  }
  return list;
}

// Both asked the same prompt, so that all before the question is compared.
LogOverlap agreement_of(const ArmLogs& a, const ArmLogs& b) {
  LogOverlap agreement{.a = a.arm, .b = b.arm};
  for (const auto& [id, log] : a.logs) {
    const auto other = b.logs.find(id);
    if (other != b.logs.end() && other->second.prompt_tokens == log.prompt_tokens)
      add_pair(context_in(log, log.context_tokens), context_in(other->second, log.context_tokens),
               agreement);
  }
  return agreement;
}

// Of a line as fathom writes it, whose first key it is; none: the line has to be read.
std::optional<std::string_view> sample_named(std::string_view line) {
  constexpr std::string_view kStart = R"({"sample":")";
  if (!line.starts_with(kStart)) return std::nullopt;
  line.remove_prefix(kStart.size());
  const size_t end = line.find_first_of("\"\\");
  if (end == std::string_view::npos || line[end] == '\\') return std::nullopt;
  return line.substr(0, end);
}

bool is_studied(const SampleFacts& facts) {
  return facts.index < kStudiedOfACell && !facts.variant.is_control();
}

// Of several lines about a sample the last counts. Empty where there is no log.
Result<ArmLogs> logs_of(const std::string& folder, const FinishedArm& arm,
                        const std::unordered_set<std::string>& ids) {
  ArmLogs out{.arm = arm.arm.name, .logs = {}};
  const std::string path = folder + "/" + arm.arm.name + "/selections.jsonl.zst";
  if (!file_exists(path)) return out;
  TRY_VOID(for_each_line(path, [&](size_t number, std::string_view text) -> Result<void> {
    const auto named = sample_named(text);
    if (named && !ids.contains(std::string(*named))) return {};
    TRY(SelectionLog log, selection_log_from_line(text, fmt::format("{}:{}", path, number)));
    for (LoggedSelection& each : log.selections) each.candidates.clear();
    if (ids.contains(log.sample_id)) out.logs.insert_or_assign(log.sample_id, std::move(log));
    return {};
  }));
  if (!out.logs.empty()) out.coverage = mean_coverage(arm.coverage);
  return out;
}

}  // namespace

std::string_view to_text(AnswerStep step) {
  switch (step) {
    case AnswerStep::kQuestion:
      return "question";
    case AnswerStep::kFirst:
      return "first";
    case AnswerStep::kLater:
      return "later";
  }
  return "";
}

LogStudy log_study(std::span<const ArmLogs> arms, const std::vector<SampleLine>& index,
                   const PlacesById& places) {
  FactsById samples;
  for (const SampleLine& line : index) samples.emplace(line.facts.id, &line);
  LogStudy study;
  for (size_t i = 0; i < arms.size(); ++i) {
    const ArmLogs& arm = arms[i];
    if (arm.logs.empty()) continue;
    ArmReading& reading = study.arms.emplace_back();
    reading.arm = arm.arm;
    reading.samples = static_cast<int64_t>(arm.logs.size());
    reading.steps = mean_steps(arm, places);
    reading.thirds = layer_groups(arm.coverage, arm.logs.begin()->second.layers, kThirds);
    reading.words = mean_words(arm, places);
    reading.variants = variants_of(arm, samples);
    for (size_t j = i + 1; j < arms.size(); ++j) keep(agreement_of(arm, arms[j]), study.pairs);
  }
  return study;
}

Result<LogStudy> read_log_study(const std::string& folder, std::span<const FinishedArm> arms) {
  if (!file_exists(folder + "/samples.jsonl")) return LogStudy{};
  TRY(const std::vector<SampleLine> index, read_sample_index(folder + "/samples.jsonl"));
  std::unordered_set<std::string> ids;
  for (const SampleLine& line : index)
    if (is_studied(line.facts)) ids.insert(line.facts.id);
  std::vector<ArmLogs> logs;
  std::unordered_set<std::string> logged;
  for (const FinishedArm& arm : arms) {
    TRY(logs.emplace_back(), logs_of(folder, arm, ids));
    for (const auto& [id, log] : logs.back().logs) logged.insert(id);
  }
  if (logged.empty()) return LogStudy{};
  TRY(const PlacesById places,
      sample_places(arms.front().run.dataset_folder, index,
                    [&](const SampleFacts& facts) { return logged.contains(facts.id); }));
  return log_study(logs, index, places);
}

}  // namespace fathom
