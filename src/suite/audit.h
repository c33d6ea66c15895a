// Checks a dataset without any model (G11): is every sample what it says, and does nothing but the
// length change between lengths?
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "io/json.h"
#include "suite/dataset.h"
#include "task/sample.h"
#include "tokenizer/tokenizer.h"

namespace fathom {

struct AuditOptions {
  bool add_special = true;  // as the samples were counted (Recipe::add_special)
  LengthCounts length_counts = LengthCounts::kPromptAndReserve;
  int64_t allowed_off_by = 1;   // tokens
  int64_t block_tokens = 64;    // evidence span is given in blocks of this size
  double significance = 0.001;  // of the depth test, per cell
  int threads = 0;
};

enum class FindingKind {
  kTokenCount,       // the re-encoded prompt has another number of tokens than the sample says
  kLength,           // total misses the target by more than allowed, or off_by is wrong
  kEvidenceSpan,     // bytes, tokens or depth of an evidence are not where the sample says
  kAnswerMissing,    // a reference does not occur in its evidence, or nowhere
  kAnswerElsewhere,  // a reference occurs in the prompt outside evidence
  kCollision,        // a distractor carries the same key or value as the evidence
  kTie,              // two words are equally frequent where the answer depends on the order
  kDuplicatePrompt,
  kDuplicateId,
  kRepeatedLayout,     // the evidence of samples of one cell lies at the same places
  kDepthDistribution,  // depths are not spread as they should be
  kTruncationRisk,     // the reserve is smaller than the longest reference answer
  kContentDrift,       // the same index has other references or questions at another length
  kFillDrift,          // how full the samples are, or where evidence lies, changes with length
};
[[nodiscard]] const char* to_text(FindingKind kind);

struct Finding {
  FindingKind kind = FindingKind::kTokenCount;
  bool breach = true;  // false: a note, which does not fail the audit
  std::string place;   // sample id, or cell and length
  std::string detail;
  bool operator==(const Finding&) const = default;
};

// One cell at one length.
struct CellAudit {
  std::string cell;
  int64_t length = 0;
  int64_t samples = 0;
  double fill_min = 0;  // total / length
  double fill_mean = 0;
  int64_t off_by_max = 0;  // largest |total - length|
  int64_t exact = 0;       // samples exactly at their length
  double depth_mean = 0;   // of evidence that is not a distractor
  double depth_p = 1;      // uniformity of depths (Kolmogorov–Smirnov); 1 where there are too few
  double distance_mean = 0;       // tokens from the last evidence to the end of the prompt
  double span_mean = 0;           // tokens from the first to the last evidence
  double blocks_mean = 0;         // blocks that evidence touches
  int64_t answer_tokens_max = 0;  // longest references of a sample, joined
  int64_t reserve_min = 0;
  int64_t layouts = 0;  // distinct evidence placements
};

struct AuditResult {
  int64_t samples = 0;
  std::vector<CellAudit> cells;   // by cell, then length
  std::vector<Finding> findings;  // breaches first; at most 20 of a kind, the rest counted
  int64_t breaches = 0;
  int64_t notes = 0;
  [[nodiscard]] bool passed() const { return breaches == 0; }
};

// Streams the samples; memory grows with the number of samples (about 300 bytes each), not with
// their text.
[[nodiscard]] Result<AuditResult> audit_samples(SampleReader& reader, const Tokenizer& tokenizer,
                                                const AuditOptions& options);

[[nodiscard]] Json audit_to_json(const AuditResult& result);
// Plain lines for a terminal: one table row a cell, then findings.
[[nodiscard]] std::string audit_to_text(const AuditResult& result);

}  // namespace fathom
