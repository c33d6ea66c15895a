#include "results/robustness.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>

#include "results/arm_spread.h"
#include "results/results.h"

namespace fathom {
namespace {

using CellName = std::pair<std::string, int64_t>;  // ordinary cell, length in tokens

// One sample of an arm, still by name.
struct NamedSample {
  const SampleFacts* facts = nullptr;
  std::string cell;
  int64_t cluster = 0;  // within its run
  double score = 0;
};

struct NamedArm {
  std::string name;
  std::vector<NamedSample> samples;
};

// The same question under both arms: the same text around it, or the very same prompt.
bool same_content(const SampleFacts& a, const SampleFacts& b) {
  return (!a.haystack.empty() && a.haystack == b.haystack) || (!a.hash.empty() && a.hash == b.hash);
}

// Arms over the cells that all of them have, in the first one's order.
class ArmTable {
 public:
  explicit ArmTable(const std::vector<NamedArm>& arms) {
    find_shared_cells(arms);
    const bool paired = are_paired(arms);
    int64_t next_cluster = 0;
    std::map<std::pair<size_t, int64_t>, int64_t> unit_clusters;  // of the first arm that has it
    for (size_t arm = 0; arm < arms.size(); ++arm) {
      std::map<int64_t, int64_t> own_clusters;
      std::vector<ArmSample>& samples = samples_.emplace_back();
      for (const NamedSample& named : arms[arm].samples) {
        const auto cell = shared_.find({named.cell, named.facts->length});
        if (cell == shared_.end()) continue;
        ArmSample sample{.task = tasks_.at(named.cell),
                         .length = lengths_.at(named.facts->length),
                         .unit = named.facts->index,
                         .score = named.score};
        const auto fresh_cluster = [&] {
          const auto [found, fresh] = own_clusters.try_emplace(named.cluster, next_cluster);
          if (fresh) ++next_cluster;
          return found->second;
        };
        if (paired) {
          const std::pair unit(sample.task, sample.unit);
          const auto known = unit_clusters.find(unit);
          sample.cluster = known != unit_clusters.end() ? known->second : fresh_cluster();
          unit_clusters.emplace(unit, sample.cluster);
        } else {
          sample.cluster = fresh_cluster();
          // Other content under the same index: nothing is shared.
          sample.unit = static_cast<int64_t>(arm) + sample.unit * static_cast<int64_t>(arms.size());
        }
        samples.push_back(sample);
      }
    }
  }

  [[nodiscard]] bool empty() const { return shared_.empty(); }

  [[nodiscard]] std::vector<SpreadRow> rows(double confidence) const {
    std::vector<SpreadRow> rows;
    const auto add = [&](const std::string& cell, std::optional<int64_t> length,
                         const auto& belongs) {
      std::vector<std::vector<ArmSample>> chosen(samples_.size());
      for (size_t arm = 0; arm < samples_.size(); ++arm)
        std::copy_if(samples_[arm].begin(), samples_[arm].end(), std::back_inserter(chosen[arm]),
                     belongs);
      rows.push_back(arm_spread(chosen, confidence));
      rows.back().cell = cell;
      rows.back().length = length;
    };
    add("all tasks", std::nullopt, [](const ArmSample&) { return true; });
    for (const auto& [tokens, number] : lengths_)
      add("all tasks", tokens, [&](const ArmSample& one) { return one.length == number; });
    for (const CellName& cell : order_) {
      const size_t task = tasks_.at(cell.first);
      const size_t length = lengths_.at(cell.second);
      add(cell.first, cell.second,
          [&](const ArmSample& one) { return one.task == task && one.length == length; });
    }
    return rows;
  }

 private:
  void find_shared_cells(const std::vector<NamedArm>& arms) {
    std::map<CellName, size_t> arms_with;
    for (const NamedArm& arm : arms) {
      std::set<CellName> own;
      for (const NamedSample& sample : arm.samples) own.insert({sample.cell, sample.facts->length});
      for (const CellName& cell : own) ++arms_with[cell];
    }
    for (const NamedSample& sample : arms.front().samples) {
      const CellName cell{sample.cell, sample.facts->length};
      if (arms_with.at(cell) != arms.size() || !shared_.insert(cell).second) continue;
      order_.push_back(cell);
      tasks_.try_emplace(cell.first, tasks_.size());
      lengths_.try_emplace(cell.second, 0);
    }
    size_t number = 0;
    for (auto& [tokens, length] : lengths_) length = number++;
    std::stable_sort(order_.begin(), order_.end(), [&](const CellName& a, const CellName& b) {
      return std::pair(tasks_.at(a.first), a.second) < std::pair(tasks_.at(b.first), b.second);
    });
  }

  // Whether samples of the same cell, length and index are the same question in (nearly) all arms.
  [[nodiscard]] bool are_paired(const std::vector<NamedArm>& arms) const {
    constexpr double kNearlyAll = 0.9;
    std::map<std::tuple<std::string, int64_t, int64_t>, const SampleFacts*> first;
    for (const NamedSample& sample : arms.front().samples)
      first[{sample.cell, sample.facts->length, sample.facts->index}] = sample.facts;
    int64_t met = 0;
    int64_t same = 0;
    for (size_t arm = 1; arm < arms.size(); ++arm)
      for (const NamedSample& sample : arms[arm].samples) {
        const auto found = first.find({sample.cell, sample.facts->length, sample.facts->index});
        if (found == first.end()) continue;
        ++met;
        same += same_content(*found->second, *sample.facts) ? 1 : 0;
      }
    return met > 0 && static_cast<double>(same) >= kNearlyAll * static_cast<double>(met);
  }

  std::set<CellName> shared_;
  std::vector<CellName> order_;                  // of the shared cells
  std::map<std::string, size_t> tasks_;          // by cell
  std::map<int64_t, size_t> lengths_;            // by tokens
  std::vector<std::vector<ArmSample>> samples_;  // by arm
};

// Adds the attempted samples of tasks that `cell_of` names ("" leaves one out).
template <typename CellOf>
NamedArm arm_of(const Results& results, const std::string& name, const CellOf& cell_of) {
  NamedArm arm{.name = name};
  for (size_t row = 0; row < results.rows.size(); ++row) {
    const ScoredAttempt* score = results.score_of(row);
    if (score == nullptr) continue;
    std::string cell = cell_of(results.tasks[results.rows[row].task]);
    if (cell.empty()) continue;
    arm.samples.push_back({.facts = &results.samples[row],
                           .cell = std::move(cell),
                           .cluster = results.clusters[row],
                           .score = score->official.value_or(0)});
  }
  return arm;
}

std::string ordinary_cell(const ResultTask& task) {
  return task.variant.ordinary() ? task.cell : std::string();
}

// Values of an axis in the order of the tasks.
std::vector<std::string> values_of(const Results& results, VariantAxis axis) {
  std::vector<std::string> values;
  for (const ResultTask& task : results.tasks)
    if (task.variant.axis == axis &&
        std::find(values.begin(), values.end(), task.variant.value) == values.end())
      values.push_back(task.variant.value);
  return values;
}

std::vector<std::string> names_of(const std::vector<NamedArm>& arms) {
  std::vector<std::string> names;
  for (const NamedArm& arm : arms) names.push_back(arm.name);
  return names;
}

}  // namespace

Result<Robustness> robustness(std::span<const NamedResults> runs, const ResultsOptions& options) {
  if (runs.size() < 2)
    return fail(ErrorCode::kUsage,
                "a spread needs at least two runs, not {}; give more run folders", runs.size());
  std::vector<NamedArm> arms;
  for (const NamedResults& run : runs)
    arms.push_back(arm_of(*run.results, run.name, ordinary_cell));
  const ArmTable table(arms);
  if (table.empty())
    return fail(
        ErrorCode::kUsage,
        "these {} runs have no answered cell (task and length) in common; a spread needs runs "
        "of the same suite",
        runs.size());
  return Robustness{
      .axis = VariantAxis::kNone, .arms = names_of(arms), .rows = table.rows(options.confidence)};
}

std::vector<Robustness> variants_within(const Results& results) {
  std::vector<Robustness> all;
  const auto any_variant = [](const ResultTask& task) { return !task.variant.ordinary(); };
  if (std::none_of(results.tasks.begin(), results.tasks.end(), any_variant)) return all;
  for (const VariantAxis axis :
       {VariantAxis::kWording, VariantAxis::kSeed, VariantAxis::kEntities,
        VariantAxis::kInstruction, VariantAxis::kPlace, VariantAxis::kHop}) {
    const std::vector<std::string> values = values_of(results, axis);
    if (values.empty()) continue;
    std::vector<NamedArm> arms{arm_of(results, "ordinary", ordinary_cell)};
    for (const std::string& value : values)
      arms.push_back(arm_of(results, value, [&](const ResultTask& task) {
        const bool own = task.variant.axis == axis && task.variant.value == value;
        return own ? task.variant.of : std::string();
      }));
    const ArmTable table(arms);
    if (table.empty()) continue;
    all.push_back(
        {.axis = axis, .arms = names_of(arms), .rows = table.rows(results.options.confidence)});
  }
  return all;
}

}  // namespace fathom
