#include "grade/official_score.h"

#include <algorithm>

#include "grade/python_text.h"
#include "grade/ruler_score.h"
#include "grade/set_match.h"
#include "grade/whole_words.h"

namespace fathom {
namespace {

// RULER's two metrics differ only in how the references found are summed up.
OfficialScore string_match(bool all, std::string_view answer,
                           const std::vector<std::string>& references) {
  OfficialScore score;
  score.graded_text = ruler_post_process(answer);
  const std::string lowered = python_lower(score.graded_text);
  double found = 0;
  for (const std::string& reference : references) {
    const bool holds = stands_in(lowered, python_lower(reference));
    score.found.push_back(holds);
    found += holds ? 1 : 0;
  }
  if (all) {
    score.score = found / static_cast<double>(references.size());
  } else {
    score.score = found > 0 ? 1 : 0;
  }
  return score;
}

OfficialScore exact_match(std::string_view answer, const std::vector<std::string>& references) {
  OfficialScore score;
  score.graded_text = std::string(python_strip(answer));
  for (const std::string& reference : references)
    score.found.push_back(score.graded_text == python_strip(reference));
  const bool any = std::find(score.found.begin(), score.found.end(), true) != score.found.end();
  score.score = any ? 1 : 0;
  return score;
}

OfficialScore whole_set_match(std::string_view answer, const std::vector<std::string>& references) {
  OfficialScore score;
  score.graded_text = ruler_post_process(answer);
  SetMatch match = set_match(score.graded_text, references);
  score.found = std::move(match.found);
  score.score = match.exact ? 1 : 0;
  return score;
}

}  // namespace

OfficialScore official_score(Metric metric, std::string_view answer,
                             const std::vector<std::string>& references) {
  switch (metric) {
    case Metric::kStringMatchAll:
      return string_match(true, answer, references);
    case Metric::kStringMatchPart:
      return string_match(false, answer, references);
    case Metric::kExactMatch:
      return exact_match(answer, references);
    case Metric::kSetMatch:
      return whole_set_match(answer, references);
  }
  return {};
}

}  // namespace fathom
