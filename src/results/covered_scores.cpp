#include "results/covered_scores.h"

#include <algorithm>
#include <array>
#include <string>
#include <unordered_map>

#include "results/answered_scores.h"
#include "results/arm_study.h"
#include "stats/clustered.h"

namespace fathom {
namespace {

struct Bucket {
  std::vector<double> scores;
  std::vector<int64_t> clusters;
};
using Buckets = std::array<std::array<Bucket, kCoverageBuckets>, 3>;

constexpr std::array<CoverageMeasure, 3> kMeasures = {
    CoverageMeasure::kJoint, CoverageMeasure::kRecall, CoverageMeasure::kPath};

void add_arm(const FinishedArm& arm, const AnsweredScores& full, Buckets& buckets) {
  const Results& results = arm.run.results;
  std::unordered_map<std::string_view, const SampleCoverage*> covered;
  for (const SampleCoverage& each : arm.coverage) covered[each.sample_id] = &each;
  for (size_t row = 0; row < results.rows.size(); ++row) {
    const SampleFacts& facts = results.samples[row];
    const ScoredAttempt* score = results.score_of(row);
    const AnsweredScore* reference = full.find(facts);
    const auto coverage = covered.find(facts.id);
    if (score == nullptr || reference == nullptr || !reference->right()) continue;
    if (coverage == covered.end()) continue;
    for (size_t m = 0; m < kMeasures.size(); ++m) {
      const double share = coverage_by(kMeasures[m], *coverage->second);
      const auto place = static_cast<size_t>(
          std::clamp(static_cast<int>(share * kCoverageBuckets), 0, kCoverageBuckets - 1));
      buckets[m][place].scores.push_back(score->official.value_or(0));
      buckets[m][place].clusters.push_back(results.clusters[row]);
    }
  }
}

}  // namespace

std::string_view to_text(CoverageMeasure measure) {
  switch (measure) {
    case CoverageMeasure::kJoint:
      return "joint";
    case CoverageMeasure::kRecall:
      return "recall";
    case CoverageMeasure::kPath:
      return "path";
  }
  return "";
}

double coverage_by(CoverageMeasure measure, const SampleCoverage& coverage) {
  switch (measure) {
    case CoverageMeasure::kJoint:
      return coverage.joint;
    case CoverageMeasure::kRecall:
      return coverage.recall;
    case CoverageMeasure::kPath:
      return coverage.path;
  }
  return 0;
}

std::vector<CoveredScore> covered_scores(std::span<const FinishedArm> arms) {
  const auto full = std::ranges::find_if(
      arms, [](const FinishedArm& arm) { return arm.arm.options.kind == SelectorKind::kFull; });
  if (full == arms.end()) return {};
  const AnsweredScores reference(full->run.results);
  Buckets buckets;
  for (const FinishedArm& arm : arms)
    if (is_real(arm.arm)) add_arm(arm, reference, buckets);
  std::vector<CoveredScore> found;
  for (size_t m = 0; m < kMeasures.size(); ++m) {
    for (int b = 0; b < kCoverageBuckets; ++b) {
      const Bucket& bucket = buckets[m][static_cast<size_t>(b)];
      if (bucket.scores.empty()) continue;
      found.push_back({.measure = kMeasures[m],
                       .from = static_cast<double>(b) / kCoverageBuckets,
                       .below = static_cast<double>(b + 1) / kCoverageBuckets,
                       .score = clustered_mean_score(bucket.scores, bucket.clusters)});
    }
  }
  return found;
}

}  // namespace fathom
