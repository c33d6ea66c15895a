#include <simdjson.h>

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "base/hash.h"
#include "corpus/json_view.h"
#include "corpus/question_set.h"
#include "io/file.h"
#include "text/words.h"

namespace fathom {
namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

std::string_view trim(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

class HotpotReader {
 public:
  Result<void> read(const JsonView& root) {
    TRY(const simdjson::dom::array items, root.array());
    for (size_t i = 0; const simdjson::dom::element item : items)
      TRY_VOID(read_item(root.at(i++, item)));
    if (questions.empty()) return root.error("holds no question");
    return {};
  }

  std::vector<Document> documents;
  std::vector<Question> questions;

 private:
  struct Paragraph {
    std::string_view title;
    DocumentId id = 0;
  };

  static Result<std::string> filled_text(const JsonView& item, std::string_view key) {
    TRY(const JsonView view, item.member(key));
    TRY(const std::string_view text, view.text());
    if (trim(text).empty()) return view.error("is empty");
    return std::string(text);
  }

  Result<void> read_item(const JsonView& item) {
    Question question;
    TRY(question.id, filled_text(item, "_id"));
    TRY(question.text, filled_text(item, "question"));
    TRY(std::string answer, filled_text(item, "answer"));
    question.answers.emplace_back(trim(answer));
    question.type = "bridge";
    if (item.has("type")) {
      TRY(question.type, filled_text(item, "type"));
    }
    if (!ids_.insert(question.id).second)
      return item.error(
          fmt::format("_id '{}' is that of an earlier question; ids must differ", question.id));
    TRY(const std::vector<Paragraph> context, read_context(item));
    TRY_VOID(read_support(item, context, question));
    for (const Paragraph& paragraph : context)
      if (std::find(question.gold.begin(), question.gold.end(), paragraph.id) ==
              question.gold.end() &&
          std::find(question.related.begin(), question.related.end(), paragraph.id) ==
              question.related.end())
        question.related.push_back(paragraph.id);
    find_answer(question);
    questions.push_back(std::move(question));
    return {};
  }

  Result<std::vector<Paragraph>> read_context(const JsonView& item) {
    TRY(const JsonView view, item.member("context"));
    TRY(const simdjson::dom::array context, view.array());
    std::vector<Paragraph> paragraphs;
    for (size_t i = 0; const simdjson::dom::element element : context) {
      const JsonView paragraph = view.at(i++, element);
      TRY(const simdjson::dom::array pair, paragraph.array());
      if (pair.size() != 2) return paragraph.error("must be [title, [sentences]]");
      const JsonView title_view = paragraph.at(0, pair.at(0).value_unsafe());
      TRY(const std::string_view title, title_view.text());
      TRY(const DocumentId id, read_document(paragraph.at(1, pair.at(1).value_unsafe()), title));
      paragraphs.push_back({title, id});
    }
    return paragraphs;
  }

  Result<DocumentId> read_document(const JsonView& view, std::string_view title) {
    TRY(const simdjson::dom::array sentences, view.array());
    Document document{.title = std::string(title), .text = {}, .sentences = {}, .article = 0};
    for (size_t i = 0; const simdjson::dom::element element : sentences) {
      const JsonView sentence_view = view.at(i++, element);
      TRY(const std::string_view sentence, sentence_view.text());
      std::string& text = document.text;
      if (!text.empty() && !is_space(text.back()) && !sentence.empty() &&
          !is_space(sentence.front()))
        text += ' ';
      const std::string_view words = trim(sentence);
      const size_t begin =
          text.size() + static_cast<size_t>(words.empty() ? 0 : words.data() - sentence.data());
      text += sentence;
      document.sentences.push_back(
          {begin, begin + words.size()});  // an empty sentence keeps its number
    }
    if (trim(document.text).empty()) return view.error("holds no text");
    const auto [found, fresh] = known_.try_emplace(document.title + '\n' + document.text,
                                                   static_cast<DocumentId>(documents.size()));
    if (fresh) {
      document.article =
          articles_.try_emplace(document.title, static_cast<uint32_t>(articles_.size()))
              .first->second;
      documents.push_back(std::move(document));
    }
    return found->second;
  }

  Result<void> read_support(const JsonView& item, const std::vector<Paragraph>& context,
                            Question& question) {
    TRY(const JsonView view, item.member("supporting_facts"));
    TRY(const simdjson::dom::array facts, view.array());
    for (size_t i = 0; const simdjson::dom::element element : facts) {
      const JsonView fact = view.at(i++, element);
      TRY(const simdjson::dom::array pair, fact.array());
      if (pair.size() != 2) return fact.error("must be [title, sentence number]");
      const JsonView title_view = fact.at(0, pair.at(0).value_unsafe());
      TRY(const std::string_view title, title_view.text());
      const JsonView number_view = fact.at(1, pair.at(1).value_unsafe());
      TRY(const int64_t number, number_view.integer());
      if (number < 0) return number_view.error("must not be negative");
      const auto found = std::find_if(context.begin(), context.end(),
                                      [&](const Paragraph& p) { return p.title == title; });
      if (found == context.end())
        return title_view.error(fmt::format("'{}' is no title of the context", title));
      if (std::find(question.gold.begin(), question.gold.end(), found->id) == question.gold.end())
        question.gold.push_back(found->id);
      // The published files name a few sentences that their paragraphs do not have: the paragraph
      // counts, the sentence does not.
      const auto& sentences = documents[found->id].sentences;
      if (static_cast<uint64_t>(number) < sentences.size())
        question.support.push_back({found->id, sentences[static_cast<size_t>(number)]});
    }
    if (question.gold.empty())
      return view.error("is empty; at least one fact must support the answer");
    return {};
  }

  // Where the answer stands: in the supporting sentences, else in the gold documents.
  void find_answer(Question& question) const {
    const std::string& answer = question.answers.front();
    const auto add = [&](const DocumentSpan& place) {
      const std::string_view text =
          std::string_view(documents[place.document].text)
              .substr(place.bytes.begin, place.bytes.end - place.bytes.begin);
      const size_t found = find_phrase(text, answer);
      if (found == std::string_view::npos) return;
      const size_t at = place.bytes.begin + found;
      const DocumentSpan span{place.document, {at, at + answer.size()}};
      if (std::find(question.answer_spans.begin(), question.answer_spans.end(), span) ==
          question.answer_spans.end())
        question.answer_spans.push_back(span);
    };
    if (answer == "yes" || answer == "no") return;
    for (const DocumentSpan& sentence : question.support) add(sentence);
    if (!question.answer_spans.empty()) return;
    for (const DocumentId id : question.gold) add({id, {0, documents[id].text.size()}});
  }

  std::unordered_map<std::string, DocumentId> known_;   // by title and text
  std::unordered_map<std::string, uint32_t> articles_;  // by title
  std::unordered_set<std::string> ids_;
};

}  // namespace

Result<std::shared_ptr<const QuestionSet>> parse_hotpotqa(const std::string& json,
                                                          const std::string& where) {
  simdjson::dom::parser parser;
  simdjson::dom::element root;
  if (const auto code = parser.parse(json).get(root); code != simdjson::SUCCESS)
    return fail(ErrorCode::kInput, "{}: not valid JSON: {}", where, simdjson::error_message(code));
  HotpotReader reader;
  TRY_VOID(reader.read(JsonView(root, where)));
  return std::make_shared<const QuestionSet>(
      std::move(reader.documents), std::move(reader.questions),
      CorpusInfo{"hotpotqa", where, hash_hex(json),
                 "CC BY-SA 4.0 where it is HotpotQA, else as its owner states"});
}

Result<std::shared_ptr<const QuestionSet>> load_hotpotqa(const std::string& path) {
  TRY(const std::string json, read_file(path));
  return parse_hotpotqa(json, path);
}

}  // namespace fathom
