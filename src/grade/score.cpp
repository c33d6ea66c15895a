#include "grade/score.h"

#include <algorithm>
#include <cstring>

#include "grade/python_text.h"
#include "grade/ruler_score.h"
#include "grade/set_match.h"

namespace fathom {
namespace {

// Linear in the worst case, where std::string::find is not.
bool occurs(const std::string& needle, const std::string& text) {
  return ::memmem(text.data(), text.size(), needle.data(), needle.size()) != nullptr;
}

// RULER's two metrics differ only in how the references found are summed up.
Score string_match(bool all, std::string_view answer, const std::vector<std::string>& references) {
  Score score;
  score.graded_text = ruler_post_process(answer);
  score.empty = score.graded_text.empty();
  const std::string lowered = python_lower(score.graded_text);
  double found = 0;
  for (const std::string& reference : references) {
    const bool holds = occurs(python_lower(reference), lowered);
    score.found.push_back(holds);
    found += holds ? 1 : 0;
  }
  if (all) {
    score.official = found / static_cast<double>(references.size());
  } else {
    score.official = found > 0 ? 1 : 0;
  }
  return score;
}

Score exact_match(std::string_view answer, const std::vector<std::string>& references) {
  Score score;
  score.graded_text = std::string(python_strip(answer));
  score.empty = score.graded_text.empty();
  for (const std::string& reference : references)
    score.found.push_back(score.graded_text == python_strip(reference));
  const bool any = std::find(score.found.begin(), score.found.end(), true) != score.found.end();
  score.official = any ? 1 : 0;
  return score;
}

Score whole_set_match(std::string_view answer, const std::vector<std::string>& references) {
  Score score;
  score.graded_text = ruler_post_process(answer);
  score.empty = score.graded_text.empty();
  SetMatch match = set_match(score.graded_text, references);
  score.found = std::move(match.found);
  score.official = match.exact ? 1 : 0;
  return score;
}

}  // namespace

Score grade(Metric metric, std::string_view answer, const std::vector<std::string>& references) {
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
