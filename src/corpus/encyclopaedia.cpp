#include "corpus/encyclopaedia.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "corpus/grammar.h"
#include "corpus/invented_world.h"
#include "io/embedded.h"
#include "text/words.h"

namespace fathom {
namespace {

constexpr size_t kRelated = 8;  // other articles of the same kinds, offered beside the gold ones

// An article and where it says what.
struct Article {
  Document document;
  std::map<std::string, ByteSpan, std::less<>> said;  // sentence of each fact and link
};

class Editor {
 public:
  Editor(const Grammar& grammar, const std::vector<InventedThing>& world, Random& random)
      : grammar_(grammar), world_(world), random_(random) {
    for (DocumentId id = 0; id < world.size(); ++id) {
      articles_.push_back(write(world[id], id));
      by_kind_[world[id].kind].push_back(id);
    }
  }

  std::vector<Question> single_hop() {
    std::vector<Question> questions;
    for (DocumentId id = 0; id < world_.size(); ++id)
      for (const InventedFact& fact : world_[id].facts) {
        Question question = ask(id, fact, world_[id].name);
        question.type = "single";
        question.gold = {id};
        question.related = related({id});
        questions.push_back(std::move(question));
      }
    return numbered(std::move(questions), "single");
  }

  std::vector<Question> two_hop() {
    std::vector<Question> questions;
    for (DocumentId id = 0; id < world_.size(); ++id)
      for (const InventedLink& link : world_[id].links) {
        const InventedThing& target = world_[link.target];
        if (target.facts.empty()) continue;
        const auto second = static_cast<DocumentId>(link.target);
        const InventedFact& fact = target.facts[random_.below(target.facts.size())];
        const std::string subject = grammar_.fill(pick(world_[id].kind + ".via." + link.name),
                                                  {{"name", world_[id].name}}, random_);
        Question question = ask(second, fact, subject);
        question.type = "bridge";
        question.gold = {id, second};
        question.support.insert(question.support.begin(),
                                {id, articles_[id].said.find(link.name)->second});
        question.related = related({id, second});
        questions.push_back(std::move(question));
      }
    return numbered(std::move(questions), "bridge");
  }

  std::vector<Document> documents() const {
    std::vector<Document> documents;
    for (const Article& article : articles_) documents.push_back(article.document);
    return documents;
  }

 private:
  const std::string& pick(const std::string& symbol) {
    static const std::string kNone;
    const auto& choices = grammar_.alternatives(symbol);
    return choices.empty() ? kNone : choices[random_.below(choices.size())];
  }

  // The introduction, then facts, links and two sentences that nobody asks about, in random order.
  Article write(const InventedThing& thing, DocumentId id) {
    struct Line {
      std::string name;
      std::string text;
    };
    Bindings words = {
        {"name", thing.name}, {"short", thing.short_name}, {"year", std::to_string(thing.year)}};
    std::vector<Line> lines;
    for (const InventedFact& fact : thing.facts) {
      words["value"] = fact.value;
      lines.push_back(
          {fact.name, grammar_.fill(pick(thing.kind + ".say." + fact.name), words, random_)});
    }
    for (const InventedLink& link : thing.links) {
      words["target"] = world_[link.target].name;
      lines.push_back(
          {link.name, grammar_.fill(pick(thing.kind + ".say." + link.name), words, random_)});
    }
    std::vector<std::string> fill = grammar_.alternatives(thing.kind + ".fill");
    random_.shuffle(fill);
    for (size_t i = 0; i < std::min<size_t>(2, fill.size()); ++i)
      lines.push_back({"", grammar_.fill(fill[i], words, random_)});
    random_.shuffle(lines);
    lines.insert(lines.begin(), {"", grammar_.fill(pick(thing.kind + ".intro"), words, random_)});

    Article article;
    article.document.title = thing.name;
    article.document.article = id;
    if (article.document.title.starts_with("the ")) article.document.title[0] = 'T';
    for (const Line& line : lines) {
      std::string& text = article.document.text;
      if (!text.empty()) text += ' ';
      const ByteSpan span{text.size(), text.size() + line.text.size()};
      text += line.text;
      article.document.sentences.push_back(span);
      if (!line.name.empty()) article.said[line.name] = span;
    }
    return article;
  }

  // A question about the article of `id`; `subject` stands for the thing.
  Question ask(DocumentId id, const InventedFact& fact, const std::string& subject) {
    Question question;
    question.text =
        grammar_.fill(pick(world_[id].kind + ".ask." + fact.name), {{"subject", subject}}, random_);
    question.answers = {fact.value};
    const ByteSpan sentence = articles_[id].said.find(fact.name)->second;
    question.support = {{id, sentence}};
    const std::string_view text =
        std::string_view(articles_[id].document.text).substr(0, sentence.end);
    const size_t begin = text.find(fact.value, sentence.begin);
    question.answer_spans = {{id, {begin, begin + fact.value.size()}}};
    return question;
  }

  // Articles of the same kinds as `gold`, in turn, without them.
  std::vector<DocumentId> related(const std::vector<DocumentId>& gold) {
    std::vector<DocumentId> out;
    for (size_t tries = 0; out.size() < kRelated && tries < 20 * kRelated; ++tries) {
      const auto& kin = by_kind_[world_[gold[tries % gold.size()]].kind];
      const DocumentId id = kin[random_.below(kin.size())];
      const auto is = [&](const std::vector<DocumentId>& ids) {
        return std::find(ids.begin(), ids.end(), id) != ids.end();
      };
      if (!is(gold) && !is(out)) out.push_back(id);
    }
    return out;
  }

  // In random order, so that the first hundred speak of every kind.
  std::vector<Question> numbered(std::vector<Question> questions, std::string_view prefix) {
    random_.shuffle(questions);
    for (size_t i = 0; i < questions.size(); ++i) questions[i].id = fmt::format("{}-{}", prefix, i);
    return questions;
  }

  const Grammar& grammar_;
  const std::vector<InventedThing>& world_;
  Random& random_;
  std::vector<Article> articles_;
  std::map<std::string, std::vector<DocumentId>, std::less<>> by_kind_;
};

std::string hash_of(const std::vector<Document>& documents,
                    const std::vector<Question>& questions) {
  std::string all;
  for (const Document& document : documents)
    ((all += document.title) += '\n') += document.text + '\n';
  for (const Question& question : questions)
    ((all += question.text) += '\t') += question.answers.front() + '\n';
  return hash_hex(all);
}

std::shared_ptr<const QuestionSet> publish(std::vector<Document> documents,
                                           std::vector<Question> questions) {
  CorpusInfo info{"encyclopaedia", "fathom", hash_of(documents, questions),
                  "invented by fathom, under fathom's licence"};
  return std::make_shared<const QuestionSet>(std::move(documents), std::move(questions),
                                             std::move(info));
}

}  // namespace

Encyclopaedia make_encyclopaedia(const EncyclopaediaOptions& options) {
  const Grammar grammar = Grammar::parse(embedded_file("encyclopaedia/world.txt").value_or(""));
  Random random(RandomKey(options.seed).with(options.articles), "encyclopaedia");
  const std::vector<InventedThing> world = invent_world(grammar, options.articles, random);
  Editor editor(grammar, world, random);
  std::vector<Question> single = editor.single_hop();
  std::vector<Question> two = editor.two_hop();
  return {publish(editor.documents(), std::move(single)),
          publish(editor.documents(), std::move(two))};
}

const Encyclopaedia& own_encyclopaedia() {
  static const Encyclopaedia encyclopaedia = make_encyclopaedia({});
  return encyclopaedia;
}

}  // namespace fathom
