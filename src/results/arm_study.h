// Arms held against each other: what each scores, keeps of the evidence and reads, what it loses
// against full attention, and where (spec A4-A6).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "results/arm_folder.h"
#include "results/budget_study.h"
#include "results/comparison.h"
#include "results/cross_table.h"
#include "results/log_study.h"

namespace fathom {

struct ArmSummary {
  AttentionArm arm;
  Estimate score = {};                        // mean over all samples, failures wrong
  std::optional<ComparedGroup> against = {};  // full attention, all shared samples; b: this arm
  double p_holm = 1;  // of that difference, among the arms; those of failed samples by themselves
  SampleCoverage coverage = {};  // means over samples
  int64_t covered = 0;           // samples with a coverage
  int64_t asked = 0;             // samples that it is to answer
  int64_t right = 0;             // of them, those with a score of 1
  int64_t full_right = 0;        // of them, those that full attention answers so
  int64_t both_right = 0;        // of those, the right ones
  // Of the key-value pairs that full attention reads in the same steps, those that this one read,
  // what it read to select included.
  double read_share = 1;
  double kv_bytes = 0;  // read for one answer, in the masked steps; 0: not known
  double flops = 0;     // of attention, selection included, in the same steps; 0: not known
  // Another selector of its own scores at least as well and reads no more; certain: beyond both
  // intervals.
  bool dominated = false;
  bool surely_dominated = false;
};

struct ArmStudy {
  std::string model = {};             // "": not named
  int64_t unfinished = 0;             // arms that have not answered every sample
  std::vector<ArmSummary> arms;       // in the folder's order
  std::vector<BudgetStudy> budgets;   // one per selector with several budgets
  std::vector<CrossTable> crosses;    // one per real arm, where full and an oracle ran
  std::optional<PairedCounts> noise;  // full attention twice: what differs by chance
  LogStudy readings = {};             // read_log_study(); empty where that was not asked
};

// "quest-256-every4: of 12 samples that quest-256 failed 5 right (41.7 %, 19.3 to 68.0)…"; empty
// for an arm that is asked every sample.
[[nodiscard]] std::string intervention_words(const ArmSummary& arm);

[[nodiscard]] ArmStudy arm_study(std::span<const FinishedArm> arms);

// Whether `read_share` and what follows from it are known: of a selector that a server runs they
// are once its log was read (fathom coverage).
[[nodiscard]] bool knows_cost(const ArmSummary& arm);

// A selector of its own that is asked every sample: neither full nor told where the evidence is,
// and no intervention on the samples that another arm failed.
[[nodiscard]] bool is_real(const AttentionArm& arm);

}  // namespace fathom
