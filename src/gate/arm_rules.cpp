// Rules about a sparse arm: what it read of the evidence, what it lost against full attention and
// the evidence alone, and how much it read at all.
#include <algorithm>
#include <unordered_map>
#include <utility>

#include "coverage/read_cost.h"
#include "gate/rule_checks.h"
#include "results/answered_scores.h"
#include "stats/clustered.h"

namespace fathom {
namespace {

constexpr std::pair<const char*, double SampleCoverage::*> kCoverages[] = {
    {"joint", &SampleCoverage::joint},
    {"joint_best", &SampleCoverage::joint_best},
    {"joint_answer", &SampleCoverage::joint_answer},
    {"recall", &SampleCoverage::recall},
    {"recall_half", &SampleCoverage::recall_half},
    {"union_recall", &SampleCoverage::union_recall},
    {"path", &SampleCoverage::path},
    {"path_strict", &SampleCoverage::path_strict}};

// One value a row, with the rows' clusters.
struct RowValues {
  std::vector<double> values;
  std::vector<int64_t> clusters;
};

// A sample whose coverage was not recorded has read nothing that can be shown: 0.
GateCheck coverage_check(const std::string& name, const std::vector<size_t>& rows,
                         const GateData& data, double confidence) {
  double SampleCoverage::*member = nullptr;
  for (const auto& [known, value] : kCoverages)
    if (name == known) member = value;
  std::unordered_map<std::string_view, double> by_id;
  for (const SampleCoverage& each : data.proofs.coverage) by_id[each.sample_id] = each.*member;
  RowValues out;
  for (const size_t row : rows) {
    const auto found = by_id.find(data.results().samples[row].id);
    out.values.push_back(found == by_id.end() ? 0 : found->second);
    out.clusters.push_back(data.clusters[row]);
  }
  return {.subject = name,
          .figure = out.values.empty()
                        ? Estimate{}
                        : clustered_mean_score(out.values, out.clusters, confidence)};
}

bool is_lost(const std::string& kind, bool full, bool oracle, bool real) {
  if (kind == "sparsity") return full && !oracle;
  if (kind == "selector") return oracle && !real;
  return !full && real;
}

Result<GateCheck> loss_check(const std::string& kind, const std::vector<size_t>& rows,
                             const GateData& data, const PolicyRule& rule, double confidence) {
  const AnsweredScores full(*data.baseline->results);
  const AnsweredScores oracle(*data.proofs.oracle->results);
  RowValues out;
  for (const size_t row : rows) {
    const SampleFacts& sample = data.results().samples[row];
    const AnsweredScore* in_full = full.find(sample);
    const AnsweredScore* in_oracle = oracle.find(sample);
    if (in_full == nullptr || in_oracle == nullptr) {
      if (data.options.shared_only) continue;
      return fail(ErrorCode::kUsage,
                  "{}sample {} is not answered in {}: finish that arm, or compare the samples that "
                  "all have with --shared",
                  place_of(rule, data), sample.id,
                  in_full == nullptr ? data.baseline->description->name
                                     : data.proofs.oracle->description->name);
    }
    const bool real = data.results().score_of(row)->official.value_or(0) >= 1;
    out.values.push_back(is_lost(kind, in_full->right(), in_oracle->right(), real) ? 1 : 0);
    out.clusters.push_back(data.clusters[row]);
  }
  return GateCheck{.subject = kind,
                   .figure = out.values.empty()
                                 ? Estimate{}
                                 : clustered_mean_score(out.values, out.clusters, confidence)};
}

GateCheck read_check(const std::vector<size_t>& rows, const GateData& data) {
  std::unordered_map<std::string_view, const SampleCoverage*> by_id;
  for (const SampleCoverage& each : data.proofs.coverage) by_id[each.sample_id] = &each;
  ReadPairs sum;
  int64_t count = 0;
  for (const size_t row : rows) {
    const auto found = by_id.find(data.results().samples[row].id);
    if (found == by_id.end()) continue;
    sum.read += found->second->pairs;
    sum.full += found->second->pairs_full;
    sum.to_select += found->second->pairs_to_select;
    ++count;
  }
  GateCheck check{.subject = "pairs read of full attention's"};
  if (count == 0) return check;
  const double share = read_cost(sum, 1, 1).share;
  check.figure = {.value = share, .low = share, .high = share, .n = count};
  return check;
}

}  // namespace

std::vector<std::string> coverage_names() {
  std::vector<std::string> names;
  for (const auto& [name, member] : kCoverages) names.emplace_back(name);
  return names;
}

std::vector<std::string> loss_names() { return {"sparsity", "selector", "luck"}; }

Result<std::vector<GateCheck>> arm_checks(const PolicyRule& rule, const GateData& data) {
  if (rule.kind == RuleKind::kLosses && !data.proofs.oracle)
    return fail(ErrorCode::kUsage,
                "{}losses are told apart by an arm that reads the evidence alone: name it with "
                "--oracle FOLDER",
                place_of(rule, data));
  if (rule.kind != RuleKind::kLosses && data.proofs.coverage.empty())
    return fail(ErrorCode::kUsage,
                "{}{} has no coverage.jsonl; runs with --arms write it, and fathom coverage makes "
                "it of an engine's selection log",
                place_of(rule, data), data.run.description->name);
  TRY(const std::vector<size_t> rows, rows_of(rule, data));
  std::vector<GateCheck> checks;
  if (rule.kind == RuleKind::kReadShare) {
    checks.push_back(read_check(rows, data));
    checks.back().at_most = *rule.limit;
    return checks;
  }
  const double confidence = confidence_of_each(rule, rule.limits.size());
  for (const auto& [name, limit] : rule.limits) {
    if (rule.kind == RuleKind::kCoverage) {
      checks.push_back(coverage_check(name, rows, data, confidence));
      checks.back().at_least = limit;
    } else {
      TRY(checks.emplace_back(), loss_check(name, rows, data, rule, confidence));
      checks.back().at_most = limit;
    }
  }
  return checks;
}

}  // namespace fathom
