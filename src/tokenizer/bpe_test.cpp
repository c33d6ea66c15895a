// Byte-level and byte-fallback BPE against a plain merge loop on random vocabularies (G2, Q2).
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "tokenizer/bpe_model.h"
#include "tokenizer/segment_encoder.h"
#include "tokenizer/split_pcre2.h"
#include "tokenizer/whole_tokens.h"

namespace fathom {
namespace {

const std::string kWords =
    R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";

using Ids = std::vector<TokenId>;

// The rule itself: again and again the lowest-ranked pair, the leftmost of equals.
Ids merge_plainly(const BpeVocabulary& vocabulary, Ids ids) {
  std::map<std::pair<TokenId, TokenId>, std::pair<size_t, TokenId>> table;
  for (size_t rank = 0; rank < vocabulary.merges.size(); ++rank) {
    const BpeMerge& merge = vocabulary.merges[rank];
    table.try_emplace({merge.left, merge.right}, rank, merge.result);
  }
  for (;;) {
    size_t best = ids.size();
    size_t best_rank = SIZE_MAX;
    for (size_t i = 0; i + 1 < ids.size(); ++i) {
      const auto found = table.find({ids[i], ids[i + 1]});
      if (found != table.end() && found->second.first < best_rank) {
        best = i;
        best_rank = found->second.first;
      }
    }
    if (best == ids.size()) return ids;
    ids[best] = table[{ids[best], ids[best + 1]}].second;
    ids.erase(ids.begin() + static_cast<std::ptrdiff_t>(best) + 1);
  }
}

std::string random_letters(std::mt19937& random, size_t size, size_t letters) {
  std::string text;
  while (text.size() < size) text += static_cast<char>('a' + random() % letters);
  return text;
}

// Tokens made by random merges of earlier ones; the list is then shuffled a little, so that a token
// may be used before it can be made, as in the files whose merges were derived from ranks.
BpeVocabulary random_vocabulary(std::mt19937& random, std::vector<std::string> atoms, size_t merges,
                                size_t shuffles) {
  BpeVocabulary vocabulary;
  vocabulary.byte_tokens.fill(kNoToken);
  vocabulary.tokens = std::move(atoms);
  std::map<std::string, TokenId> ids;
  for (TokenId id = 0; id < vocabulary.tokens.size(); ++id) ids[vocabulary.tokens[id]] = id;
  std::set<std::pair<TokenId, TokenId>> used;
  for (size_t tries = 0; vocabulary.merges.size() < merges && tries < merges * 50; ++tries) {
    const auto left = static_cast<TokenId>(random() % vocabulary.tokens.size());
    const auto right = static_cast<TokenId>(random() % vocabulary.tokens.size());
    const std::string text = vocabulary.tokens[left] + vocabulary.tokens[right];
    if (text.size() > 12 || text[0] == '<' || !used.insert({left, right}).second) continue;
    const auto [at, fresh] = ids.try_emplace(text, static_cast<TokenId>(vocabulary.tokens.size()));
    if (fresh) vocabulary.tokens.push_back(text);
    vocabulary.merges.push_back({left, right, at->second});
  }
  for (size_t i = 0; i < shuffles; ++i)
    std::swap(vocabulary.merges[random() % vocabulary.merges.size()],
              vocabulary.merges[random() % vocabulary.merges.size()]);
  return vocabulary;
}

std::vector<std::string> all_bytes() {
  std::vector<std::string> bytes;
  for (int b = 255; b >= 0; --b) bytes.emplace_back(1, static_cast<char>(b));
  return bytes;
}

std::vector<std::string> split_words(const std::string& text) {
  const auto rule = std::move(*make_pcre2_rule(kWords));
  std::vector<std::string> words;
  for (size_t position = 0, end = 0; position < text.size(); position = end) {
    rule->split(text, ByteSpan{0, text.size()}, position, &end, 1);
    words.push_back(text.substr(position, end - position));
  }
  return words;
}

Ids encode_plainly(const BpeVocabulary& vocabulary, const std::string& text) {
  Ids all;
  for (const std::string& word : split_words(text)) {
    const auto whole = std::find(vocabulary.tokens.begin(), vocabulary.tokens.end(), word);
    Ids ids;
    if (vocabulary.ignore_merges && whole != vocabulary.tokens.end()) {
      ids.push_back(static_cast<TokenId>(whole - vocabulary.tokens.begin()));
    } else {
      for (const char c : word) ids.push_back(255U - static_cast<uint8_t>(c));
      ids = merge_plainly(vocabulary, ids);
    }
    all.insert(all.end(), ids.begin(), ids.end());
  }
  return all;
}

// encode(), count() and encode_with_ends() agree with `expected` and with each other, from cold and
// warm caches.
void expect_encodes(const SegmentEncoder& encoder, const BpeVocabulary& vocabulary,
                    const std::string& text, const Ids& expected) {
  for (int pass = 0; pass < 2; ++pass) {
    Ids ids{7};
    encoder.encode(text, ids);
    ASSERT_EQ(ids[0], 7U) << "encode() appends";
    ids.erase(ids.begin());
    ASSERT_EQ(ids, expected) << text;
    ASSERT_EQ(encoder.count(text), expected.size()) << text;
  }
  Ids ids;
  std::vector<uint64_t> ends;
  encoder.encode_with_ends(text, ids, ends);
  ASSERT_EQ(ids, expected) << text;
  ASSERT_EQ(ends.size(), ids.size());
  size_t begin = 0;
  for (size_t i = 0; i < ids.size(); ++i) {
    const std::string& token = vocabulary.tokens[ids[i]];
    if (token[0] != '<') {
      ASSERT_EQ(text.substr(begin, ends[i] - begin), token);
    }
    begin = ends[i];
  }
  ASSERT_EQ(begin, text.size());
}

struct Case {
  const char* name;
  bool ignore_merges;
  size_t shuffles;
};

class ByteLevel : public testing::TestWithParam<Case> {};

TEST_P(ByteLevel, EncodesAsThePlainLoopDoes) {
  std::mt19937 random(11);
  for (int round = 0; round < 8; ++round) {
    BpeVocabulary vocabulary;
    vocabulary.byte_tokens.fill(kNoToken);
    // Make merges likely: most of them over a small alphabet.
    std::vector<std::string> atoms = all_bytes();
    std::vector<std::string> frequent = {"a", "b", "c", " "};
    std::map<std::string, TokenId> ids;
    for (TokenId id = 0; id < atoms.size(); ++id) ids[atoms[id]] = id;
    vocabulary.tokens = atoms;
    for (int i = 0; i < 60; ++i) {
      const std::string& left = frequent[random() % frequent.size()];
      const std::string& right = frequent[random() % frequent.size()];
      const std::string text = left + right;
      if (text.size() > 9 || text.find(' ', 1) != std::string::npos) continue;
      const auto [at, fresh] =
          ids.try_emplace(text, static_cast<TokenId>(vocabulary.tokens.size()));
      if (fresh) vocabulary.tokens.push_back(text);
      vocabulary.merges.push_back({ids[left], ids[right], at->second});
      frequent.push_back(text);
    }
    for (size_t i = 0; i < GetParam().shuffles; ++i)
      std::swap(vocabulary.merges[random() % vocabulary.merges.size()],
                vocabulary.merges[random() % vocabulary.merges.size()]);
    vocabulary.ignore_merges = GetParam().ignore_merges;
    const auto encoder = make_byte_level_bpe(vocabulary, {{kWords}});
    ASSERT_TRUE(encoder.has_value());
    for (const size_t size : {1, 2, 5, 9, 14, 15, 16, 17, 30, 47, 48, 49, 50, 120, 128, 129, 400}) {
      for (int i = 0; i < 6; ++i) {
        const std::string word = random_letters(random, size, 3);
        expect_encodes(**encoder, vocabulary, word, encode_plainly(vocabulary, word));
      }
    }
    std::string text;
    for (int i = 0; i < 600; ++i)
      text += random_letters(random, 1 + random() % 9, 4) + (random() % 3 ? " " : "  ");
    expect_encodes(**encoder, vocabulary, text, encode_plainly(vocabulary, text));
  }
}

INSTANTIATE_TEST_SUITE_P(Merges, ByteLevel,
                         testing::Values(Case{"ordered", false, 0}, Case{"shuffled", false, 30},
                                         Case{"ignored", true, 0},
                                         Case{"ignored_shuffled", true, 30}),
                         [](const auto& chosen) { return std::string(chosen.param.name); });

TEST(ByteLevelEdges, MissingBytesAreLeftOutOrUnknown) {
  BpeVocabulary vocabulary;
  vocabulary.tokens = {"a", "b", "ab", "?"};
  vocabulary.merges = {{0, 1, 2}};
  Ids ids;
  (*make_byte_level_bpe(vocabulary, {{kWords}}))->encode("axbxx", ids);
  EXPECT_EQ(ids, (Ids{2}));  // what is left merges across the gap, as in the reference
  vocabulary.unknown = 3;
  ids.clear();
  const auto encoder = make_byte_level_bpe(vocabulary, {{kWords}});
  (*encoder)->encode("axbxx", ids);
  EXPECT_EQ(ids, (Ids{0, 3, 1, 3, 3}));
  EXPECT_EQ((*encoder)->count(""), 0U);
}

TEST(ByteLevelEdges, RanksWithoutMergeListFollowTheLowestRankThenTheLeft) {
  BpeVocabulary vocabulary;
  vocabulary.tokens = {"a", "aa", "aaa", "b", "ab"};
  vocabulary.merges_by_rank = true;
  vocabulary.ignore_merges = true;
  const auto encoder = make_byte_level_bpe(vocabulary, {});
  Ids ids;
  (*encoder)->encode("aaaaa", ids);
  EXPECT_EQ(ids,
            (Ids{1, 2}));  // aa aa a, then the leftmost way to aaa is the second aa with the last a
  ids.clear();
  (*encoder)->encode("aaab", ids);
  EXPECT_EQ(ids, (Ids{2, 3}));
}

TEST(ByteLevelEdges, WrongVocabulariesAreRefused) {
  BpeVocabulary vocabulary;
  vocabulary.tokens = {"a", "b"};
  vocabulary.merges = {{0, 1, 2}};
  const auto result = make_byte_level_bpe(vocabulary, {});
  ASSERT_FALSE(result.has_value());
  EXPECT_EQ(result.error().code, ErrorCode::kInput);
  EXPECT_NE(result.error().message.find("merge 0"), std::string::npos);
}

TEST(WholeTokens, WhatIsCalledSureComesOutWhole) {
  std::mt19937 random(13);
  size_t sure_count = 0;
  size_t whole_count = 0;
  for (int round = 0; round < 400; ++round) {
    const BpeVocabulary vocabulary =
        random_vocabulary(random, {"a", "b", "c"}, 60, round % 2 == 0 ? 0 : 40);
    const MergeTable merges(vocabulary.merges, false);
    std::vector<uint8_t> atoms(vocabulary.tokens.size(), 0);
    atoms[0] = atoms[1] = atoms[2] = 1;
    const std::vector<uint8_t> sure = sure_tokens(vocabulary, merges, atoms);
    for (TokenId id = 3; id < vocabulary.tokens.size(); ++id) {
      Ids ids;
      for (const char c : vocabulary.tokens[id]) ids.push_back(static_cast<TokenId>(c - 'a'));
      const bool whole = merge_plainly(vocabulary, ids) == Ids{id};
      whole_count += whole;
      sure_count += sure[id];
      if (sure[id]) {
        ASSERT_TRUE(whole) << vocabulary.tokens[id];
      }
    }
  }
  EXPECT_GT(sure_count * 10, whole_count * 7)
      << "most whole tokens should be found: " << sure_count << " of " << whole_count;
}

// Characters, bytes for the unknown ones, one word: the plain way.
Ids encode_characters_plainly(const BpeVocabulary& vocabulary, const std::string& text) {
  Ids ids;
  for (size_t i = 0; i < text.size();) {
    const auto lead = static_cast<uint8_t>(text[i]);
    const size_t bytes = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    const auto at =
        std::find(vocabulary.tokens.begin(), vocabulary.tokens.end(), text.substr(i, bytes));
    if (at != vocabulary.tokens.end()) {
      ids.push_back(static_cast<TokenId>(at - vocabulary.tokens.begin()));
    } else {
      for (size_t k = 0; k < bytes; ++k)
        ids.push_back(vocabulary.byte_tokens[static_cast<uint8_t>(text[i + k])]);
    }
    i += bytes;
  }
  return merge_plainly(vocabulary, ids);
}

TEST(ByteFallback, CutAtJointsEncodesAsOneWord) {
  std::mt19937 random(17);
  const std::vector<std::string> characters = {"▁", "a", "b", ".", "é", "中", "\u2582", "▁▁"};
  for (int round = 0; round < 40; ++round) {
    BpeVocabulary vocabulary = random_vocabulary(random, {"▁", "a", "b", ".", "é", "中"},
                                                 8 + random() % 30, random() % 20);
    for (int b = 0; b < 256; ++b) {
      vocabulary.byte_tokens[static_cast<size_t>(b)] =
          static_cast<TokenId>(vocabulary.tokens.size());
      vocabulary.tokens.push_back(fmt::format("<0x{:02X}>", b));
    }
    const auto encoder = make_byte_fallback_bpe(vocabulary);
    ASSERT_TRUE(encoder.has_value());
    for (int i = 0; i < 40; ++i) {
      std::string text;
      for (size_t n = 1 + random() % 120; n > 0; --n)
        text += random() % 12 ? characters[random() % characters.size()]
                              : std::string("\nx😀").substr(0, 1);
      expect_encodes(**encoder, vocabulary, text, encode_characters_plainly(vocabulary, text));
    }
  }
}

TEST(ByteFallback, UnknownCharactersFuseAndAreOvertakenByBytes) {
  BpeVocabulary vocabulary;
  vocabulary.tokens = {"<unk>", "a", "<0x78>", "▁"};
  vocabulary.byte_tokens.fill(kNoToken);
  vocabulary.byte_tokens['x'] = 2;
  vocabulary.unknown = 0;
  const auto ids_of = [&](std::string_view text) {
    Ids ids;
    (*make_byte_fallback_bpe(vocabulary))->encode(text, ids);
    return ids;
  };
  EXPECT_EQ(ids_of("a??a"), (Ids{1, 0, 0, 1}));
  vocabulary.fuse_unknown = true;
  EXPECT_EQ(ids_of("a??a"), (Ids{1, 0, 1}));
  EXPECT_EQ(ids_of("a中文▁中"), (Ids{1, 0, 3, 0}));
  EXPECT_EQ(ids_of("?xa"), (Ids{2, 0, 1}));  // the reference holds the unknown token back
}

// 1 MB without a single joint must stay near-linear (G2).
TEST(BpeSlow, LongWordsTakeWellUnderASecond) {
  std::mt19937 random(19);
  std::vector<std::string> atoms = all_bytes();
  BpeVocabulary vocabulary;
  vocabulary.tokens = atoms;
  const auto token = [&](std::string_view text) {
    return static_cast<TokenId>(
        std::find(vocabulary.tokens.begin(), vocabulary.tokens.end(), text) -
        vocabulary.tokens.begin());
  };
  const auto add = [&](const std::string& left, const std::string& right) {
    if (token(left + right) == vocabulary.tokens.size()) vocabulary.tokens.push_back(left + right);
    vocabulary.merges.push_back({token(left), token(right), token(left + right)});
  };
  for (const char c : {'a', '=', ' '})
    for (std::string text(1, c); text.size() < 64; text += text) add(text, text);
  for (int i = 0; i < 300; ++i) add(random_letters(random, 1, 26), random_letters(random, 1, 26));
  const auto encoder = std::move(*make_byte_level_bpe(vocabulary, {{kWords}}));
  for (const std::string& text :
       {std::string(1 << 20, 'a'), std::string(1 << 20, '='), std::string(1 << 20, ' '),
        std::string(1 << 20, '\n'), random_letters(random, 1 << 20, 26)}) {
    const auto start = std::chrono::steady_clock::now();
    const size_t n = encoder->count(text);
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    EXPECT_GT(n, 0U);
    EXPECT_LT(seconds, 5.0) << "starts with " << text[0];
  }
}

}  // namespace
}  // namespace fathom
