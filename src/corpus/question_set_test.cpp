#include "corpus/question_set.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <set>

#include "io/file.h"
#include "io/json.h"

namespace fathom {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::string shared_data() {
  const char* folder = std::getenv("FATHOM_SHARED_DATA");
  return folder == nullptr ? "" : folder;
}

std::string part(const QuestionSet& set, const DocumentSpan& span) {
  return set.documents()[span.document].text.substr(span.bytes.begin,
                                                    span.bytes.end - span.bytes.begin);
}

const char* const kSquad = R"({"version": "v2.0", "data": [
  {"title": "Town", "paragraphs": [
    {"context": "Zürich is old. It lies on a lake. The lake is deep.", "qas": [
      {"id": "1", "question": "How is Zürich?", "is_impossible": false,
       "answers": [{"text": "old", "answer_start": 10}, {"text": "old", "answer_start": 10}, {"text": "is old", "answer_start": 7}]},
      {"id": "2", "question": "Who built it?", "is_impossible": true, "answers": [], "plausible_answers": []},
      {"id": "3", "question": "Where does it lie?", "answers": [{"text": "lake", "answer_start": 28}]}]},
    {"context": "A second paragraph.", "qas": []},
    {"context": "Zürich is old. It lies on a lake. The lake is deep.", "qas": []}]},
  {"title": "Empty", "paragraphs": []},
  {"title": "Bees", "paragraphs": [{"context": "Bees hum.", "qas": [
      {"id": "4", "question": "What do bees do?", "answers": [{"text": "hum", "answer_start": 5}]}]}]}]})";

TEST(Squad, ReadsDocumentsQuestionsAndSpans) {
  const auto loaded = parse_squad(kSquad, "x.json");
  ASSERT_TRUE(loaded) << loaded.error().message;
  const QuestionSet& set = **loaded;
  ASSERT_EQ(set.documents().size(), 3u);  // the repeated paragraph counts once
  EXPECT_EQ(set.documents()[0].title, "Town");
  EXPECT_EQ(set.documents()[0].sentences.size(), 3u);
  EXPECT_EQ(set.documents()[2].article, 1u);
  EXPECT_EQ(set.articles(), 2u);
  EXPECT_THAT(set.article(0), ElementsAre(0u, 1u));
  ASSERT_EQ(set.questions().size(), 3u);  // without the unanswerable one
  const Question& first = set.questions()[0];
  EXPECT_EQ(first.id, "1");
  EXPECT_EQ(first.type, "single");
  EXPECT_THAT(first.answers, ElementsAre("old", "is old"));
  EXPECT_THAT(first.gold, ElementsAre(0u));
  EXPECT_THAT(first.related, ElementsAre(1u));
  ASSERT_EQ(first.answer_spans.size(), 2u);
  EXPECT_EQ(part(set, first.answer_spans[0]),
            "old");  // offsets count characters, spans count bytes
  EXPECT_EQ(part(set, first.answer_spans[1]), "is old");
  ASSERT_EQ(first.support.size(), 1u);
  EXPECT_EQ(part(set, first.support[0]), "Zürich is old.");
  EXPECT_EQ(part(set, set.questions()[1].support[0]), "It lies on a lake.");
  EXPECT_EQ(set.info().name, "squad");
}

struct BadCase {
  const char* name;
  std::string json;
  const char* message;
};

std::string squad_with(const std::string& qa) {
  return R"({"data": [{"title": "T", "paragraphs": [{"context": "Bees hum.", "qas": [)" + qa +
         "]}]}]}";
}

// Q: each bad file gives its one error, with file and place.
TEST(Squad, RefusesBadFilesNamingThePlace) {
  const BadCase cases[] = {
      {"empty", "", "x.json: not valid JSON"},
      {"cut", R"({"data": [)", "x.json: not valid JSON"},
      {"html", "<html></html>", "x.json: not valid JSON"},
      {"array", "[]", "x.json: must be an object, not an array"},
      {"number", "7", "x.json: must be an object, not an integer"},
      {"no data", "{}", "x.json: key 'data' is missing"},
      {"data type", R"({"data": {}})", "x.json: data: must be an array, not an object"},
      {"no question", R"({"data": []})", "x.json: data: holds no answerable question"},
      {"title", R"({"data": [{"title": 1, "paragraphs": []}]})",
       "data[0].title: must be a string, not an integer"},
      {"paragraphs", R"({"data": [{"title": "T"}]})", "data[0]: key 'paragraphs' is missing"},
      {"context", R"({"data": [{"title": "T", "paragraphs": [{"context": null, "qas": []}]}]})",
       "data[0].paragraphs[0].context: must be a string, not null"},
      {"blank context",
       R"({"data": [{"title": "T", "paragraphs": [{"context": " ", "qas": []}]}]})",
       "data[0].paragraphs[0].context: is empty"},
      {"qas", R"({"data": [{"title": "T", "paragraphs": [{"context": "x"}]}]})",
       "paragraphs[0]: key 'qas' is missing"},
      {"no id", squad_with(R"({"question": "Q", "answers": []})"), "qas[0]: key 'id' is missing"},
      {"id twice",
       squad_with(
           R"({"id": "a", "question": "Q", "answers": []}, {"id": "a", "question": "Q", "answers": []})"),
       "qas[1].id: 'a' is the id of an earlier question"},
      {"no answers", squad_with(R"({"id": "a", "question": "Q"})"),
       "qas[0]: key 'answers' is missing"},
      {"impossible",
       squad_with(R"({"id": "a", "question": "Q", "is_impossible": 1, "answers": []})"),
       "qas[0].is_impossible: must be true or false, not an integer"},
      {"blank question", squad_with(R"({"id": "a", "question": "", "answers": []})"),
       "qas[0].question: is empty"},
      {"blank answer",
       squad_with(R"({"id": "a", "question": "Q", "answers": [{"text": "", "answer_start": 0}]})"),
       "answers[0].text: is empty"},
      {"start type",
       squad_with(
           R"({"id": "a", "question": "Q", "answers": [{"text": "hum", "answer_start": "5"}]})"),
       "answers[0].answer_start: must be an integer, not a string"},
      {"start negative",
       squad_with(
           R"({"id": "a", "question": "Q", "answers": [{"text": "hum", "answer_start": -1}]})"),
       "answers[0].answer_start: -1 is outside the context"},
      {"start beyond",
       squad_with(
           R"({"id": "a", "question": "Q", "answers": [{"text": "hum", "answer_start": 900}]})"),
       "answers[0].answer_start: 900 is outside the context"},
      {"start wrong",
       squad_with(
           R"({"id": "a", "question": "Q", "answers": [{"text": "hum", "answer_start": 4}]})"),
       "x.json: data[0].paragraphs[0].qas[0].answers[0].answer_start: the context does not say "
       "'hum' at character 4"},
      {"bad utf-8", "{\"data\": [{\"title\": \"\xFF\"}]}", "x.json: not valid JSON"},
  };
  for (const BadCase& c : cases) {
    const auto loaded = parse_squad(c.json, "x.json");
    ASSERT_FALSE(loaded) << c.name;
    EXPECT_EQ(loaded.error().code, ErrorCode::kInput) << c.name;
    EXPECT_THAT(loaded.error().message, HasSubstr(c.message)) << c.name;
  }
  EXPECT_EQ(load_squad(testing::TempDir() + "/missing.json").error().code, ErrorCode::kIo);
}

// Against an independent reading with another JSON library.
TEST(Squad, RealFilesAgreeWithAPlainReading) {
  if (shared_data().empty())
    GTEST_SKIP() << "set FATHOM_SHARED_DATA to the folder of the licensed sample files";
  for (const char* name : {"xquad.en.json", "xquad.zh.json", "xquad.ar.json", "xquad.hi.json",
                           "xquad.th.json", "dev-v2.0-cs224n-split.json"}) {
    const std::string path = shared_data() + "/squad/" + name;
    const auto loaded = load_squad(path);
    ASSERT_TRUE(loaded) << loaded.error().message;
    const QuestionSet& set = **loaded;
    const auto json = parse_json(*read_file(path), path);
    ASSERT_TRUE(json);
    std::set<std::string> contexts;
    std::map<std::string, std::pair<std::string, std::set<std::string>>> answered;
    for (const Json& article : (*json)["data"])
      for (const Json& paragraph : article["paragraphs"]) {
        contexts.insert(paragraph["context"].get<std::string>());
        for (const Json& qa : paragraph["qas"])
          for (const Json& answer : qa["answers"]) {
            if (qa.value("is_impossible", false)) continue;
            auto& entry = answered[qa["id"].get<std::string>()];
            entry.first = paragraph["context"].get<std::string>();
            entry.second.insert(answer["text"].get<std::string>());
          }
      }
    EXPECT_EQ(set.documents().size(), contexts.size()) << name;
    ASSERT_EQ(set.questions().size(), answered.size()) << name;
    for (const Question& question : set.questions()) {
      const auto& [context, variants] = answered[question.id];
      EXPECT_EQ(set.documents()[question.gold.front()].text, context);
      EXPECT_EQ(std::set<std::string>(question.answers.begin(), question.answers.end()), variants);
      for (const DocumentSpan& span : question.answer_spans)
        EXPECT_TRUE(variants.contains(part(set, span)));
      EXPECT_FALSE(question.support.empty());
      EXPECT_EQ(question.related.size() + 1,
                set.article(set.documents()[question.gold.front()].article).size());
    }
  }
}

const char* const kHotpot =
    R"([{"_id": "a", "question": "How deep is the lake near Zom?", "answer": "9 spans",
  "type": "bridge", "level": "hard", "supporting_facts": [["Zom", 1], ["Lake Um", 0], ["Lake Um", 7]],
  "context": [["Other", ["Nothing here."]], ["Zom", ["Zom is a town.", " It lies on Lake Um."]],
              ["Lake Um", ["Lake Um is 9 spans deep.", " It is cold. ", "", " Fish."]], ["Other", ["Nothing here."]]]},
 {"_id": "b", "question": "Is Zom a town?", "answer": "yes", "type": "comparison", "supporting_facts": [["Zom", 0]],
  "context": [["Zom", ["Zom is a town.", " It lies on Lake Um."]]]}])";

TEST(HotpotQa, ReadsDocumentsQuestionsAndSpans) {
  const auto loaded = parse_hotpotqa(kHotpot, "x.json");
  ASSERT_TRUE(loaded) << loaded.error().message;
  const QuestionSet& set = **loaded;
  ASSERT_EQ(set.documents().size(), 3u);  // equal paragraphs count once
  EXPECT_EQ(set.documents()[1].text, "Zom is a town. It lies on Lake Um.");
  EXPECT_EQ(set.documents()[2].sentences.size(), 4u);
  ASSERT_EQ(set.questions().size(), 2u);
  const Question& bridge = set.questions()[0];
  EXPECT_EQ(bridge.type, "bridge");
  EXPECT_THAT(bridge.gold, ElementsAre(1u, 2u));
  EXPECT_THAT(bridge.related, ElementsAre(0u));
  ASSERT_EQ(bridge.support.size(), 2u);  // sentence 7 does not exist
  EXPECT_EQ(part(set, bridge.support[0]), "It lies on Lake Um.");
  EXPECT_EQ(part(set, bridge.support[1]), "Lake Um is 9 spans deep.");
  ASSERT_EQ(bridge.answer_spans.size(), 1u);
  EXPECT_EQ(part(set, bridge.answer_spans[0]), "9 spans");
  EXPECT_EQ(set.questions()[1].type, "comparison");
  EXPECT_THAT(set.questions()[1].answer_spans, IsEmpty());
}

TEST(HotpotQa, RefusesBadFilesNamingThePlace) {
  const auto item = [](const std::string& facts, const std::string& context) {
    return R"([{"_id": "a", "question": "Q", "answer": "A", "supporting_facts": )" + facts +
           R"(, "context": )" + context + "}]";
  };
  const std::string good = R"([["T", ["A."]]])";
  const BadCase cases[] = {
      {"empty", "", "x.json: not valid JSON"},
      {"object", "{}", "x.json: must be an array, not an object"},
      {"none", "[]", "x.json: holds no question"},
      {"string item", R"(["x"])", "x.json: [0]: must be an object, not a string"},
      {"no id", R"([{"question": "Q"}])", "[0]: key '_id' is missing"},
      {"blank answer", R"([{"_id": "a", "question": "Q", "answer": " "}])", "[0].answer: is empty"},
      {"number answer", R"([{"_id": "a", "question": "Q", "answer": 3}])",
       "[0].answer: must be a string, not an integer"},
      {"no context", R"([{"_id": "a", "question": "Q", "answer": "A"}])",
       "[0]: key 'context' is missing"},
      {"triple", item(R"([["T", 0]])", R"([["T", ["A."], 1]])"),
       "[0].context[0]: must be [title, [sentences]]"},
      {"sentences", item(R"([["T", 0]])", R"([["T", "A."]])"),
       "[0].context[0][1]: must be an array, not a string"},
      {"sentence", item(R"([["T", 0]])", R"([["T", ["A.", null]]])"),
       "[0].context[0][1][1]: must be a string, not null"},
      {"blank paragraph", item(R"([["T", 0]])", R"([["T", [" "]]])"),
       "[0].context[0][1]: holds no text"},
      {"no fact", item("[]", good), "[0].supporting_facts: is empty"},
      {"fact shape", item(R"(["T"])", good),
       "[0].supporting_facts[0]: must be an array, not a string"},
      {"fact pair", item(R"([["T"]])", good),
       "[0].supporting_facts[0]: must be [title, sentence number]"},
      {"unknown title", item(R"([["U", 0]])", good),
       "[0].supporting_facts[0][0]: 'U' is no title of the context"},
      {"negative", item(R"([["T", -1]])", good),
       "[0].supporting_facts[0][1]: must not be negative"},
      {"fraction", item(R"([["T", 0.5]])", good),
       "[0].supporting_facts[0][1]: must be an integer, not a fraction"},
  };
  for (const BadCase& c : cases) {
    const auto loaded = parse_hotpotqa(c.json, "x.json");
    ASSERT_FALSE(loaded) << c.name;
    EXPECT_EQ(loaded.error().code, ErrorCode::kInput) << c.name;
    EXPECT_THAT(loaded.error().message, HasSubstr(c.message)) << c.name;
  }
  const std::string one = item(R"([["T", 0]])", good);
  const auto twice =
      parse_hotpotqa("[" + one.substr(1, one.size() - 2) + "," + one.substr(1), "x.json");
  ASSERT_FALSE(twice);
  EXPECT_THAT(twice.error().message, HasSubstr("[1]: _id 'a' is that of an earlier question"));
}

TEST(HotpotQa, RealFilesAgreeWithAPlainReading) {
  if (shared_data().empty())
    GTEST_SKIP() << "set FATHOM_SHARED_DATA to the folder of the licensed sample files";
  for (const char* name : {"hotpot_dev_distractor_sample100.json", "fictional.json"}) {
    const std::string path = shared_data() + "/hotpot/" + name;
    const auto loaded = load_hotpotqa(path);
    ASSERT_TRUE(loaded) << loaded.error().message;
    const QuestionSet& set = **loaded;
    const auto json = parse_json(*read_file(path), path);
    ASSERT_TRUE(json);
    ASSERT_EQ(set.questions().size(), json->size());
    for (size_t i = 0; i < json->size(); ++i) {
      const Json& item = (*json)[i];
      const Question& question = set.questions()[i];
      std::set<std::string> gold;
      std::map<std::string, std::vector<std::string>> context;
      for (const Json& fact : item["supporting_facts"]) gold.insert(fact[0].get<std::string>());
      for (const Json& paragraph : item["context"])
        context[paragraph[0].get<std::string>()] = paragraph[1].get<std::vector<std::string>>();
      std::set<std::string> found;
      for (const DocumentId id : question.gold) found.insert(set.documents()[id].title);
      EXPECT_EQ(found, gold);
      EXPECT_EQ(question.gold.size() + question.related.size(), context.size());
      EXPECT_EQ(question.answers.front(), item["answer"].get<std::string>());
      ASSERT_EQ(question.support.size(), item["supporting_facts"].size());
      for (size_t f = 0; f < question.support.size(); ++f) {
        const Json& fact = item["supporting_facts"][f];
        const std::string& sentence = context[fact[0].get<std::string>()][fact[1].get<size_t>()];
        EXPECT_THAT(sentence, HasSubstr(part(set, question.support[f])));
        EXPECT_GE(part(set, question.support[f]).size() + 3, sentence.size());
      }
    }
  }
}

}  // namespace
}  // namespace fathom
