// How far the official and the strict reading agree with labels that people gave (J2).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "io/json.h"
#include "results/label_file.h"
#include "run/attempt.h"
#include "stats/agreement.h"

namespace fathom {

// Labels and scores fall into three classes: wrong (0), partly (between), right (1).
inline constexpr size_t kLabelClasses = 3;
[[nodiscard]] size_t label_class(double score);
[[nodiscard]] std::string_view label_class_name(size_t label_class);  // "wrong", "partly", "right"

struct ReadingAgreement {
  ConfusionMatrix confusion;  // labels × grades
  Estimate accuracy;
  Estimate kappa;
};

struct JudgedReply {
  std::string id;  // of the sample, else the label's place
  std::string task;
  std::string answer;
  double label = 0;
  double official = 0;
  double strict = 0;
  std::optional<Miss> labelled_miss = std::nullopt;
  std::optional<MissNote> miss = std::nullopt;  // the main one; none where strict is 1
};

struct GraderAgreement {
  std::vector<JudgedReply> replies;  // in the labels' order
  ReadingAgreement official;
  ReadingAgreement strict;
  int64_t misses_labelled = 0;  // replies whose label names a kind
  int64_t misses_agreed = 0;
  Estimate miss_accuracy;  // without values where no kind is labelled
};

// Labels without an answer of their own are looked up among `samples` and their first attempts; one
// whose sample is unknown, not run or not complete is an error that names it. `threads` as in
// parallel_for.
[[nodiscard]] Result<GraderAgreement> grader_agreement(std::span<const LabelledReply> labels,
                                                       std::span<const SampleFacts> samples,
                                                       std::span<const Attempt> attempts,
                                                       int threads);

[[nodiscard]] bool agrees(const JudgedReply& reply);       // the strict reading with the label
[[nodiscard]] bool miss_agrees(const JudgedReply& reply);  // also where no kind is labelled
[[nodiscard]] Json agreement_json(const GraderAgreement& agreement);

}  // namespace fathom
