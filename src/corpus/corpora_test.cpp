#include "corpus/corpora.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "io/file.h"

namespace fathom {
namespace {

using testing::HasSubstr;

std::string file_with(const std::string& name, const std::string& text) {
  std::string path = testing::TempDir() + "/" + name;
  EXPECT_TRUE(write_file_atomic(path, text));
  return path;
}

// The binary works alone: nothing given, fathom's own stand in.
TEST(Corpora, OwnTextsWhereNothingIsGiven) {
  for (const std::map<std::string, std::string>& paths :
       {std::map<std::string, std::string>{}, {{"essay", ""}, {"words", ""}, {"squad", ""}}}) {
    const auto corpora = load_corpora(paths);
    ASSERT_TRUE(corpora) << corpora.error().message;
    EXPECT_EQ(corpora->essay, Prose::own());
    EXPECT_EQ(corpora->words, WordPool::own());
    EXPECT_EQ(corpora->squad, nullptr);
    EXPECT_EQ(corpora->hotpotqa, nullptr);
    const auto info = corpora->info();
    ASSERT_EQ(info.size(), 4u);
    EXPECT_EQ(info[0].name, "essay");
    EXPECT_EQ(info[0].source, "fathom");
  }
}

TEST(Corpora, LoadsWhatIsGivenAndSaysWhence) {
  const std::string squad = file_with(
      "corpora_squad.json",
      R"({"data": [{"title": "T", "paragraphs": [{"context": "Bees hum.", "qas": [{"id": "a",
      "question": "Q?", "answers": [{"text": "hum", "answer_start": 5}]}]}]}]})");
  const std::string hotpot =
      file_with("corpora_hotpot.json", R"([{"_id": "a", "question": "Q?", "answer": "hum",
      "supporting_facts": [["T", 0]], "context": [["T", ["Bees hum."]]]}])");
  const std::string essay = file_with("corpora_essay.txt", "It rained all day.");
  const auto corpora = load_corpora({{"squad", squad}, {"hotpotqa", hotpot}, {"essay", essay}});
  ASSERT_TRUE(corpora) << corpora.error().message;
  EXPECT_EQ(corpora->essay->sentences().size(), 1u);
  EXPECT_EQ(corpora->squad->questions().size(), 1u);
  EXPECT_EQ(corpora->hotpotqa->questions().size(), 1u);
  const auto info = corpora->info();
  ASSERT_EQ(info.size(), 6u);
  EXPECT_EQ(info[2].source, squad);
  EXPECT_EQ(info[4].name, "encyclopaedia");
  EXPECT_EQ(info[5].name, "noise");
  for (const CorpusInfo& one : info) {
    EXPECT_EQ(one.hash.size(), 32u) << one.name;
    EXPECT_FALSE(one.licence.empty()) << one.name;
  }
}

TEST(Corpora, ErrorsNameTheCorpus) {
  const auto unknown = load_corpora({{"essays", "x"}});
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code, ErrorCode::kUsage);
  EXPECT_THAT(unknown.error().message, HasSubstr("'essays' is not known (did you mean 'essay'?)"));
  const auto broken = load_corpora({{"squad", file_with("corpora_broken.json", "[]")}});
  ASSERT_FALSE(broken);
  EXPECT_EQ(broken.error().code, ErrorCode::kInput);
  EXPECT_THAT(broken.error().message, HasSubstr("corpus squad: "));
  EXPECT_THAT(broken.error().message, HasSubstr("corpora_broken.json: must be an object"));
  const auto missing = load_corpora({{"words", testing::TempDir() + "/no_words"}});
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::kIo);
}

}  // namespace
}  // namespace fathom
