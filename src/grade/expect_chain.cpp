// Other chains of variables, and the solved example's.
#include <map>

#include "grade/expectation_parts.h"
#include "grade/value_shape.h"

namespace fathom {
namespace {

struct Assignment {
  std::string name;
  std::string source;  // the variable or the value that is assigned
};

// The assignment that a hop's sentence makes: its own name is marked, the source is the other name
// or the number in it.
Assignment assignment_of(const SampleText& text, const Evidence& hop, ValueShape names) {
  Assignment made;
  made.name = text.text(hop.answer_bytes);
  const std::string_view sentence = text.text(hop.bytes);
  for (const ByteSpan& span : values_of(sentence, names)) {
    const std::string_view other = sentence.substr(span.begin, span.end - span.begin);
    if (other != made.name) made.source = other;
  }
  if (!made.source.empty()) return made;
  const size_t begin = sentence.find_last_of("0123456789");
  if (begin == std::string_view::npos) return made;
  size_t first = begin;
  while (first > 0 && sentence[first - 1] >= '0' && sentence[first - 1] <= '9') --first;
  made.source = sentence.substr(first, begin - first + 1);
  return made;
}

}  // namespace

void expect_chain(const SampleText& text, Expectation& expectation) {
  DecoyList decoys(text.sample, expectation);
  const ValueShape names = shape_of(text.sample.references);
  std::map<std::string, std::string> source_of;
  std::vector<std::string> others;  // in the order of the text
  for (const Evidence& hop : text.sample.evidence) {
    if (hop.role != "hop" || !hop.distractor) continue;
    Assignment made = assignment_of(text, hop, names);
    if (made.name.empty()) continue;
    others.push_back(made.name);
    source_of.emplace(std::move(made.name), std::move(made.source));
  }
  for (const std::string& item : demonstrated_items(text.before, text.sample.references))
    decoys.add({item, DecoyKind::kDemonstration, {}});
  for (const std::string& name : others) {
    std::string value = source_of[name];
    for (size_t step = 0; step < source_of.size() && source_of.contains(value); ++step)
      value = source_of[value];
    decoys.add({name, DecoyKind::kOtherChain, value});
  }
}

}  // namespace fathom
