#include "grade/ruler_score.h"

#include <algorithm>

#include "grade/python_text.h"

namespace fathom {

std::string ruler_post_process(std::string_view answer) {
  std::string text(python_strip(answer));
  std::replace_if(
      text.begin(), text.end(), [](unsigned char byte) { return byte < 0x20; }, '\n');
  return std::string(python_strip(text));
}

RulerTaskScore ruler_task_score(std::span<const double> official, int64_t nulls) {
  RulerTaskScore score{.nulls = nulls, .total = static_cast<int64_t>(official.size())};
  if (official.empty()) return score;
  double sum = 0;
  for (const double value : official) sum += value;
  score.score = python_round(sum / static_cast<double>(official.size()) * 100, 2);
  return score;
}

}  // namespace fathom
