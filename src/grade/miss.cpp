#include "grade/miss.h"

#include <fmt/format.h>

namespace fathom {
namespace {

struct MissText {
  Miss miss;
  std::string_view name;
  std::string_view label;
  std::string_view sentence;
};

constexpr std::array<MissText, kMissCount> kTexts = {{
    {Miss::kEmpty, "empty", "empty", "It answered nothing."},
    {Miss::kNotFound, "not-found", "not found", "The answer does not hold what was asked for."},
    {Miss::kWrongBinding, "wrong-binding", "wrong binding",
     "It gave a value that belongs to another key."},
    {Miss::kOtherValue, "other-value", "another value",
     "It gave another value of the same shape; whether the text holds it was not kept."},
    {Miss::kInvented, "invented", "invented value",
     "It gave a value of the right shape that stands nowhere in the text."},
    {Miss::kSlip, "slip", "slip", "It gave the right value with a few characters wrong."},
    {Miss::kFormatOnly, "format-only", "format only",
     "It gave the right answer, written in another way."},
    {Miss::kPartOfWord, "part-of-word", "part of a word",
     "What was asked for stands only inside a longer word or number."},
    {Miss::kDenial, "denial", "denial", "It says that the text does not hold the answer."},
    {Miss::kPlantedSuspicion, "planted-suspicion", "planted sentence",
     "It remarks that the sentence does not belong to the text, or is a test."},
    {Miss::kHedge, "hedge", "hedge", "It does not commit itself to an answer."},
    {Miss::kIncomplete, "incomplete", "incomplete", "It gave some of what was asked for."},
    {Miss::kDuplicate, "duplicate", "duplicate",
     "It gave the same item again and again in place of others."},
    {Miss::kCopiedDemonstration, "copied-demonstration", "copied demonstration",
     "It gave the answer of the solved example."},
    {Miss::kRepeatedPrompt, "repeated-prompt", "repeated prompt",
     "It repeated the prompt instead of answering."},
    {Miss::kParametric, "parametric", "from memory",
     "Its answer stands in none of the documents: it is what the model \"knows\", or made up."},
    {Miss::kNeighbour, "neighbour", "neighbouring text",
     "It gave text that stands next to the answer: the right place, the wrong words."},
    {Miss::kHaystackName, "haystack-name", "name from the text",
     "It gave a name or word that stands elsewhere in the text."},
    {Miss::kBrokenHop, "broken-hop", "broken hop",
     "It followed the chain up to a hop and not further."},
    {Miss::kFirstOnly, "first-only", "first variable only",
     "It gave the chain's first variable and none of those that follow from it."},
    {Miss::kMissingList, "missing-list", "missing list",
     "It gave a word that is not in all of the lists."},
    {Miss::kLocalFrequency, "local-frequency", "locally frequent",
     "It gave a word that stands out in a part of the text, but is not among the most common "
     "ones."},
    {Miss::kExtra, "extra", "extra items", "It gave more than was asked for."},
}};

const MissText& texts_of(Miss miss) { return kTexts[static_cast<size_t>(miss)]; }

constexpr bool in_order() {
  for (size_t i = 0; i < kMissCount; ++i)
    if (static_cast<size_t>(kTexts[i].miss) != i) return false;
  return true;
}
static_assert(in_order(), "kTexts must follow the enumeration");

}  // namespace

std::string_view to_text(Miss miss) { return texts_of(miss).name; }
std::string_view miss_label(Miss miss) { return texts_of(miss).label; }
std::string_view sentence(Miss miss) { return texts_of(miss).sentence; }

Result<Miss> miss_from_text(std::string_view text) {
  std::string known;
  for (const MissText& each : kTexts) {
    if (each.name == text) return each.miss;
    known += fmt::format("{}{}", known.empty() ? "" : ", ", each.name);
  }
  return fail(ErrorCode::kInput, "unknown kind of miss '{}'; there are: {}", text, known);
}

}  // namespace fathom
