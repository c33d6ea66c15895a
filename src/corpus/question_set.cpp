#include "corpus/question_set.h"

#include <algorithm>

namespace fathom {

QuestionSet::QuestionSet(std::vector<Document> documents, std::vector<Question> questions,
                         CorpusInfo info)
    : documents_(std::move(documents)), questions_(std::move(questions)), info_(std::move(info)) {
  for (DocumentId id = 0; id < documents_.size(); ++id) {
    const uint32_t article = documents_[id].article;
    if (article >= articles_.size()) articles_.resize(article + 1);
    articles_[article].push_back(id);
  }
}

}  // namespace fathom
