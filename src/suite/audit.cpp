#include "suite/audit.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>

#include "base/threads.h"
#include "suite/audit_sample.h"

namespace fathom {
namespace {

constexpr size_t kShownOfAKind = 20;
constexpr size_t kFewestDepths = 20;  // below, a test of their distribution says nothing
constexpr double kAllowedFillDrift = 0.01;
constexpr double kAllowedDepthDrift = 0.25;

// Kolmogorov–Smirnov against the uniform distribution on [0, 1], asymptotic p-value (Stephens'
// correction for small n).
double uniform_p(std::vector<float> values) {
  if (values.size() < kFewestDepths) return 1;
  std::sort(values.begin(), values.end());
  const auto n = static_cast<double>(values.size());
  double distance = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    const double value = static_cast<double>(values[i]);
    distance = std::max(
        {distance, static_cast<double>(i + 1) / n - value, value - static_cast<double>(i) / n});
  }
  const double x = (std::sqrt(n) + 0.12 + 0.11 / std::sqrt(n)) * distance;
  if (x < 0.2) return 1;
  double p = 0;
  for (int k = 1; k <= 100; ++k) {
    p += (k % 2 == 1 ? 2 : -2) * std::exp(-2.0 * k * k * x * x);
  }
  return std::clamp(p, 0.0, 1.0);
}

struct CellSums {
  CellAudit cell;
  double total = 0;
  double distance = 0;
  double span = 0;
  double blocks = 0;
  double depth_sum = 0;
  size_t depth_count = 0;
  int64_t with_evidence = 0;
  bool layout_free = true;
  size_t evidence = 0;
  std::vector<float> depths;
  std::map<std::string, std::string> layouts;  // hash → first sample
};

class Collector {
 public:
  explicit Collector(const AuditOptions& options) : options_(options) {}

  void add(AuditFacts facts) {
    ++result_.samples;
    for (Finding& finding : facts.findings) report(std::move(finding));
    compare_with_others(facts);
    CellSums& sums = cells_[{facts.cell, facts.length}];
    CellAudit& cell = sums.cell;
    // A control is as long as its text: it is full.
    const double fill = facts.length == 0
                            ? 1
                            : static_cast<double>(facts.total) / static_cast<double>(facts.length);
    cell.fill_min = cell.samples == 0 ? fill : std::min(cell.fill_min, fill);
    cell.reserve_min =
        cell.samples == 0 ? facts.reserve : std::min(cell.reserve_min, facts.reserve);
    ++cell.samples;
    sums.total += fill;
    const int64_t off = facts.length == 0 ? 0 : std::abs(facts.total - facts.length);
    cell.off_by_max = std::max(cell.off_by_max, off);
    cell.exact += off == 0 ? 1 : 0;
    cell.answer_tokens_max = std::max(cell.answer_tokens_max, facts.answer_tokens);
    if (facts.evidence > 0) {
      ++sums.with_evidence;
      sums.distance += static_cast<double>(facts.distance);
      sums.span += static_cast<double>(facts.span);
      sums.blocks += static_cast<double>(facts.blocks);
      sums.layouts.emplace(facts.layout_hash, facts.id);
      sums.evidence = std::max(sums.evidence, facts.evidence);
    }
    sums.layout_free = sums.layout_free && facts.layout_free;
    for (const float depth : facts.depths) {
      sums.depths.push_back(depth);
      sums.depth_sum += static_cast<double>(depth);
      ++sums.depth_count;
    }
  }

  AuditResult finish() {
    for (auto& [key, sums] : cells_) finish_cell(key.first, key.second, sums);
    check_drift();
    std::stable_sort(result_.findings.begin(), result_.findings.end(),
                     [](const Finding& a, const Finding& b) { return a.breach > b.breach; });
    return std::move(result_);
  }

 private:
  void report(Finding finding) {
    ++(finding.breach ? result_.breaches : result_.notes);
    size_t& shown = shown_[{finding.kind, finding.breach}];
    if (shown++ < kShownOfAKind) result_.findings.push_back(std::move(finding));
  }

  void compare_with_others(const AuditFacts& facts) {
    if (!ids_.insert(facts.id).second) {
      report({FindingKind::kDuplicateId, true, facts.id, "a second sample with this id"});
    }
    // Questions that are the same in every sample differ in nothing else than their context.
    const bool left_out = facts.variant.control() == kNoContext;
    const auto [earlier, fresh] = prompts_.emplace(facts.prompt_hash, facts.id);
    if (!fresh && !left_out) {
      report({FindingKind::kDuplicatePrompt, true, facts.id,
              fmt::format("the same prompt as {}", earlier->second)});
    }
    // A control asks what its ordinary cell asks.
    const std::string& asked = facts.variant.is_control() ? facts.variant.of : facts.cell;
    const auto [content, first] = contents_.emplace(fmt::format("{}#{}", asked, facts.index),
                                                    std::pair(facts.content_hash, facts.id));
    if (!first && content->second.first != facts.content_hash) {
      report({FindingKind::kContentDrift, true, facts.id,
              fmt::format("another question or other references than {}", content->second.second)});
    }
  }

  void finish_cell(const std::string& name, int64_t length, CellSums& sums) {
    CellAudit cell = sums.cell;
    cell.cell = name;
    cell.length = length;
    cell.fill_mean = sums.total / static_cast<double>(cell.samples);
    if (sums.with_evidence > 0) {
      const auto n = static_cast<double>(sums.with_evidence);
      cell.distance_mean = sums.distance / n;
      cell.span_mean = sums.span / n;
      cell.blocks_mean = sums.blocks / n;
    }
    if (sums.depth_count > 0) {
      cell.depth_mean = sums.depth_sum / static_cast<double>(sums.depth_count);
    }
    cell.layouts = static_cast<int64_t>(sums.layouts.size());
    cell.depth_p = uniform_p(std::move(sums.depths));
    const std::string place = fmt::format("{}:{}", name, length);
    if (cell.depth_p < options_.significance) {
      report(
          {FindingKind::kDepthDistribution, true, place,
           fmt::format("depths are not spread evenly (Kolmogorov–Smirnov p = {:.2g}, mean {:.2f})",
                       cell.depth_p, cell.depth_mean)});
    }
    check_layouts(place, cell, sums);
    result_.cells.push_back(std::move(cell));
  }

  // A few equal layouts come by chance where one piece lies on few joints; most being equal never
  // does.
  void check_layouts(const std::string& place, const CellAudit& cell, const CellSums& sums) {
    if (!sums.layout_free || sums.with_evidence < 4 || cell.layouts == sums.with_evidence) return;
    const int64_t repeated = sums.with_evidence - cell.layouts;
    const bool breach = 2 * repeated > sums.with_evidence || (sums.evidence >= 3 && repeated > 1);
    report({FindingKind::kRepeatedLayout, breach, place,
            fmt::format("{} of {} samples have their evidence where another one has it", repeated,
                        sums.with_evidence)});
  }

  // Between the lengths of one cell nothing but the length should change.
  void check_drift() {
    std::map<std::string, std::vector<const CellAudit*>> by_cell;
    for (const CellAudit& cell : result_.cells) by_cell[cell.cell].push_back(&cell);
    std::vector<Finding> found;
    for (const auto& [name, lengths] : by_cell) {
      const auto by_fill = [](const CellAudit* a, const CellAudit* b) {
        return a->fill_mean < b->fill_mean;
      };
      const auto [least, most] = std::minmax_element(lengths.begin(), lengths.end(), by_fill);
      if ((*most)->fill_mean - (*least)->fill_mean > kAllowedFillDrift) {
        found.push_back({FindingKind::kFillDrift, true, name,
                         fmt::format("filled to {:.1f} % at {} and to {:.1f} % at {}",
                                     100 * (*least)->fill_mean, (*least)->length,
                                     100 * (*most)->fill_mean, (*most)->length)});
      }
      const auto by_depth = [](const CellAudit* a, const CellAudit* b) {
        return a->depth_mean < b->depth_mean;
      };
      const auto [early, late] = std::minmax_element(lengths.begin(), lengths.end(), by_depth);
      const bool enough = (*early)->samples >= 20 && (*late)->samples >= 20;
      if (enough && (*late)->depth_mean - (*early)->depth_mean > kAllowedDepthDrift) {
        found.push_back(
            {FindingKind::kFillDrift, false, name,
             fmt::format("evidence lies at depth {:.2f} on average at {} and at {:.2f} at {}",
                         (*early)->depth_mean, (*early)->length, (*late)->depth_mean,
                         (*late)->length)});
      }
    }
    for (Finding& finding : found) report(std::move(finding));
  }

  const AuditOptions& options_;
  AuditResult result_;
  std::map<std::pair<std::string, int64_t>, CellSums> cells_;
  std::map<std::pair<FindingKind, bool>, size_t> shown_;
  std::set<std::string> ids_;
  std::unordered_map<std::string, std::string> prompts_;
  std::unordered_map<std::string, std::pair<std::string, std::string>> contents_;
};

}  // namespace

const char* to_text(FindingKind kind) {
  switch (kind) {
    case FindingKind::kTokenCount:
      return "token count";
    case FindingKind::kLength:
      return "length";
    case FindingKind::kEvidenceSpan:
      return "evidence span";
    case FindingKind::kAnswerMissing:
      return "answer missing";
    case FindingKind::kAnswerElsewhere:
      return "answer elsewhere";
    case FindingKind::kCollision:
      return "collision";
    case FindingKind::kTie:
      return "tie";
    case FindingKind::kDuplicatePrompt:
      return "duplicate prompt";
    case FindingKind::kDuplicateId:
      return "duplicate id";
    case FindingKind::kRepeatedLayout:
      return "repeated layout";
    case FindingKind::kDepthDistribution:
      return "depth distribution";
    case FindingKind::kTruncationRisk:
      return "truncation risk";
    case FindingKind::kContentDrift:
      return "content drift";
    case FindingKind::kFillDrift:
      return "drift";
  }
  return "";
}

Result<AuditResult> audit_samples(SampleReader& reader, const Tokenizer& tokenizer,
                                  const AuditOptions& options) {
  const size_t batch_size =
      4 * static_cast<size_t>(options.threads > 0 ? options.threads : available_cores());
  Collector collector(options);
  while (true) {
    std::vector<Sample> batch;
    while (batch.size() < batch_size) {
      TRY(std::optional<Sample> sample, reader.next());
      if (!sample) break;
      batch.push_back(std::move(*sample));
    }
    std::vector<AuditFacts> facts(batch.size());
    parallel_for(batch.size(), options.threads,
                 [&](size_t i) { facts[i] = audit_sample(batch[i], tokenizer, options); });
    for (AuditFacts& each : facts) collector.add(std::move(each));
    if (batch.size() < batch_size) break;
  }
  return collector.finish();
}

Json audit_to_json(const AuditResult& result) {
  Json cells = Json::array();
  for (const CellAudit& cell : result.cells) {
    cells.push_back({{"cell", cell.cell},
                     {"length", cell.length},
                     {"samples", cell.samples},
                     {"exact", cell.exact},
                     {"off_by_max", cell.off_by_max},
                     {"fill_min", cell.fill_min},
                     {"fill_mean", cell.fill_mean},
                     {"depth_mean", cell.depth_mean},
                     {"depth_p", cell.depth_p},
                     {"distance_mean", cell.distance_mean},
                     {"span_mean", cell.span_mean},
                     {"blocks_mean", cell.blocks_mean},
                     {"answer_tokens_max", cell.answer_tokens_max},
                     {"reserve_min", cell.reserve_min},
                     {"layouts", cell.layouts}});
  }
  Json findings = Json::array();
  for (const Finding& finding : result.findings) {
    findings.push_back({{"kind", to_text(finding.kind)},
                        {"breach", finding.breach},
                        {"place", finding.place},
                        {"detail", finding.detail}});
  }
  return {{"passed", result.passed()},   {"samples", result.samples},
          {"breaches", result.breaches}, {"notes", result.notes},
          {"cells", std::move(cells)},   {"findings", std::move(findings)}};
}

std::string audit_to_text(const AuditResult& result) {
  std::string text = fmt::format("{:<34} {:>9} {:>8} {:>7} {:>6} {:>7} {:>6} {:>8} {:>9} {:>7}\n",
                                 "task", "length", "samples", "exact", "off by", "fill %", "depth",
                                 "depth p", "distance", "blocks");
  for (const CellAudit& cell : result.cells) {
    text +=
        fmt::format("{:<34} {:>9} {:>8} {:>7} {:>6} {:>7.2f} {:>6.2f} {:>8.2g} {:>9.0f} {:>7.1f}\n",
                    cell.cell, cell.length == 0 ? "none" : std::to_string(cell.length),
                    cell.samples, cell.exact, cell.off_by_max, 100 * cell.fill_mean,
                    cell.depth_mean, cell.depth_p, cell.distance_mean, cell.blocks_mean);
  }
  for (const Finding& finding : result.findings) {
    text += fmt::format("{} {} [{}] {}\n", finding.breach ? "BREACH" : "note  ", finding.place,
                        to_text(finding.kind), finding.detail);
  }
  const auto shown = static_cast<int64_t>(result.findings.size());
  if (shown < result.breaches + result.notes) {
    text += fmt::format("… and {} more of these kinds\n", result.breaches + result.notes - shown);
  }
  text += fmt::format("{} samples: {} breaches, {} notes\n", result.samples, result.breaches,
                      result.notes);
  return text;
}

}  // namespace fathom
