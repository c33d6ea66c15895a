// Tiny vocabularies of every kind against the ids that the reference libraries gave
// (tests/oracles/make_tokenizer_data.py). G2.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "io/json.h"
#include "io/jsonl.h"
#include "tokenizer/tokenizer.h"

namespace fathom {
namespace {

struct Golden {
  std::string text;
  std::vector<TokenId> ids;
  std::vector<TokenId> special;
  std::string decoded;
};

std::vector<Golden> read_golden(const std::string& path) {
  std::vector<Golden> cases;
  const auto result = for_each_line(path, [&](size_t, std::string_view line) -> Result<void> {
    TRY(const Json json, parse_json(line, path));
    cases.push_back({json["text"], json["ids"], json["special"], json["decoded"]});
    return {};
  });
  EXPECT_TRUE(result) << result.error().message;
  return cases;
}

class GoldenTokenizers : public testing::TestWithParam<const char*> {};

TEST_P(GoldenTokenizers, GiveTheReferenceIds) {
  const std::string file = std::string(FATHOM_TEST_DATA "/tokenizer/") + GetParam();
  const auto tokenizer = load_tokenizer(file);
  ASSERT_TRUE(tokenizer) << tokenizer.error().message;
  const auto cases = read_golden(std::filesystem::path(file).replace_extension(".golden.jsonl"));
  ASSERT_GE(cases.size(), 40U);
  for (const Golden& golden : cases) {
    SCOPED_TRACE(testing::PrintToString(golden.text));
    std::vector<TokenId> ids;
    (*tokenizer)->encode(golden.text, {.add_special = false}, ids);
    EXPECT_EQ(ids, golden.ids);
    EXPECT_EQ((*tokenizer)->count(golden.text, {.add_special = false}), golden.ids.size());
    std::vector<TokenId> special;
    (*tokenizer)->encode(golden.text, {.add_special = true}, special);
    EXPECT_EQ(special, golden.special);
    EXPECT_EQ((*tokenizer)->count(golden.text, {.add_special = true}), golden.special.size());
    EXPECT_EQ((*tokenizer)->decode(golden.ids, false), golden.decoded);
  }
}

TEST_P(GoldenTokenizers, GiveSpansInOrderInsideTheText) {
  const std::string file = std::string(FATHOM_TEST_DATA "/tokenizer/") + GetParam();
  const auto tokenizer = load_tokenizer(file);
  ASSERT_TRUE(tokenizer) << tokenizer.error().message;
  for (const Golden& golden :
       read_golden(std::filesystem::path(file).replace_extension(".golden.jsonl"))) {
    SCOPED_TRACE(testing::PrintToString(golden.text));
    std::vector<TokenId> ids;
    std::vector<ByteSpan> spans;
    (*tokenizer)->encode_with_spans(golden.text, {.add_special = true}, ids, spans);
    EXPECT_EQ(ids, golden.special);
    ASSERT_EQ(spans.size(), ids.size());
    uint64_t last = 0;
    for (const ByteSpan span : spans) {
      EXPECT_LE(span.begin, span.end);
      EXPECT_LE(span.end, golden.text.size());
      EXPECT_LE(last, span.begin);
      last = span.begin;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Files, GoldenTokenizers,
    testing::Values("byte_level.json", "split_removed.json", "split_isolated.json",
                    "split_merged_with_previous.json", "split_merged_with_next.json",
                    "split_contiguous.json", "fallback_prepend.json", "fallback_first.json",
                    "fallback_always.json", "fallback_never.json", "unigram_metaspace.json",
                    "unigram_whole.json", "word_piece_lower.json", "word_piece_cased.json",
                    "precompiled.json", "sp_bpe.model", "sp_bpe_plain.model", "sp_unigram.model",
                    "sp_unigram_fallback.model", "sp_suffix.model"),
    [](const auto& row) {
      std::string name = row.param;
      for (char& c : name) {
        if (c == '.') c = '_';
      }
      return name;
    });

}  // namespace
}  // namespace fathom
