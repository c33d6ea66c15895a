// Two runs on the same samples, held against each other: what differs in how they were made, who
// wins where, and what the data can and cannot show (spec S4; docs/formats/comparison.md).
//
//   TRY(const Comparison comparison, compare_runs(baseline, candidate, {}));
//
// Samples are paired by id and hash: the same prompt, byte for byte. The figure compared is
// usability: a failed request counts as wrong. Differences are candidate minus baseline ("B - A").
//
// Independence. Samples that share a haystack, and the same sample at several lengths (same
// needles, same question), are one cluster: intervals and tests see clusters, not samples. Where
// every cluster holds one pair and all scores are 0 or 1, the test is McNemar's exact one;
// otherwise the sign-flip permutation test on the clusters' sums of differences (which is the same
// test where both apply).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "results/results.h"
#include "results/run_description.h"
#include "run/record.h"
#include "stats/estimate.h"
#include "stats/paired.h"

namespace fathom {

// Which score of an answer counts.
enum class Reading {
  kOfficial,  // the benchmark's own metric
  kStrict,    // also no denial, no hedge, no wrong candidate beside the right one
};
[[nodiscard]] std::string_view to_text(Reading reading);  // "official", "strict"

enum class GroupKind { kCell, kTask, kLength, kCategory, kAll };
[[nodiscard]] std::string_view to_text(GroupKind kind);  // "cell", "task", "length" …

struct ComparisonOptions {
  Reading reading = Reading::kOfficial;
  bool shared_only = false;  // compare what both have and leave the rest out
  bool unpaired = false;     // do not pair: two independent groups of samples per cell
  double wanted = 0.02;      // the difference that ComparedGroup::needed is for; 0 < wanted < 1
  double confidence = kConfidence;
  std::vector<int64_t> lengths = {};  // only samples of these lengths; empty: all
  // For gates: in groups of this kind the limits of `difference` are each one-sided at
  // `confidence`, by non_inferiority_bound().
  std::optional<GroupKind> one_sided = {};
};

// One run as compare_runs() needs it. Everything is owned by the caller and must outlive the call.
struct ComparedRun {
  const Results* results = nullptr;
  const RunDescription* description = nullptr;
  const RunRecord* record = nullptr;  // may be null: settings are then compared by description only
};

// A setting that is not the same in both.
struct ConditionDifference {
  std::string name;  // "Model: Name", "Decoding: Sampling"
  std::string a;
  std::string b;
  bool decides = true;  // can change answers; false: machine, dates
  bool operator==(const ConditionDifference&) const = default;
};

enum class PairOutcome {
  kBothRight,  // equal, and fully right
  kLost,       // the baseline scored higher
  kGained,     // the candidate scored higher
  kBothWrong,  // equal, and not fully right
};
[[nodiscard]] std::string_view to_text(
    PairOutcome outcome);  // "both-right", "lost", "gained", "both-wrong"

// A sample that both runs answered: a case for the casebook. Rows count in Results::samples and
// Results::rows of each run.
struct ComparedSample {
  std::string id = {};
  size_t row_a = 0;
  size_t row_b = 0;
  double a = 0;  // score, failures 0
  double b = 0;
  PairOutcome outcome = PairOutcome::kBothWrong;
  bool operator==(const ComparedSample&) const = default;
};

enum class DifferenceTest {
  kNone,      // nothing to test: no pair, or every pair alike
  kMcNemar,   // exact, two-sided
  kSignFlip,  // permutation of the clusters' signs, two-sided
  kUnpaired,  // the level at which the interval of the difference of two means touches 0
};
[[nodiscard]] std::string_view to_text(DifferenceTest test);  // "exact McNemar", "sign-flip" …

// Both runs on one set of samples: a cell, or cells pooled. In a pool every pair weighs the same
// (unpaired: every task). Controls and variants are cells of their own and in no pool.
struct ComparedGroup {
  GroupKind kind = GroupKind::kAll;
  std::string cell = {};      // kCell, kTask: the row's name, "vt[hops=4]"
  std::string category = {};  // kCell, kTask, kCategory
  int64_t length = 0;         // kCell, kLength; 0 in a cell: a control
  bool ordinary = true;       // false: a cell that is a control or a variant, and so in no pool
  int64_t pairs = 0;          // unpaired: 0
  int64_t clusters = 0;
  // both: equal and fully right; only_a: the baseline scored higher; only_b: the candidate did;
  // neither: equal and not fully right. Unpaired: all 0.
  PairedCounts counts = {};
  Estimate a = {};  // mean score of the baseline over these samples
  Estimate b = {};
  Estimate difference = {};  // b - a, in [-1, 1]; unknown where there is nothing to compare
  DifferenceTest test = DifferenceTest::kNone;
  double p = 1;       // of the hypothesis that both are equally good
  double p_holm = 1;  // among the groups of the same kind
  double p_bh = 1;    // Benjamini-Hochberg among the groups of the same kind
  // The smallest true difference that as many pairs with as much disagreement would show (5 %
  // two-sided) four times in five; 0: not known.
  double detectable = 0;
  int64_t needed = 0;  // pairs it takes to show ComparisonOptions::wanted as often; 0: not known

  bool operator==(const ComparedGroup&) const = default;
};
[[nodiscard]] std::string name_of(const ComparedGroup& group);  // "vt at 4K", "4K", "all samples"

// How far a group's p value has to fall to be called a difference: 1 - confidence.
[[nodiscard]] bool differs(const ComparedGroup& group, const ComparisonOptions& options);

struct Comparison {
  RunDescription a;  // the baseline
  RunDescription b;
  ComparisonOptions options;
  std::vector<ConditionDifference> conditions;  // those that can change answers first
  int64_t shared = 0;                           // samples with the same id and hash in both
  int64_t only_a = 0;                           // ids that only the baseline has
  int64_t only_b = 0;
  int64_t changed = 0;  // same id, another hash
  int64_t not_run = 0;  // shared, and not yet answered in at least one of the two: left out

  ComparedGroup all;                      // every pair
  std::vector<ComparedGroup> tasks;       // in the order of the baseline's tasks
  std::vector<ComparedGroup> categories;  // in order of first appearance
  std::vector<ComparedGroup> lengths;     // ascending
  std::vector<ComparedGroup> cells;       // task-major
  std::vector<ComparedSample> samples;    // every pair, in the baseline's order; unpaired: empty
};

// Errors (kUsage, in words that name samples and counts and say which flag helps): the runs do not
// have the same samples and neither `shared_only` nor `unpaired` is set; nothing is shared; nothing
// is answered in both. O(n log n) plus the permutation tests.
[[nodiscard]] Result<Comparison> compare_runs(const ComparedRun& a, const ComparedRun& b,
                                              const ComparisonOptions& options);

// The result in a sentence or two: "B is worse than A by 3.1 points (95 %: 1.2 to 5.0) on 1,300
// shared samples; worst cell vt at 4K (−12.0); no cell differs after Holm's correction."
[[nodiscard]] std::string comparison_verdict(const Comparison& comparison);

// Settings that differ between two runs, those that can change answers first. `record`s may be
// null.
[[nodiscard]] std::vector<ConditionDifference> differing_conditions(const ComparedRun& a,
                                                                    const ComparedRun& b);

}  // namespace fathom
