// An encyclopaedia of a world that does not exist: people, towns, rivers, firms, books … with facts
// that agree with each other, and questions about them that no model can answer from memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "corpus/question_set.h"

namespace fathom {

// One world, two sets of questions over the same documents.
struct Encyclopaedia {
  std::shared_ptr<const QuestionSet> single_hop;  // one article holds the answer
  std::shared_ptr<const QuestionSet> two_hop;  // an article names another, which holds the answer
};

struct EncyclopaediaOptions {
  uint64_t seed = 1;
  size_t articles = 6000;  // a multiple of the kinds is not needed
};

// A pure function of its options. Answers are short, stand word for word in the last supporting
// sentence and, among all documents, in no other that speaks about the thing asked for. Requires:
// 40 <= articles <= 20000.
[[nodiscard]] Encyclopaedia make_encyclopaedia(const EncyclopaediaOptions& options);

// The default one, made on the first call. Thread-safe.
[[nodiscard]] const Encyclopaedia& own_encyclopaedia();

}  // namespace fathom
