#include "results/comparison.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

#include "results/sample_clusters.h"
#include "stats/clustered.h"
#include "stats/corrections.h"
#include "stats/macro_mean.h"
#include "stats/power.h"

namespace fathom {
namespace {

constexpr size_t kNamedSamples = 3;  // in messages
constexpr int64_t kMostBounded = 20'000;
constexpr int kBisections = 50;
constexpr double kNormal95 =
    1.959963984540054;  // half the width of a 95 % interval in standard errors

// Of a sample's first attempt; none while it is not run.
std::optional<double> score_at(const Results& results, size_t row, Reading reading) {
  if (!results.rows[row].score) return std::nullopt;
  const ScoredAttempt& attempt = results.scores[*results.rows[row].score];
  const std::optional<double>& score =
      reading == Reading::kStrict ? attempt.strict : attempt.official;
  return score.value_or(0.0);
}

bool is_ordinary(const Results& results, size_t row) {
  return results.samples[row].variant.ordinary();
}

// ---- which samples are shared

struct Overlap {
  std::vector<std::pair<size_t, size_t>> shared;  // rows of A and B
  std::vector<std::string> only_a;                // ids
  std::vector<std::string> only_b;
  std::vector<std::string> changed;
};

bool wanted_length(const SampleFacts& sample, const std::vector<int64_t>& lengths) {
  return lengths.empty() ||
         std::find(lengths.begin(), lengths.end(), sample.length) != lengths.end();
}

Overlap overlap_of(const Results& a, const Results& b, const std::vector<int64_t>& lengths) {
  std::unordered_map<std::string_view, size_t> row_b;
  for (size_t i = 0; i < b.samples.size(); ++i) row_b.try_emplace(b.samples[i].id, i);
  Overlap overlap;
  std::vector<bool> met(b.samples.size(), false);
  for (size_t i = 0; i < a.samples.size(); ++i) {
    if (!wanted_length(a.samples[i], lengths)) continue;
    const auto found = row_b.find(a.samples[i].id);
    if (found == row_b.end()) {
      overlap.only_a.push_back(a.samples[i].id);
      continue;
    }
    met[found->second] = true;
    if (a.samples[i].hash == b.samples[found->second].hash) {
      overlap.shared.emplace_back(i, found->second);
    } else {
      overlap.changed.push_back(a.samples[i].id);
    }
  }
  for (size_t i = 0; i < b.samples.size(); ++i)
    if (!met[i] && wanted_length(b.samples[i], lengths)) overlap.only_b.push_back(b.samples[i].id);
  return overlap;
}

std::string some_of(const std::vector<std::string>& ids) {
  std::string words;
  for (size_t i = 0; i < std::min(ids.size(), kNamedSamples); ++i)
    words += (i == 0 ? "" : ", ") + ids[i];
  return ids.size() > kNamedSamples ? words + ", …" : words;
}

// Why the two cannot be paired, with counts, names and the way out.
Error not_the_same_samples(const Overlap& overlap, const std::string& a, const std::string& b) {
  std::string words = fmt::format("{} and {} do not have the same samples:", a, b);
  const auto add = [&](const std::vector<std::string>& ids, const std::string& what) {
    if (!ids.empty()) words += fmt::format(" {} {} ({});", ids.size(), what, some_of(ids));
  };
  add(overlap.only_a, "only in " + a);
  add(overlap.only_b, "only in " + b);
  add(overlap.changed,
      "with the same id and another content (another tokenizer, template, seed or text)");
  if (overlap.shared.empty())
    return {ErrorCode::kUsage,
            words +
                " none is shared. Run both on one dataset (fathom generate, then fathom run "
                "FOLDER), or compare them as independent groups with --unpaired"};
  return {ErrorCode::kUsage,
          words + fmt::format(" {} {} shared: --shared compares {}, --unpaired compares all as "
                              "independent groups",
                              overlap.shared.size(), overlap.shared.size() == 1 ? "is" : "are",
                              overlap.shared.size() == 1 ? "it" : "those")};
}

// ---- estimates of a group of pairs

struct PairSet {
  std::vector<double> a;
  std::vector<double> b;
  std::vector<int64_t> clusters;

  void add(double score_a, double score_b, int64_t cluster) {
    a.push_back(score_a);
    b.push_back(score_b);
    clusters.push_back(cluster);
  }
};

int64_t distinct(std::vector<int64_t> numbers) {
  std::sort(numbers.begin(), numbers.end());
  return std::unique(numbers.begin(), numbers.end()) - numbers.begin();
}

bool only_right_or_wrong(const std::vector<double>& scores) {
  return std::all_of(scores.begin(), scores.end(), [](double x) { return x == 0 || x == 1; });
}

PairOutcome outcome_of(double a, double b) {
  if (a > b) return PairOutcome::kLost;
  if (b > a) return PairOutcome::kGained;
  return a >= 1 ? PairOutcome::kBothRight : PairOutcome::kBothWrong;
}

PairedCounts counts_of(const PairSet& pairs) {
  PairedCounts counts;
  for (size_t i = 0; i < pairs.a.size(); ++i) {
    switch (outcome_of(pairs.a[i], pairs.b[i])) {
      case PairOutcome::kBothRight:
        ++counts.both;
        break;
      case PairOutcome::kLost:
        ++counts.only_a;
        break;
      case PairOutcome::kGained:
        ++counts.only_b;
        break;
      case PairOutcome::kBothWrong:
        ++counts.neither;
        break;
    }
  }
  return counts;
}

// What one pair adds to the variance of the mean difference, clusters counted: at least what pairs
// by themselves show.
double variance_per_pair(const ComparedGroup& group, const PairSet& pairs,
                         const ComparisonOptions& options) {
  const bool at_hand = options.confidence == kConfidence && options.one_sided != group.kind;
  const Estimate usual =
      at_hand ? group.difference : paired_difference(pairs.a, pairs.b, pairs.clusters);
  const double error = (usual.high - usual.low) / (2 * kNormal95);
  return std::max(difference_variance(pairs.a, pairs.b),
                  error * error * static_cast<double>(group.pairs));
}

// Limits that a gate may rely on, each wrong no more often than it says: the lower one as A's is
// computed, the upper one with the runs changed over.
void set_one_sided(ComparedGroup& group, const PairSet& pairs, std::span<const int64_t> clusters,
                   double confidence) {
  Estimate& difference = group.difference;
  if (group.clusters > kMostBounded) {  // so many that the bounds no longer differ
    difference = paired_difference(pairs.a, pairs.b, clusters, 2 * confidence - 1);
    return;
  }
  difference.low = non_inferiority_bound(pairs.a, pairs.b, clusters, confidence);
  difference.high = -non_inferiority_bound(pairs.b, pairs.a, clusters, confidence);
  difference.method = IntervalMethod::kGaffke;
}

void fill_paired(ComparedGroup& group, const PairSet& pairs, const ComparisonOptions& options) {
  group.pairs = static_cast<int64_t>(pairs.a.size());
  if (group.pairs == 0) return;
  group.clusters = distinct(pairs.clusters);
  group.counts = counts_of(pairs);
  const bool alone = group.clusters == group.pairs;
  const std::span<const int64_t> clusters =
      alone ? std::span<const int64_t>() : std::span<const int64_t>(pairs.clusters);
  group.a = clustered_mean_score(pairs.a, pairs.clusters, options.confidence);
  group.b = clustered_mean_score(pairs.b, pairs.clusters, options.confidence);
  group.difference = paired_difference(pairs.a, pairs.b, clusters, options.confidence);
  if (options.one_sided == group.kind) set_one_sided(group, pairs, clusters, options.confidence);
  const bool exact = alone && only_right_or_wrong(pairs.a) && only_right_or_wrong(pairs.b);
  if (exact) {
    const double disagreement = std::max(discordance(group.counts), options.wanted);
    group.detectable = detectable_difference_mcnemar(group.pairs, discordance(group.counts));
    group.needed = pairs_needed_mcnemar(options.wanted, disagreement);
  } else {
    const double variance = variance_per_pair(group, pairs, options);
    group.detectable = detectable_difference(group.pairs, variance);
    group.needed = pairs_needed(options.wanted, variance);
  }
  if (group.counts.discordant() == 0) return;
  group.test = exact ? DifferenceTest::kMcNemar : DifferenceTest::kSignFlip;
  SignFlipOptions flips;
  flips.clusters = clusters;
  flips.key = RandomKey(0).with("compare").with(name_of(group));
  group.p = exact ? mcnemar_exact(group.counts) : sign_flip_test(pairs.a, pairs.b, flips).p;
}

// Adjusted p values among groups of one kind; those without data have none.
void correct(std::vector<ComparedGroup>& groups) {
  std::vector<double> p_values;
  for (const ComparedGroup& group : groups)
    if (group.difference.known()) p_values.push_back(group.p);
  const std::vector<double> by_holm = holm(p_values);
  const std::vector<double> by_bh = benjamini_hochberg(p_values);
  size_t next = 0;
  for (ComparedGroup& group : groups) {
    if (!group.difference.known()) continue;
    group.p_holm = by_holm[next];
    group.p_bh = by_bh[next];
    ++next;
  }
}

// ---- the groups of a comparison: the axes of the baseline's table

std::vector<ComparedGroup> groups_of(const Results& results) {
  std::vector<ComparedGroup> groups = {{.kind = GroupKind::kAll}};
  std::map<std::pair<size_t, int64_t>, bool> cells;  // row of the table, length: ordinary
  std::set<size_t> tasks;
  std::set<int64_t> lengths;
  std::vector<std::string> categories;
  for (size_t row = 0; row < results.rows.size(); ++row) {
    cells[{results.rows[row].task, results.samples[row].length}] = is_ordinary(results, row);
    if (!is_ordinary(results, row)) continue;
    tasks.insert(results.rows[row].task);
    lengths.insert(results.samples[row].length);
    const std::string& category = results.tasks[results.rows[row].task].category;
    if (std::find(categories.begin(), categories.end(), category) == categories.end())
      categories.push_back(category);
  }
  for (const size_t task : tasks)
    groups.push_back({.kind = GroupKind::kTask,
                      .cell = results.tasks[task].cell,
                      .category = results.tasks[task].category});
  for (const std::string& category : categories)
    groups.push_back({.kind = GroupKind::kCategory, .category = category});
  for (const int64_t length : lengths)
    groups.push_back({.kind = GroupKind::kLength, .length = length});
  for (const auto& [place, ordinary] : cells)
    groups.push_back({.kind = GroupKind::kCell,
                      .cell = results.tasks[place.first].cell,
                      .category = results.tasks[place.first].category,
                      .length = place.second,
                      .ordinary = ordinary});
  return groups;
}

bool counts_in(const ComparedGroup& group, const Results& results, size_t row) {
  const ResultTask& task = results.tasks[results.rows[row].task];
  const int64_t length = results.samples[row].length;
  switch (group.kind) {
    case GroupKind::kCell:
      return task.cell == group.cell && length == group.length;
    case GroupKind::kTask:
      return is_ordinary(results, row) && task.cell == group.cell;
    case GroupKind::kLength:
      return is_ordinary(results, row) && length == group.length;
    case GroupKind::kCategory:
      return is_ordinary(results, row) && task.category == group.category;
    case GroupKind::kAll:
      return is_ordinary(results, row);
  }
  return false;
}

void place(Comparison& comparison, std::vector<ComparedGroup> groups) {
  for (ComparedGroup& group : groups) {
    switch (group.kind) {
      case GroupKind::kCell:
        comparison.cells.push_back(std::move(group));
        break;
      case GroupKind::kTask:
        comparison.tasks.push_back(std::move(group));
        break;
      case GroupKind::kLength:
        comparison.lengths.push_back(std::move(group));
        break;
      case GroupKind::kCategory:
        comparison.categories.push_back(std::move(group));
        break;
      case GroupKind::kAll:
        comparison.all = std::move(group);
        break;
    }
  }
  for (auto* kind :
       {&comparison.cells, &comparison.tasks, &comparison.lengths, &comparison.categories})
    correct(*kind);
  std::vector<ComparedGroup> whole = {comparison.all};
  correct(whole);
  comparison.all = whole.front();
}

void compare_paired(Comparison& comparison, const Results& a, const Results& b,
                    const Overlap& overlap) {
  const Reading reading = comparison.options.reading;
  for (const auto& [row_a, row_b] : overlap.shared) {
    const auto score_a = score_at(a, row_a, reading);
    const auto score_b = score_at(b, row_b, reading);
    if (!score_a || !score_b) {
      ++comparison.not_run;
      continue;
    }
    comparison.samples.push_back(
        {a.samples[row_a].id, row_a, row_b, *score_a, *score_b, outcome_of(*score_a, *score_b)});
  }
  const std::vector<int64_t> clusters = sample_clusters(a);
  std::vector<ComparedGroup> groups = groups_of(a);
  for (ComparedGroup& group : groups) {
    PairSet pairs;
    for (const ComparedSample& sample : comparison.samples)
      if (counts_in(group, a, sample.row_a)) pairs.add(sample.a, sample.b, clusters[sample.row_a]);
    fill_paired(group, pairs, comparison.options);
  }
  place(comparison, std::move(groups));
}

// ---- unpaired: each run by itself, over the cells that both have

using Cells = std::set<std::pair<std::string, int64_t>>;  // row of the table, length

TaskScores scores_in(const Results& results, const std::vector<int64_t>& clusters,
                     const ComparedGroup& group, Reading reading, const Cells& common) {
  TaskScores scores;
  for (size_t row = 0; row < results.rows.size(); ++row) {
    const std::string& cell = results.tasks[results.rows[row].task].cell;
    if (!counts_in(group, results, row) || !common.contains({cell, results.samples[row].length}))
      continue;
    if (const auto score = score_at(results, row, reading))
      scores.add(*score, results.rows[row].task, clusters[row]);
  }
  return scores;
}

// Cells in which a run has an answer.
Cells answered_cells(const Results& results, const ComparisonOptions& options) {
  Cells cells;
  for (size_t row = 0; row < results.rows.size(); ++row)
    if (wanted_length(results.samples[row], options.lengths) &&
        score_at(results, row, options.reading))
      cells.emplace(results.tasks[results.rows[row].task].cell, results.samples[row].length);
  return cells;
}

// The level at which the interval of the difference just touches 0.
double unpaired_p(const TaskScores& a, const TaskScores& b) {
  double excluded = 0;  // 0 lies outside the interval at this confidence
  double included = 1;
  for (int i = 0; i < kBisections; ++i) {
    const double confidence = (excluded + included) / 2;
    const Estimate difference =
        unpaired_difference(macro_mean(a, confidence), macro_mean(b, confidence));
    const bool outside = difference.low > 0 || difference.high < 0;
    (outside ? excluded : included) = confidence;
    if (included - excluded < 1e-12) break;
  }
  return 1 - excluded;
}

void fill_unpaired(ComparedGroup& group, const TaskScores& a, const TaskScores& b,
                   const ComparisonOptions& options) {
  if (a.scores.empty() || b.scores.empty()) return;
  group.a = macro_mean(a, options.confidence);
  group.b = macro_mean(b, options.confidence);
  group.difference = unpaired_difference(group.a, group.b);
  const Estimate usual =
      unpaired_difference(macro_mean(a, kConfidence), macro_mean(b, kConfidence));
  const double error = (usual.high - usual.low) / (2 * kNormal95);
  const double variance = error * error * static_cast<double>(group.difference.n);
  group.detectable = detectable_difference(group.difference.n, variance);
  group.needed = pairs_needed(options.wanted, variance);
  group.test = DifferenceTest::kUnpaired;
  group.p = group.difference.value == 0 ? 1 : unpaired_p(a, b);
}

void compare_unpaired(Comparison& comparison, const Results& a, const Results& b) {
  const Reading reading = comparison.options.reading;
  const auto cells_a = answered_cells(a, comparison.options);
  const auto cells_b = answered_cells(b, comparison.options);
  Cells common;
  std::set_intersection(cells_a.begin(), cells_a.end(), cells_b.begin(), cells_b.end(),
                        std::inserter(common, common.end()));
  const std::vector<int64_t> clusters_a = sample_clusters(a);
  const std::vector<int64_t> clusters_b = sample_clusters(b);
  std::vector<ComparedGroup> groups = groups_of(a);
  for (ComparedGroup& group : groups)
    fill_unpaired(group, scores_in(a, clusters_a, group, reading, common),
                  scores_in(b, clusters_b, group, reading, common), comparison.options);
  place(comparison, std::move(groups));
}

// How messages call a run: its folder's name, or what stands for it.
std::string title(const RunDescription& run, const char* otherwise) {
  return run.name.empty() ? otherwise : run.name;
}

}  // namespace

bool differs(const ComparedGroup& group, const ComparisonOptions& options) {
  return group.difference.known() && group.p < 1 - options.confidence;
}

Result<Comparison> compare_runs(const ComparedRun& a, const ComparedRun& b,
                                const ComparisonOptions& options) {
  Comparison comparison;
  comparison.a = *a.description;
  comparison.b = *b.description;
  comparison.options = options;
  comparison.conditions = differing_conditions(a, b);
  const Overlap overlap = overlap_of(*a.results, *b.results, options.lengths);
  comparison.shared = static_cast<int64_t>(overlap.shared.size());
  comparison.only_a = static_cast<int64_t>(overlap.only_a.size());
  comparison.only_b = static_cast<int64_t>(overlap.only_b.size());
  comparison.changed = static_cast<int64_t>(overlap.changed.size());
  const std::string name_a = title(*a.description, "the first run");
  const std::string name_b = title(*b.description, "the second run");
  if (options.unpaired) {
    compare_unpaired(comparison, *a.results, *b.results);
    if (!comparison.all.difference.known())
      return fail(ErrorCode::kUsage,
                  "{} and {} have no task at the same length with answers in both: there is "
                  "nothing to compare",
                  name_a, name_b);
    return comparison;
  }
  const bool whole = overlap.only_a.empty() && overlap.only_b.empty() && overlap.changed.empty();
  if (overlap.shared.empty() || (!whole && !options.shared_only))
    return fail(not_the_same_samples(overlap, name_a, name_b));
  compare_paired(comparison, *a.results, *b.results, overlap);
  if (comparison.samples.empty())
    return fail(ErrorCode::kUsage,
                "{} and {} share {} samples, and none of them is answered in both yet: finish the "
                "runs first (the same fathom run command resumes)",
                name_a, name_b, comparison.shared);
  return comparison;
}

}  // namespace fathom
