// Question files of any bytes: an error or a sound set, never a crash. The first byte chooses the
// form.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "corpus/question_set.h"

namespace {

void check(bool sound) {
  if (!sound) std::abort();
}

bool inside(const fathom::QuestionSet& set, const fathom::DocumentSpan& span) {
  return span.document < set.documents().size() && span.bytes.begin <= span.bytes.end &&
         span.bytes.end <= set.documents()[span.document].text.size();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string json(reinterpret_cast<const char*>(data) + 1, size - 1);
  const auto loaded =
      data[0] % 2 == 0 ? fathom::parse_squad(json, "fuzz") : fathom::parse_hotpotqa(json, "fuzz");
  if (!loaded) {
    check(loaded.error().code == fathom::ErrorCode::kInput && !loaded.error().message.empty());
    return 0;
  }
  const fathom::QuestionSet& set = **loaded;
  for (const fathom::Question& question : set.questions()) {
    check(!question.answers.empty() && !question.gold.empty());
    for (const auto& span : question.support) check(inside(set, span));
    for (const auto& span : question.answer_spans) check(inside(set, span));
    for (const fathom::DocumentId id : question.related) check(id < set.documents().size());
  }
  return 0;
}
