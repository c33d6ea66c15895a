// What recorded selections say beyond each sample's coverage: by step and by layer, of tasks that
// count words, and whether wordings and arms read the same (spec A4; docs/formats/arms.md,
// "arms-summary.json").
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "attention/selection_log.h"
#include "base/result.h"
#include "coverage/coverage.h"
#include "results/arm_folder.h"
#include "results/sample_places.h"

namespace fathom {

// Logs are studied of the first samples of each cell: of every cell alike, and as few as a summary
// can read each time.
inline constexpr int64_t kStudiedOfACell = 8;

enum class AnswerStep {
  kQuestion,  // of the prompt after the context, but for its last token
  kFirst,     // of the prompt's last token: it writes the answer's first
  kLater,
};
[[nodiscard]] std::string_view to_text(AnswerStep step);  // "question", "first", "later"

// Means over a sample's steps of the kind, then over samples with evidence.
struct StepReading {
  AnswerStep step = AnswerStep::kQuestion;
  int64_t samples = 0;  // that have such steps
  double recall = 0;    // as StepCoverage has them
  double joint = 0;
  double union_joint = 0;
  double hops = 0;
  bool operator==(const StepReading&) const = default;
};

// Of samples that count words: means over masked layers, then over samples (see CountedReading).
struct WordCounts {
  int64_t samples = 0;
  double seen = 0;
  double seen_wanted = 0;
  int64_t correlated = 0;  // samples with a correlation
  std::optional<double> rank_correlation = std::nullopt;
  double gap = 0;
  double true_gap = 0;
  double told_apart = 0;
  bool operator==(const WordCounts&) const = default;
};

// Mean Jaccard index of what is read of the context while the answer is written: over steps, then
// layers, then samples.
struct LogOverlap {
  std::string a;  // an arm; of one arm's variants empty: the ordinary cell
  std::string b;  // an arm, or "wording=question_first"
  int64_t samples = 0;
  double jaccard = 0;
  bool operator==(const LogOverlap&) const = default;
};

struct ArmReading {
  std::string arm;
  int64_t samples = 0;              // studied
  std::vector<StepReading> steps;   // kinds that occur, in order
  std::vector<LayerGroup> thirds;   // early, middle, late layers, of all samples with a coverage
  std::optional<WordCounts> words;  // none: no sample counts words
  // The ordinary sample and its variants whose context stays: other wordings, places of the
  // instruction, hops asked for.
  std::vector<LogOverlap> variants;
};

struct LogStudy {
  std::vector<ArmReading> arms;   // those with logs
  std::vector<LogOverlap> pairs;  // of them, every two
};

struct ArmLogs {
  std::string arm;
  std::map<std::string, SelectionLog> logs;  // by sample
  SampleCoverage coverage = {};              // mean over the arm's samples
};

// `index`: what is known of the samples; `places`: where known. Means are taken in the order of
// ids, so that they depend on nothing else.
[[nodiscard]] LogStudy log_study(std::span<const ArmLogs> arms,
                                 const std::vector<SampleLine>& index, const PlacesById& places);

// Out of a study's folder. Arms without a log are left out. Reads every log once and makes the
// samples again that it studies. Errors: kInput, kIo, those of the dataset.
[[nodiscard]] Result<LogStudy> read_log_study(const std::string& folder,
                                              std::span<const FinishedArm> arms);

}  // namespace fathom
