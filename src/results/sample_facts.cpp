#include "results/sample_facts.h"

#include <algorithm>

namespace fathom {

SampleFacts facts_of(const Sample& sample) {
  SampleFacts facts{.id = sample.id,
                    .hash = sample.hash(),
                    .task = sample.task,
                    .cell = sample.cell,
                    .variant = sample.variant,
                    .length = sample.length,
                    .index = sample.index,
                    .metric = sample.metric,
                    .references = sample.references,
                    .prompt_tokens = sample.tokens.prompt,
                    .off_by = sample.off_by,
                    .depth = std::nullopt,
                    .evidence = 0,
                    .haystack = sample.haystack,
                    .expectation = expectation_of(sample)};
  double depth = 0;
  for (const Evidence& evidence : sample.evidence) {
    if (evidence.distractor) continue;
    depth = evidence.depth;
    ++facts.evidence;
    if (evidence.tokens.begin >= evidence.tokens.end) continue;
    TokenSpan& span = facts.evidence_tokens;
    const bool first = span.begin == span.end;
    span.begin = first ? evidence.tokens.begin : std::min(span.begin, evidence.tokens.begin);
    span.end = std::max(span.end, evidence.tokens.end);
  }
  if (facts.evidence == 1) facts.depth = depth;
  return facts;
}

std::string category_of(const std::string& task) {
  struct Family {
    const char* prefix;
    const char* category;
  };
  constexpr Family kFamilies[] = {{"niah", "retrieval"},
                                  {"vt", "tracking"},
                                  {"variable_tracking", "tracking"},
                                  {"cwe", "aggregation"},
                                  {"fwe", "aggregation"},
                                  {"common_words", "aggregation"},
                                  {"freq_words", "aggregation"},
                                  {"set_intersection", "aggregation"},
                                  {"qa", "question answering"}};
  for (const Family& family : kFamilies)
    if (task.starts_with(family.prefix)) return family.category;
  return "other";
}

}  // namespace fathom
