// Any bytes as an answer, a reference and what the prompt suggests: grading never crashes, and the
// strict score stays within 0 and the official one.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "grade/score.h"

namespace fathom {
namespace {

// The parts of the input between NUL bytes; missing ones are empty.
std::vector<std::string> parts_of(const uint8_t* data, size_t size) {
  std::vector<std::string> parts(1);
  for (size_t i = 0; i < size; ++i) {
    if (data[i] == 0) {
      parts.emplace_back();
    } else {
      parts.back() += static_cast<char>(data[i]);
    }
  }
  parts.resize(6);
  return parts;
}

void grade_any(const uint8_t* data, size_t size) {
  if (size < 2) return;
  constexpr Metric kMetrics[] = {Metric::kStringMatchAll, Metric::kStringMatchPart,
                                 Metric::kExactMatch, Metric::kSetMatch};
  constexpr AnswerForm kForms[] = {AnswerForm::kPlain, AnswerForm::kValues, AnswerForm::kChain,
                                   AnswerForm::kWords, AnswerForm::kSet,    AnswerForm::kDocuments};
  const std::vector<std::string> parts = parts_of(data + 2, size - 2);
  Expectation expectation;
  expectation.form = kForms[data[1] % std::size(kForms)];
  expectation.opening = parts[3];
  expectation.neighbours = {parts[4], parts[5]};
  expectation.keys = {parts[4], parts[5]};
  expectation.decoys = {{parts[4], static_cast<DecoyKind>(data[1] % 6), parts[5]}};
  const Score score =
      grade(kMetrics[data[0] % std::size(kMetrics)], parts[0], {parts[1], parts[2]}, expectation);
  const bool sound = score.strict >= 0 && score.strict <= score.official && score.official <= 1 &&
                     score.misses.empty() == (score.strict == 1);
  if (!sound) std::abort();
}

}  // namespace
}  // namespace fathom

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fathom::grade_any(data, size);
  return 0;
}
