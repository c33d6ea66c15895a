#include "corpus/word_pool.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <unordered_set>

#include "corpus/random_texts.h"
#include "io/file.h"

namespace fathom {
namespace {

using testing::HasSubstr;
using testing::MatchesRegex;

std::string folder_with(const std::string& name, const std::string& adjectives,
                        const std::string& nouns) {
  std::string folder = testing::TempDir() + "/" + name;
  std::filesystem::create_directories(folder);
  EXPECT_TRUE(write_file_atomic(folder + "/adjectives.txt", adjectives));
  EXPECT_TRUE(write_file_atomic(folder + "/nouns.txt", nouns));
  return folder;
}

TEST(WordPool, OwnListsAreLargeCleanAndApart) {
  const auto pool = WordPool::own();
  EXPECT_GE(pool->lists().adjectives.size(), 600u);
  EXPECT_GE(pool->lists().nouns.size(), 1500u);
  EXPECT_GE(pool->lists().verbs.size(), 500u);
  EXPECT_EQ(pool->words().size(), pool->lists().adjectives.size() + pool->lists().nouns.size() +
                                      pool->lists().verbs.size());
  for (const std::string& word : pool->words()) EXPECT_THAT(word, MatchesRegex("[a-z]+"));
  EXPECT_EQ(pool->info().source, "fathom");
  EXPECT_EQ(pool->info().hash.size(), 32u);
}

TEST(WordPool, EveryPairIsDifferent) {
  const auto pool = WordPool::own();
  std::unordered_set<std::string> pairs;
  for (uint64_t i = 0; i < pool->pair_count(); i += 7) pairs.insert(pool->pair(i));
  EXPECT_EQ(pairs.size(), (pool->pair_count() + 6) / 7);
  EXPECT_EQ(pool->pair(0), pool->lists().adjectives.front() + "-" + pool->lists().nouns.front());
  EXPECT_EQ(pool->pair(pool->pair_count() - 1),
            pool->lists().adjectives.back() + "-" + pool->lists().nouns.back());
}

// With wonderwords' lists, as many different pairs as RULER has.
TEST(WordPool, ReadsTheListsThatSetupFetched) {
  const std::string folder = FATHOM_DEPS_DIR "/words";
  if (!is_directory(folder)) GTEST_SKIP() << folder << " is missing: run ./dev setup";
  const auto pool = WordPool::load(folder);
  ASSERT_TRUE(pool) << pool.error().message;
  EXPECT_EQ((*pool)->pair_count(), 6'171'620u);
  EXPECT_GT((*pool)->words().size(), 8000u);
}

TEST(WordPool, SkipsCommentsBlankLinesSpacesAndDoubles) {
  const auto pool = WordPool::load(
      folder_with("pool_ok", "# list\r\nred \r\n\r\nblue\r\nred\n", "cat\n ad hoc\nblue"));
  ASSERT_TRUE(pool) << pool.error().message;
  EXPECT_EQ((*pool)->lists().adjectives, (std::vector<std::string>{"blue", "red"}));
  EXPECT_EQ((*pool)->words(), (std::vector<std::string>{"ad hoc", "blue", "cat", "red"}));
  EXPECT_EQ((*pool)->pair_count(), 6u);
}

TEST(WordPool, RefusesBadFoldersByName) {
  const auto missing = WordPool::load(testing::TempDir() + "/no_such_folder");
  ASSERT_FALSE(missing);
  EXPECT_THAT(missing.error().message, HasSubstr("no_such_folder/adjectives.txt"));
  const auto empty = WordPool::load(folder_with("pool_empty", "# none\n", "cat\n"));
  ASSERT_FALSE(empty);
  EXPECT_EQ(empty.error().code, ErrorCode::kInput);
  EXPECT_THAT(empty.error().message, HasSubstr("adjectives.txt: holds no words"));
  const auto control = WordPool::load(folder_with("pool_control", "red\nbl\tue\n", "cat\n"));
  ASSERT_FALSE(control);
  EXPECT_THAT(control.error().message, HasSubstr("adjectives.txt:2: not a word"));
  const auto longest = WordPool::load(folder_with("pool_long", "red\n", std::string(65, 'x')));
  ASSERT_FALSE(longest);
  EXPECT_THAT(longest.error().message, HasSubstr("nouns.txt:1: not a word"));
}

// G3: the same content across lengths: a longer list continues a shorter one.
TEST(WordPool, DrawnWordsAreDistinctAndContinueShorterDraws) {
  const auto pool = WordPool::own();
  const auto draw = [&](size_t count) {
    Random random(RandomKey(7), "words");
    return pool->draw_words(count, random);
  };
  const auto large = draw(20'000);  // more than the pool has
  EXPECT_EQ(std::set<std::string>(large.begin(), large.end()).size(), large.size());
  for (const size_t count :
       {size_t{0}, size_t{10}, size_t{500}, pool->words().size(), pool->words().size() + 1}) {
    const auto small = draw(count);
    ASSERT_EQ(small.size(), count);
    EXPECT_TRUE(std::equal(small.begin(), small.end(), large.begin())) << count;
  }
  for (const std::string& word : large) EXPECT_THAT(word, MatchesRegex("[a-z]+"));
}

TEST(RandomTexts, FormsAreThePublishedOnes) {
  Random random(RandomKey(1), "forms");
  for (int i = 0; i < 2000; ++i) {
    EXPECT_THAT(
        random_uuid(random),
        MatchesRegex("[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"));
    EXPECT_THAT(random_number(7, random), MatchesRegex("[1-9][0-9]{6}"));
    EXPECT_THAT(random_letters(5, 'A', random), MatchesRegex("[A-Z]{5}"));
    EXPECT_THAT(random_letters(6, 'a', random), MatchesRegex("[a-z]{6}"));
  }
  EXPECT_EQ(random_number(18, random).size(), 18u);
}

TEST(RandomTexts, NumbersReachBothEndsEvenly) {
  Random random(RandomKey(2), "digits");
  int counts[10] = {};
  for (int i = 0; i < 90'000; ++i) ++counts[random_number(1, random)[0] - '0'];
  EXPECT_EQ(counts[0], 0);
  for (int digit = 1; digit < 10; ++digit) EXPECT_NEAR(counts[digit], 10'000, 500) << digit;
}

TEST(RandomTexts, KindsHaveRulersNames) {
  for (const TextKind kind : {TextKind::kWords, TextKind::kNumbers, TextKind::kUuids})
    EXPECT_EQ(text_kind_from_text(to_text(kind)), kind);
  EXPECT_FALSE(text_kind_from_text("letters"));
}

// RULER draws keys without a check, so two needles may share one; here they cannot.
TEST(RandomTexts, NeverRepeatsWithinASample) {
  Random random(RandomKey(3), "distinct");
  DistinctTexts texts(WordPool::own());
  std::set<std::string> seen;
  for (int i = 0; i < 17'576; ++i) {
    const auto name = texts.upper_word(3, random);  // all there are
    ASSERT_TRUE(name);
    EXPECT_TRUE(seen.insert(*name).second) << *name;
  }
  const auto further = texts.upper_word(3, random);
  ASSERT_FALSE(further);
  EXPECT_EQ(further.error().code, ErrorCode::kInput);
  EXPECT_THAT(further.error().message, HasSubstr("only 17576"));
  for (int i = 0; i < 5000; ++i) {
    for (const TextKind kind : {TextKind::kWords, TextKind::kNumbers, TextKind::kUuids}) {
      const auto text = texts.draw(kind, random);
      ASSERT_TRUE(text);
      EXPECT_TRUE(seen.insert(*text).second) << *text;
    }
  }
}

TEST(RandomTexts, ReservedTextsAreNotDrawn) {
  DistinctTexts texts(WordPool::own());
  for (char digit = '1'; digit < '9'; ++digit) EXPECT_TRUE(texts.reserve(std::string(1, digit)));
  EXPECT_FALSE(texts.reserve("5"));
  EXPECT_TRUE(texts.taken("5"));
  Random random(RandomKey(4), "reserved");
  EXPECT_EQ(texts.number(1, random), "9");
  EXPECT_FALSE(texts.number(1, random));
}

// G3: the same bytes for ever. A change here changes every dataset: raise the suite version with
// it.
TEST(RandomTexts, GoldenDraws) {
  Random random(RandomKey(42).with("golden"), "texts");
  DistinctTexts texts(WordPool::own());
  std::string all;
  for (const TextKind kind : {TextKind::kWords, TextKind::kNumbers, TextKind::kUuids})
    all += *texts.draw(kind, random) + " ";
  // One statement a draw: within one their order would be the compiler's.
  all += *texts.upper_word(5, random) + " ";
  all += *texts.lower_word(6, random) + " ";
  all += *texts.pool_word(random);
  EXPECT_EQ(all, "regal-granite 1412579 f03c9a5b-ba3a-497b-9fa2-7dfd2cb975f7 ULHTC xhnxut stuffy");
}

}  // namespace
}  // namespace fathom
