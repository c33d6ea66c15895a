#include <simdjson.h>

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "base/hash.h"
#include "corpus/json_view.h"
#include "corpus/question_set.h"
#include "io/file.h"
#include "text/sentences.h"

namespace fathom {
namespace {

// Byte place of the n-th code point of `text`, or npos beyond its end.
size_t byte_of_character(std::string_view text, int64_t character) {
  if (character < 0 || static_cast<uint64_t>(character) > text.size())
    return std::string_view::npos;
  int64_t seen = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    if ((static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) continue;
    if (seen++ == character) return at;
  }
  return std::string_view::npos;
}

class SquadReader {
 public:
  Result<void> read(const JsonView& root) {
    TRY(const JsonView data, root.member("data"));
    TRY(const simdjson::dom::array articles, data.array());
    for (size_t i = 0; const simdjson::dom::element article : articles)
      TRY_VOID(read_article(data.at(i++, article)));
    if (questions.empty()) return data.error("holds no answerable question");
    for (Question& question : questions)
      for (const DocumentId id : members_[documents[question.gold[0]].article])
        if (id != question.gold[0]) question.related.push_back(id);
    return {};
  }

  std::vector<Document> documents;
  std::vector<Question> questions;

 private:
  Result<void> read_article(const JsonView& article) {
    TRY(const JsonView title_view, article.member("title"));
    TRY(const std::string_view title, title_view.text());
    TRY(const JsonView view, article.member("paragraphs"));
    TRY(const simdjson::dom::array paragraphs, view.array());
    members_.emplace_back();
    for (size_t i = 0; const simdjson::dom::element paragraph : paragraphs)
      TRY_VOID(read_paragraph(view.at(i++, paragraph), title));
    if (members_.back().empty()) members_.pop_back();  // so that article numbers have no gaps
    return {};
  }

  Result<void> read_paragraph(const JsonView& paragraph, std::string_view title) {
    TRY(const JsonView context_view, paragraph.member("context"));
    TRY(const std::string_view context, context_view.text());
    if (context.find_first_not_of(" \t\r\n") == std::string_view::npos)
      return context_view.error("is empty");
    const DocumentId id = document(title, context);
    TRY(const JsonView view, paragraph.member("qas"));
    TRY(const simdjson::dom::array qas, view.array());
    for (size_t i = 0; const simdjson::dom::element qa : qas)
      TRY_VOID(read_question(view.at(i++, qa), id));
    return {};
  }

  DocumentId document(std::string_view title, std::string_view context) {
    const auto [found, fresh] =
        known_.try_emplace(std::string(context), static_cast<DocumentId>(documents.size()));
    if (fresh) {
      members_.back().push_back(found->second);
      documents.push_back({.title = std::string(title),
                           .text = std::string(context),
                           .sentences = split_sentences(context),
                           .article = static_cast<uint32_t>(members_.size() - 1)});
    }
    return found->second;
  }

  Result<void> read_question(const JsonView& qa, DocumentId id) {
    TRY(const JsonView id_view, qa.member("id"));
    TRY(const std::string_view name, id_view.text());
    TRY(const JsonView text_view, qa.member("question"));
    TRY(const std::string_view text, text_view.text());
    if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
      return text_view.error("is empty");
    if (!ids_.insert(std::string(name)).second)
      return id_view.error(
          fmt::format("'{}' is the id of an earlier question; ids must differ", name));
    if (qa.has("is_impossible")) {
      TRY(const JsonView impossible_view, qa.member("is_impossible"));
      TRY(const bool impossible, impossible_view.boolean());
      if (impossible) return {};
    }
    Question question{.id = std::string(name),
                      .text = std::string(text),
                      .type = "single",
                      .answers = {},
                      .gold = {id},
                      .related = {},
                      .support = {},
                      .answer_spans = {}};
    TRY(const JsonView view, qa.member("answers"));
    TRY(const simdjson::dom::array answers, view.array());
    for (size_t i = 0; const simdjson::dom::element answer : answers)
      TRY_VOID(read_answer(view.at(i++, answer), id, question));
    if (question.answers.empty()) return {};
    add_support(question);
    questions.push_back(std::move(question));
    return {};
  }

  Result<void> read_answer(const JsonView& answer, DocumentId id, Question& question) {
    TRY(const JsonView text_view, answer.member("text"));
    TRY(const std::string_view text, text_view.text());
    if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
      return text_view.error("is empty");
    TRY(const JsonView start_view, answer.member("answer_start"));
    TRY(const int64_t start, start_view.integer());
    const std::string_view context = documents[id].text;
    const size_t begin = byte_of_character(context, start);
    if (begin == std::string_view::npos)
      return start_view.error(
          fmt::format("{} is outside the context; it counts characters from 0", start));
    if (context.substr(begin, text.size()) != text)
      return start_view.error(
          fmt::format("the context does not say '{}' at character {}", text, start));
    const DocumentSpan span{id, {begin, begin + text.size()}};
    if (std::find(question.answer_spans.begin(), question.answer_spans.end(), span) ==
        question.answer_spans.end())
      question.answer_spans.push_back(span);
    if (std::find(question.answers.begin(), question.answers.end(), text) == question.answers.end())
      question.answers.emplace_back(text);
    return {};
  }

  // The sentences that the first answer touches.
  void add_support(Question& question) const {
    const DocumentSpan& answer = question.answer_spans.front();
    for (const ByteSpan& sentence : documents[answer.document].sentences)
      if (sentence.begin < answer.bytes.end && answer.bytes.begin < sentence.end)
        question.support.push_back({answer.document, sentence});
  }

  std::unordered_map<std::string, DocumentId> known_;  // by context
  std::vector<std::vector<DocumentId>> members_;       // of each article
  std::unordered_set<std::string> ids_;
};

}  // namespace

Result<std::shared_ptr<const QuestionSet>> parse_squad(const std::string& json,
                                                       const std::string& where) {
  simdjson::dom::parser parser;
  simdjson::dom::element root;
  if (const auto code = parser.parse(json).get(root); code != simdjson::SUCCESS)
    return fail(ErrorCode::kInput, "{}: not valid JSON: {}", where, simdjson::error_message(code));
  SquadReader reader;
  TRY_VOID(reader.read(JsonView(root, where)));
  return std::make_shared<const QuestionSet>(
      std::move(reader.documents), std::move(reader.questions),
      CorpusInfo{"squad", where, hash_hex(json),
                 "CC BY-SA 4.0 where it is SQuAD or XQuAD, else as its owner states"});
}

Result<std::shared_ptr<const QuestionSet>> load_squad(const std::string& path) {
  TRY(const std::string json, read_file(path));
  return parse_squad(json, path);
}

}  // namespace fathom
