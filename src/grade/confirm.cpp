// What grading without the prompt had to leave open.
#include <fmt/format.h>

#include <algorithm>

#include "grade/names.h"
#include "grade/python_text.h"
#include "grade/ruler_score.h"
#include "grade/score.h"
#include "grade/whole_words.h"
#include "grade/wrong_items.h"
#include "text/words.h"

namespace fathom {
namespace {

std::string_view context_of(const std::string& full, ByteSpan span) {
  if (span.begin >= span.end || span.end > full.size()) return {};
  return std::string_view(full).substr(span.begin, span.end - span.begin);
}

// The line or sentence of `text` around a place, as far as a detail shows it.
std::string_view surroundings(std::string_view text, ByteSpan place) {
  constexpr uint64_t kReach = 80;
  uint64_t begin = place.begin > kReach ? place.begin - kReach : 0;
  const size_t line = text.substr(begin, place.begin - begin).find_last_of(".\n");
  if (line != std::string_view::npos) begin += line + 1;
  return python_strip(text.substr(begin, place.end - begin));
}

// `value` is what the detail of a note about a value starts with.
MissNote locate_value(std::string_view value, std::string_view context) {
  const std::string lowered = python_lower(value);
  const auto places = whole_places(python_lower(context), lowered, Compounds::kOneWord);
  if (places.empty()) return {Miss::kInvented, fmt::format("{} stands nowhere in the text", value)};
  return {Miss::kWrongBinding,
          fmt::format("{} stands in the text: \"{}\"", value,
                      quote(surroundings(python_lower(context), places.front())))};
}

MissNote locate_words(const MissNote& note, std::string_view answer, std::string_view context,
                      const Sample& sample) {
  const std::string text = ruler_post_process(answer);
  const std::string_view line = std::string_view(text).substr(0, text.find('\n'));
  const auto terms = telling_terms(line, content_words_in(sample.question));
  if (terms.empty()) return note;
  const size_t held = held_by(context, terms);
  if (2 * held < terms.size())
    return {Miss::kParametric, fmt::format("the documents do not hold {}", quote(line))};
  return {Miss::kHaystackName, fmt::format("the documents hold {} elsewhere", quote(line))};
}

}  // namespace

MissNote confirm_with_prompt(const MissNote& note, std::string_view answer, const Sample& sample) {
  const std::string full = sample.full_text();
  const std::string_view context = context_of(full, sample.context);
  if (note.kind == Miss::kOtherValue)
    return locate_value(std::string_view(note.detail).substr(0, note.detail.find(' ')), context);
  const bool of_documents =
      note.kind == Miss::kNotFound && expectation_of(sample).form == AnswerForm::kDocuments;
  return of_documents ? locate_words(note, answer, context, sample) : note;
}

}  // namespace fathom
