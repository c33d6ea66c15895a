// The strict reading of an answer beside the benchmark's own (J2, J4): what stands whole, what else
// stands there, and whether the answer stands by it. docs/formats/scores.md, "The strict reading",
// says the same in words.
#pragma once

#include <string>
#include <vector>

#include "grade/expectation.h"
#include "grade/listed_items.h"
#include "grade/official_score.h"
#include "grade/phrases.h"
#include "task/metric.h"

namespace fathom {

// An answer taken apart once. `lowered` is what places and words count in.
struct AnswerText {
  std::string graded;    // after the metric's post-processing, up to a repeated instruction
  bool runs_on = false;  // the instruction is repeated behind it
  std::string lowered;   // Python's lower case of it
  std::vector<AnswerWord> words;
  std::vector<PhrasePlace> phrases;
};
// What follows a repetition of `opening`, the start of the instruction, is no part of the answer.
[[nodiscard]] AnswerText take_apart(std::string graded, const std::string& opening);

struct StrictReading {
  double score = 0;         // 0..1, never above the official one
  std::vector<bool> whole;  // per reference: stands whole somewhere, not negated
  std::vector<std::string>
      extras;  // wrong items that the task forbids, distinct, in the answer's order
  bool denies = false;
  bool looks_planted = false;
  bool hedges = false;
  bool repeats_prompt = false;
  bool swaps_keys = false;  // gives each key a value, and some key another's
  std::string why = {};     // the words of the denial, doubt or suspicion
};

[[nodiscard]] StrictReading read_strictly(Metric metric, const AnswerText& answer,
                                          const OfficialScore& official,
                                          const std::vector<std::string>& references,
                                          const Expectation& expectation);

}  // namespace fathom
