// Numbered documents: those that hold the answer among others that do not.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "corpus/question_set.h"
#include "task/context.h"
#include "task/depth.h"
#include "task/wording.h"

namespace fathom {

struct DocumentsPlan {
  const QuestionSet* set = nullptr;     // outlives the context, as the wording does
  const Question* question = nullptr;   // of the set
  const Wording* wording = nullptr;     // has qa.document and filler.closers
  bool titles = true;                   // a document begins with its title
  std::vector<DocumentId> distractors;  // in the order in which they are added; never empty
  std::vector<DocumentId> spare;        // whose sentences may close a gap
  std::vector<Place> places;            // of the question's gold documents
};

[[nodiscard]] std::unique_ptr<const GrowingContext> make_documents_context(DocumentsPlan plan);

}  // namespace fathom
