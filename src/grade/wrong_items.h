// The items of an answer that are not asked for, and where each comes from as far as the sample's
// facts tell.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "grade/expectation.h"
#include "grade/miss.h"
#include "grade/strict_reading.h"

namespace fathom {

struct WrongItem {
  std::string text;  // in lower case
  MissNote note;
};

struct ItemSurvey {
  std::vector<WrongItem> wrong;  // distinct, in the answer's order, the first 64
  size_t total = 0;              // items with repeats, right ones included
  size_t distinct = 0;
};

// Items are values, variables, listed words or, in prose, the wrong answers that the prompt
// suggests: what expectation.form says. O(n) in the bytes of the answer.
[[nodiscard]] ItemSurvey survey_items(const AnswerText& answer,
                                      const std::vector<std::string>& references,
                                      const Expectation& expectation);

// A piece of an answer for a detail: one line of at most 60 bytes, whole characters.
[[nodiscard]] std::string quote(std::string_view text);

}  // namespace fathom
