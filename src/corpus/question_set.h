// Documents with questions about them, whatever file they came from: SQuAD, HotpotQA, or fathom's
// own encyclopaedia.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/span.h"
#include "corpus/corpus_info.h"

namespace fathom {

using DocumentId = uint32_t;  // place in QuestionSet::documents()

struct Document {
  std::string title;
  std::string text;                 // without the title
  std::vector<ByteSpan> sentences;  // in `text`, in order
  uint32_t article = 0;             // paragraphs of one article share it

  bool operator==(const Document&) const = default;
};

struct DocumentSpan {
  DocumentId document = 0;
  ByteSpan bytes;  // in Document::text

  bool operator==(const DocumentSpan&) const = default;
};

struct Question {
  std::string id;
  std::string text;
  std::string type;                  // "single", "bridge", "comparison"
  std::vector<std::string> answers;  // accepted variants, each once, in file order; never empty
  std::vector<DocumentId> gold;      // the answer rests on these; never empty, each once
  std::vector<DocumentId>
      related;  // offered beside them: the article's other paragraphs, HotpotQA's eight distractors
  std::vector<DocumentSpan>
      support;  // the sentences that the answer rests on, in the order of reasoning
  std::vector<DocumentSpan>
      answer_spans;  // where a variant stands in a gold document; empty for yes and no

  bool operator==(const Question&) const = default;
};

// Immutable, thread-safe.
class QuestionSet {
 public:
  // Requires: all ids and spans in range.
  QuestionSet(std::vector<Document> documents, std::vector<Question> questions, CorpusInfo info);

  [[nodiscard]] const std::vector<Document>& documents() const {
    return documents_;
  }  // no two with equal title and text
  [[nodiscard]] const std::vector<Question>& questions() const {
    return questions_;
  }  // in file order; answerable ones only
  [[nodiscard]] const CorpusInfo& info() const { return info_; }
  // The documents of one article, in order.
  [[nodiscard]] const std::vector<DocumentId>& article(uint32_t article) const {
    return articles_[article];
  }
  [[nodiscard]] size_t articles() const { return articles_.size(); }

 private:
  std::vector<Document> documents_;
  std::vector<Question> questions_;
  std::vector<std::vector<DocumentId>> articles_;
  CorpusInfo info_;
};

// SQuAD 1.1 or 2.0: {"data": [{"title", "paragraphs": [{"context", "qas": [{"id", "question",
// "answers": [{"text", "answer_start"}]}]}]}]}; answer_start counts code points. Unanswerable
// questions are left out. Errors: kIo; kInput naming file and JSON path
// ("data[3].paragraphs[0].qas[2].answers[0].answer_start").
[[nodiscard]] Result<std::shared_ptr<const QuestionSet>> load_squad(const std::string& path);

// HotpotQA, distractor setting: [{"_id", "question", "answer", "type", "supporting_facts": [[title,
// sentence]], "context":
// [[title, [sentences]]]}].
[[nodiscard]] Result<std::shared_ptr<const QuestionSet>> load_hotpotqa(const std::string& path);

// The same from memory; `where` names the source in errors.
[[nodiscard]] Result<std::shared_ptr<const QuestionSet>> parse_squad(const std::string& json,
                                                                     const std::string& where);
[[nodiscard]] Result<std::shared_ptr<const QuestionSet>> parse_hotpotqa(const std::string& json,
                                                                        const std::string& where);

}  // namespace fathom
