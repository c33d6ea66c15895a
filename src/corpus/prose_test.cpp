#include "corpus/prose.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <thread>
#include <unordered_set>

#include "corpus/prose_clean.h"
#include "io/file.h"

namespace fathom {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// Counts spaces: a token per word that follows a space. Texts of many sentences therefore add up
// exactly.
class SpaceTokenizer : public Tokenizer {
 public:
  explicit SpaceTokenizer(const std::string& hash) { info_.hash = hash; }
  void encode(std::string_view text, const EncodeOptions&,
              std::vector<TokenId>& ids) const override {
    ids.insert(ids.end(), count(text, {}), 0);
  }
  size_t count(std::string_view text, const EncodeOptions&) const override {
    return static_cast<size_t>(std::count(text.begin(), text.end(), ' '));
  }
  void encode_with_spans(std::string_view text, const EncodeOptions& options,
                         std::vector<TokenId>& ids, std::vector<ByteSpan>&) const override {
    encode(text, options, ids);
  }
  std::string decode(const std::vector<TokenId>&, bool) const override { return ""; }
  std::string token_text(TokenId) const override { return ""; }
  const TokenizerInfo& info() const override { return info_; }

 private:
  TokenizerInfo info_;
};

std::string folder_of(const std::string& name,
                      const std::vector<std::pair<std::string, std::string>>& files) {
  std::string folder = testing::TempDir() + "/" + name;
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  for (const auto& [file, text] : files) EXPECT_TRUE(write_file_atomic(folder + "/" + file, text));
  return folder;
}

std::vector<std::string> texts(const Prose& prose) {
  std::vector<std::string> out;
  for (const ProseSentence& sentence : prose.sentences()) out.emplace_back(sentence.text);
  return out;
}

TEST(ProseClean, TakesOutWhatIsNoProse) {
  struct Case {
    const char* name;
    std::string text;
    std::vector<std::string> paragraphs;
  };
  const Case cases[] = {
      {"lines joined", "It rained\nall  day.\n\nWe left.", {"It rained all day.", "We left."}},
      {"hyphen", "A well-\nknown man came--\nat last.", {"A well-known man came--at last."}},
      {"headings",
       "CHAPTER I\n\nVOLUME II.\n\nThe Road\n\nCHAPTER 1. Loomings.\n\nIt rained.",
       {"It rained."}},
      {"title line", "[Emma by Jane Austen 1816]\n\nIt rained.", {"It rained."}},
      {"illustrations",
       "[Illustration: A cat\nand a dog.]\n\nIt [Pg 12]rained [3]all day.",
       {"It rained all day."}},
      {"page furniture", "12\n\n* * * * *\n\n-----\n\n- 14 -\n\nIt rained.", {"It rained."}},
      {"contents",
       "I. The Road ........ 12\nII. The Hill ....... 345\n\nIt rained.",
       {"It rained."}},
      {"verses",
       "4:16 And Cain went out. 4:17 And he\ndwelt there.\n\nAt 4:16 he left.",
       {"And Cain went out. And he dwelt there.", "At 4:16 he left."}},
      {"emphasis", "It _really_ was a snake_case *word*.", {"It really was a snake_case *word*."}},
      {"licence",
       "The Project Gutenberg EBook of X\n\nProduced by Y.\n\n*** START OF THE PROJECT GUTENBERG "
       "EBOOK X ***\n\nIt "
       "rained.\n\nEnd of the Project Gutenberg EBook of X\n\n*** END OF THE PROJECT GUTENBERG "
       "EBOOK X ***\n\nMore "
       "words stand here.",
       {"It rained."}},
      {"old licence",
       "It rained.\n\nEnd of Project Gutenberg's X, by Y\n\nMore words stand here.",
       {"It rained."}},
      {"links", "See http://example.org for more.\n\nIt rained.", {"It rained."}},
      {"long line is a paragraph",
       std::string(200, 'a') + ".\n" + std::string(200, 'b') + ".",
       {std::string(200, 'a') + ".", std::string(200, 'b') + "."}},
      {"no cased letters", "我来了。\n\n你走了", {"我来了。"}},
      {"verse without end mark",
       "Of man's first disobedience and the fruit of that forbidden tree whose mortal taste\n"
       "brought death into the world and all our woe",
       {"Of man's first disobedience and the fruit of that forbidden tree whose mortal taste "
        "brought death into the "
        "world and all our woe"}},
      {"empty", "", {}},
  };
  for (const Case& c : cases) EXPECT_EQ(clean_paragraphs(c.text), c.paragraphs) << c.name;
}

TEST(ProseClean, ReadableText) {
  EXPECT_EQ(readable_text("\xEF\xBB\xBF"
                          "a\r\nb\rc\td\fe\x01\x7F"),
            "a\nb\nc d\n\ne");
  EXPECT_EQ(readable_text("caf\xE9 \x93x\x94 \x81"), "café \u201Cx\u201D \uFFFD");  // Windows-1252
  EXPECT_EQ(readable_text("a\u00A0b café 我"), "a b café 我");
}

TEST(ProseClean, LinearOnHostileText) {
  for (const char* unit :
       {"[", "{", "_", "[1", "1:1 ", "\n", " ", "-", "\xFF", "a-\n", "*** START OF GUTENBERG\n"}) {
    std::string text;
    while (text.size() < 1'000'000) text += unit;
    EXPECT_LE(clean_paragraphs(readable_text(text)).size(), text.size()) << unit;
  }
}

TEST(Prose, ReadsFilesInOrderOfTheirNames) {
  const auto prose =
      Prose::load(folder_of("prose_order", {{"b.txt", "Bees hum. They fly.\n\nThey rest."},
                                            {"a.md", "# Title\n\nAnts dig."},
                                            {"LICENSE.txt", "This is a licence."},
                                            {"README.md", "This is about the folder."},
                                            {"data.csv", "No prose here."},
                                            {"empty.txt", "TITLE"}}));
  ASSERT_TRUE(prose) << prose.error().message;
  EXPECT_THAT(texts(**prose), ElementsAre("Ants dig.", "Bees hum.", "They fly.", "They rest."));
  ASSERT_EQ((*prose)->books().size(), 2u);
  EXPECT_EQ((*prose)->books()[1].title, "b");
  EXPECT_EQ((*prose)->books()[1].first_sentence, 1u);
  EXPECT_EQ((*prose)->books()[1].sentences, 3u);
  EXPECT_TRUE((*prose)->sentences()[3].starts_paragraph);
  EXPECT_FALSE((*prose)->sentences()[2].starts_paragraph);
  EXPECT_EQ((*prose)->sentences()[3].book, 1u);
}

TEST(Prose, ErrorsNameTheFile) {
  const auto expect = [](const std::string& path, ErrorCode code, const std::string& part) {
    const auto prose = Prose::load(path);
    ASSERT_FALSE(prose) << path;
    EXPECT_EQ(prose.error().code, code) << prose.error().message;
    EXPECT_THAT(prose.error().message, HasSubstr(part));
  };
  expect(testing::TempDir() + "/no_such_prose", ErrorCode::kIo, "no_such_prose");
  expect(folder_of("prose_none", {{"x.csv", "a"}}), ErrorCode::kInput, "holds no *.txt");
  expect(folder_of("prose_titles", {{"x.txt", "TITLE\n\n12"}}), ErrorCode::kInput,
         "no running prose is left");
  expect(folder_of("prose_zero", {{"x.txt", std::string("a\0b.", 4)}}), ErrorCode::kInput,
         "x.txt: holds zero bytes");
}

TEST(Prose, CutsEndlessSentencesWithoutLosingText) {
  std::string text;
  for (int i = 0; i < 2000; ++i) text += (i % 40 == 39 ? "word; " : "word ");
  const auto prose = Prose::load(folder_of("prose_long", {{"x.txt", text + "end."}}));
  ASSERT_TRUE(prose);
  std::string joined;
  for (const ProseSentence& sentence : (*prose)->sentences()) {
    EXPECT_LE(sentence.text.size(), 1500u);
    joined += std::string(sentence.text) + " ";
  }
  EXPECT_EQ(joined, text + "end. ");
  const auto chinese = Prose::load(folder_of("prose_wide", {{"x.txt", [] {
                                                               std::string wide;
                                                               for (int i = 0; i < 2000; ++i)
                                                                 wide += "我";
                                                               return wide;
                                                             }()}}));
  ASSERT_TRUE(chinese);
  size_t bytes = 0;
  for (const ProseSentence& sentence : (*chinese)->sentences()) {
    EXPECT_EQ(sentence.text.size() % 3, 0u);
    bytes += sentence.text.size();
  }
  EXPECT_EQ(bytes, 6000u);
}

TEST(Prose, OwnProseNeverRepeatsASentenceAndHasNoSlotLeft) {
  const auto prose = Prose::own();
  EXPECT_GT(prose->sentences().size(), 20'000u);
  std::unordered_set<std::string_view> seen;
  size_t bytes = 0;
  for (const ProseSentence& sentence : prose->sentences()) {
    EXPECT_TRUE(seen.insert(sentence.text).second) << sentence.text;
    EXPECT_EQ(sentence.text.find_first_of("{}0123456789\n"), std::string_view::npos)
        << sentence.text;
    EXPECT_FALSE(sentence.text[0] >= 'a' && sentence.text[0] <= 'z') << sentence.text;
    bytes += sentence.text.size();
  }
  EXPECT_GT(bytes, 1'500'000u);
}

// G3: the same bytes for ever; a change changes every dataset that uses fathom-prose.
TEST(Prose, OwnProseGolden) {
  EXPECT_EQ(Prose::own()->info().hash, "3c0e1f67b8b7513fdbbfdac4a56bca28");
}

TEST(Prose, ReadsTheBooksThatSetupFetched) {
  const std::string folder = FATHOM_DEPS_DIR "/books";
  if (!is_directory(folder)) GTEST_SKIP() << folder << " is missing: run ./dev setup";
  const auto prose = Prose::load(folder);
  ASSERT_TRUE(prose) << prose.error().message;
  EXPECT_EQ((*prose)->books().size(), 18u);
  EXPECT_GT((*prose)->sentences().size(), 70'000u);
  for (const ProseSentence& sentence : (*prose)->sentences())
    for (const char* unwanted : {"Gutenberg", "[Illustration", "http:", "\n", "  "})
      ASSERT_EQ(sentence.text.find(unwanted), std::string_view::npos) << sentence.text;
}

// G7: samples read different places, whole sentences only, and text repeats only when it is
// exhausted.
TEST(ProseReader, WalksOnFromItsStartAndCountsRepeats) {
  const auto prose = Prose::load(
      folder_of("prose_walk", {{"a.txt", "One. Two.\n\nThree."}, {"b.txt", "Four. Five."}}));
  ASSERT_TRUE(prose);
  const ProseReader reader(*prose, 3);
  std::string text;
  for (uint64_t step = 0; step < 7; ++step) text += std::string(reader.sentence(step)) + " ";
  EXPECT_EQ(text, "Four. Five. One. Two. Three. Four. Five. ");
  EXPECT_EQ(reader.repeats(0), 0u);
  EXPECT_EQ(reader.repeats(5), 0u);
  EXPECT_EQ(reader.repeats(6), 1u);
  EXPECT_EQ(reader.repeats(11), 2u);
}

TEST(ProseReader, SamplesStartAtDifferentParagraphs) {
  const auto prose = Prose::own();
  std::set<uint64_t> starts;
  for (uint64_t index = 0; index < 200; ++index) {
    Random random(RandomKey(42).with(index), "essay start");
    const ProseReader reader(prose, random);
    EXPECT_TRUE(prose->sentences()[reader.start()].starts_paragraph);
    starts.insert(reader.start());
  }
  EXPECT_GT(starts.size(), 180u);
}

TEST(ProseTokens, SumsEqualCountingTheText) {
  const auto prose =
      Prose::load(folder_of("prose_tokens", {{"a.txt", "One two. Three four five.\n\nSix."},
                                             {"b.txt", "Seven. Eight nine ten."}}));
  ASSERT_TRUE(prose);
  const SpaceTokenizer tokenizer("spaces");
  const ProseTokens& tokens = (*prose)->tokens(tokenizer);
  for (uint64_t start = 0; start < 5; ++start) {
    const ProseReader reader(*prose, start);
    std::string text;
    for (uint64_t steps = 0; steps <= 17; ++steps) {
      const uint64_t counted = tokenizer.count(text, {});
      EXPECT_EQ(tokens.walk(start, steps), counted) << start << " " << steps;
      text += " " + std::string(reader.sentence(steps));
    }
    for (uint64_t budget = 0; budget < 40; ++budget) {
      const uint64_t steps = tokens.steps_within(start, budget);
      EXPECT_LE(tokens.walk(start, steps), budget);
      EXPECT_GT(tokens.walk(start, steps + 1), budget);
    }
  }
  EXPECT_THAT(tokens.with_tokens(1), ElementsAre(2u, 3u));
  EXPECT_THAT(tokens.with_tokens(3), ElementsAre(1u, 4u));
  EXPECT_TRUE(tokens.with_tokens(0).empty());
  EXPECT_TRUE(tokens.with_tokens(999).empty());
}

TEST(ProseTokens, OneTableForEachTokenizerFromAnyThread) {
  const auto prose = Prose::own();
  const SpaceTokenizer first("first");
  const SpaceTokenizer same("first");
  const SpaceTokenizer other("other");
  const ProseTokens* tables[8] = {};
  std::vector<std::thread> threads;
  for (auto& table : tables)
    threads.emplace_back([&] { table = &prose->tokens(&table == tables ? first : same); });
  for (std::thread& thread : threads) thread.join();
  for (const auto* table : tables) EXPECT_EQ(table, tables[0]);
  EXPECT_NE(&prose->tokens(other), tables[0]);
}

}  // namespace
}  // namespace fathom
