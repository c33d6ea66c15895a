#include "results/sample_facts.h"

namespace fathom {

SampleFacts facts_of(const Sample& sample) {
  SampleFacts facts{.id = sample.id,
                    .hash = sample.hash(),
                    .task = sample.task,
                    .cell = sample.cell,
                    .length = sample.length,
                    .index = sample.index,
                    .metric = sample.metric,
                    .references = sample.references,
                    .prompt_tokens = sample.tokens.prompt,
                    .off_by = sample.off_by,
                    .depth = std::nullopt,
                    .evidence = 0,
                    .haystack = sample.haystack};
  double depth = 0;
  for (const Evidence& evidence : sample.evidence) {
    if (evidence.distractor) continue;
    depth = evidence.depth;
    ++facts.evidence;
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
