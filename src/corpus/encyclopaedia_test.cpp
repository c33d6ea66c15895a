#include "corpus/encyclopaedia.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "corpus/grammar.h"
#include "corpus/word_pool.h"
#include "io/embedded.h"
#include "text/words.h"

namespace fathom {
namespace {

std::string part(const QuestionSet& set, const DocumentSpan& span) {
  return set.documents()[span.document].text.substr(span.bytes.begin,
                                                    span.bytes.end - span.bytes.begin);
}

// How often each run of one to four words occurs in all documents, case ignored.
std::unordered_map<std::string, int> phrases(const QuestionSet& set) {
  std::unordered_map<std::string, int> counts;
  for (const Document& document : set.documents()) {
    const std::string text = lower_case(document.text);
    const auto words = split_words(text);
    for (size_t i = 0; i < words.size(); ++i)
      for (size_t n = i; n < std::min(words.size(), i + 4); ++n)
        ++counts[text.substr(words[i].begin, words[n].end - words[i].begin)];
  }
  return counts;
}

void expect_sound(const Encyclopaedia& world) {
  std::set<std::string> texts;
  std::set<std::string> titles;
  for (const Document& document : world.single_hop->documents()) {
    EXPECT_TRUE(texts.insert(document.text).second) << document.text;
    EXPECT_TRUE(titles.insert(document.title).second) << document.title;
    EXPECT_EQ(document.text.find_first_of("{}"), std::string::npos) << document.text;
    EXPECT_GE(document.sentences.size(), 5u);
    uint64_t end = 0;
    for (const ByteSpan& sentence : document.sentences) {
      EXPECT_EQ(sentence.begin, end == 0 ? 0 : end + 1);
      end = sentence.end;
    }
    EXPECT_EQ(end, document.text.size());
  }
  EXPECT_EQ(world.two_hop->documents(), world.single_hop->documents());
  auto counts = phrases(*world.single_hop);
  for (const auto& set : {world.single_hop, world.two_hop}) {
    std::set<std::string> questions;
    for (const Question& question : set->questions()) {
      EXPECT_EQ(question.text.find_first_of("{}"), std::string::npos) << question.text;
      EXPECT_TRUE(question.text.ends_with('?'));
      EXPECT_TRUE(questions.insert(question.text).second) << question.text;
      ASSERT_EQ(question.answers.size(), 1u);
      const std::string& answer = question.answers.front();
      // The answer stands once in the whole world, so no distractor can hold it.
      EXPECT_EQ(counts[lower_case(answer)], 1) << question.text << " " << answer;
      EXPECT_EQ(lower_case(question.text).find(lower_case(answer)), std::string::npos)
          << question.text;
      ASSERT_EQ(question.answer_spans.size(), 1u);
      EXPECT_EQ(part(*set, question.answer_spans.front()), answer);
      EXPECT_EQ(question.answer_spans.front().document, question.gold.back());
      ASSERT_EQ(question.support.size(), question.gold.size());
      EXPECT_TRUE(contains_phrase(part(*set, question.support.back()), answer)) << question.text;
      for (size_t i = 0; i < question.gold.size(); ++i)
        EXPECT_EQ(question.support[i].document, question.gold[i]);
      EXPECT_EQ(question.related.size(), 8u);
      for (const DocumentId id : question.related)
        EXPECT_EQ(std::count(question.gold.begin(), question.gold.end(), id), 0);
    }
  }
}

// The question names the first article only; its supporting sentence names the second, which alone
// holds the answer.
void expect_bridges(const QuestionSet& set) {
  for (const Question& question : set.questions()) {
    ASSERT_EQ(question.gold.size(), 2u);
    const Document& first = set.documents()[question.gold[0]];
    const Document& second = set.documents()[question.gold[1]];
    const std::string first_name =
        first.title.starts_with("The ") ? first.title.substr(4) : first.title;
    const std::string second_name =
        second.title.starts_with("The ") ? second.title.substr(4) : second.title;
    EXPECT_NE(question.text.find(first_name), std::string::npos) << question.text;
    EXPECT_EQ(question.text.find(second_name), std::string::npos) << question.text;
    EXPECT_NE(part(set, question.support[0]).find(second_name), std::string::npos) << question.text;
  }
}

TEST(Encyclopaedia, SmallWorldsAreSound) {
  for (const uint64_t seed : {1, 2, 3}) {
    const Encyclopaedia world = make_encyclopaedia({.seed = seed, .articles = 240});
    EXPECT_EQ(world.single_hop->documents().size(), 240u);
    EXPECT_EQ(world.single_hop->questions().size(), 720u);
    EXPECT_EQ(world.two_hop->questions().size(), 420u);
    expect_sound(world);
    expect_bridges(*world.two_hop);
  }
}

TEST(EncyclopaediaSlow, TheDefaultWorldIsSound) {
  expect_sound(own_encyclopaedia());
  expect_bridges(*own_encyclopaedia().two_hop);
}

TEST(EncyclopaediaSlow, TheLargestWorldIsSound) {
  const Encyclopaedia world = make_encyclopaedia({.seed = 9, .articles = 8000});
  EXPECT_EQ(world.single_hop->questions().size(), 24'000u);
  expect_sound(world);
}

// Whoever founded, wrote or commanded something was born before it; years and asked numbers cannot
// be confused.
TEST(Encyclopaedia, YearsAgree) {
  const Encyclopaedia world = make_encyclopaedia({.seed = 5, .articles = 600});
  const auto year_of = [](const Document& document) {
    const std::string_view intro =
        std::string_view(document.text).substr(0, document.sentences.front().end);
    for (const ByteSpan& word : split_words(intro)) {
      const std::string_view text = intro.substr(word.begin, word.end - word.begin);
      if (text.find_first_not_of("0123456789") == std::string_view::npos)
        return std::stoi(std::string(text));
    }
    return 0;
  };
  size_t compared = 0;
  for (const Question& question : world.two_hop->questions()) {
    const int first = year_of(world.two_hop->documents()[question.gold[0]]);
    const int second = year_of(world.two_hop->documents()[question.gold[1]]);
    if (first == 0 || second == 0) continue;
    ++compared;
    EXPECT_GE(first, second + 20) << question.text;
    EXPECT_LT(first, 2000);
    EXPECT_GE(second, 1000);
  }
  EXPECT_GT(compared, 200u);
}

// Invented names are no English words, and no title shares one with another.
TEST(Encyclopaedia, NamesAreInventedAndUnique) {
  const Encyclopaedia world = make_encyclopaedia({.seed = 1, .articles = 1200});
  std::map<std::string, int> names;
  for (const Document& document : world.single_hop->documents()) {
    int invented = 0;
    for (const ByteSpan& word : split_words(document.title)) {
      const std::string name = document.title.substr(word.begin, word.end - word.begin);
      ++names[name];
      const auto& english = WordPool::own()->words();
      invented +=
          name.size() >= 5 && !std::binary_search(english.begin(), english.end(), lower_case(name));
    }
    EXPECT_GE(invented, 1) << document.title;
  }
  for (const Document& document : world.single_hop->documents()) {
    bool own = false;
    for (const ByteSpan& word : split_words(document.title))
      own |= names[document.title.substr(word.begin, word.end - word.begin)] == 1;
    EXPECT_TRUE(own) << document.title;
  }
}

// G3: the same bytes for ever; a change changes every dataset made from it.
TEST(Encyclopaedia, Golden) {
  const Encyclopaedia world = make_encyclopaedia({.seed = 1, .articles = 240});
  EXPECT_EQ(world.single_hop->info().hash, "7653b4fce45123f8215b79d37dc65acc");
  EXPECT_EQ(world.two_hop->info().hash, "e0a74562b3d30f9afc0b5dae71d04a0d");
}

TEST(Grammar, EveryReferenceInTheDataFilesIsDefined) {
  struct File {
    const char* name;
    std::set<std::string> bound;
  };
  const File files[] = {
      {"noise/prose.txt", {"who", "other", "they", "them", "their"}},
      {"encyclopaedia/world.txt",
       {"w", "v", "name", "short", "year", "value", "target", "subject"}},
  };
  for (const File& file : files) {
    const auto text = embedded_file(file.name);
    ASSERT_TRUE(text) << file.name;
    const Grammar grammar = Grammar::parse(*text);
    EXPECT_GT(grammar.symbols().size(), 20u);
    for (const std::string& symbol : grammar.symbols()) {
      EXPECT_FALSE(grammar.alternatives(symbol).empty()) << symbol;
      std::set<std::string> seen;
      for (const std::string& alternative : grammar.alternatives(symbol)) {
        EXPECT_TRUE(seen.insert(alternative).second) << symbol << ": " << alternative;
        for (size_t at = alternative.find('{'); at != std::string::npos;
             at = alternative.find('{', at + 1)) {
          std::string name = alternative.substr(at + 1, alternative.find('}', at) - at - 1);
          if (name.starts_with('^')) name.erase(0, 1);
          if (name.starts_with("a:")) name.erase(0, 2);
          EXPECT_TRUE(file.bound.contains(name) || !grammar.alternatives(name).empty())
              << symbol << ": " << name;
        }
      }
    }
  }
}

TEST(Grammar, FillsSlots) {
  const Grammar grammar =
      Grammar::parse("# comment\nanimal\n  owl\n\nsize\n  {animal}-sized\nloop\n  {loop}x\n");
  Random random(RandomKey(1), "grammar");
  const auto fill = [&](std::string_view pattern) {
    return grammar.fill(pattern, {{"who", "the miller"}}, random);
  };
  EXPECT_EQ(fill("{^who} saw {a:animal}."), "The miller saw an owl.");
  EXPECT_EQ(fill("{^a:size} {who}"), "An owl-sized the miller");
  EXPECT_EQ(fill("{unknown} {open"), "{unknown} {open");
  EXPECT_EQ(fill(""), "");
  EXPECT_TRUE(fill("{loop}").starts_with("{loop}"));  // endless rules stop
  EXPECT_EQ(article_for("hour"), "an");
  EXPECT_EQ(article_for("unicorn"), "a");
  EXPECT_EQ(article_for("umbrella"), "an");
}

}  // namespace
}  // namespace fathom
