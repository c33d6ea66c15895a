#include "grade/score.h"

#include "grade/misses.h"
#include "grade/official_score.h"
#include "grade/strict_reading.h"

namespace fathom {

Score grade(Metric metric, std::string_view answer, const std::vector<std::string>& references,
            const Expectation& expectation) {
  OfficialScore official = official_score(metric, answer, references);
  const AnswerText text = take_apart(official.graded_text, expectation.opening);
  const StrictReading reading = read_strictly(metric, text, official, references, expectation);
  Score score;
  score.official = official.score;
  score.strict = reading.score;
  score.empty = official.graded_text.empty();
  if (reading.score < 1)
    score.misses = misses_of(metric, text, official, reading, references, expectation);
  score.found = std::move(official.found);
  score.graded_text = std::move(official.graded_text);
  return score;
}

}  // namespace fathom
