// Vocabularies inside GGUF files against llama.cpp's own test vectors: X.gguf with X.gguf.inp
// (texts) and X.gguf.out (ids). G2.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "io/file.h"
#include "tokenizer/tokenizer.h"

namespace fathom {
namespace {

constexpr std::string_view kSeparator = "\n__ggml_vocab_test__\n";

std::vector<std::string> split_texts(const std::string& all) {
  std::vector<std::string> texts;
  for (size_t at = 0;;) {
    const size_t end = all.find(kSeparator, at);
    if (end == std::string::npos) break;
    texts.push_back(all.substr(at, end - at));
    at = end + kSeparator.size();
  }
  return texts;
}

std::vector<std::string> vocabularies_with_vectors() {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(FATHOM_DEPS_DIR "/vocab", error)) {
    const std::string path = entry.path().string();
    if (path.ends_with(".gguf") && file_exists(path + ".inp")) names.push_back(path);
  }
  std::ranges::sort(names);
  return names;
}

TEST(GgufVocabularies, GiveTheIdsOfLlamaCppsTestVectors) {
  const auto paths = vocabularies_with_vectors();
  if (paths.empty())
    GTEST_SKIP() << "no vocabularies under " FATHOM_DEPS_DIR "/vocab; run ./dev setup";
  for (const std::string& path : paths) {
    SCOPED_TRACE(path);
    const auto tokenizer = load_tokenizer(path);
    ASSERT_TRUE(tokenizer) << tokenizer.error().message;
    const auto texts = split_texts(*read_file(path + ".inp"));
    std::istringstream lines(*read_file(path + ".out"));
    ASSERT_GT(texts.size(), 20U);
    for (const std::string& text : texts) {
      SCOPED_TRACE(testing::PrintToString(text));
      std::string line;
      ASSERT_TRUE(std::getline(lines, line));
      std::istringstream numbers(line);
      std::vector<TokenId> expected;
      for (TokenId id = 0; numbers >> id;) expected.push_back(id);
      std::vector<TokenId> ids;
      (*tokenizer)->encode(text, {.add_special = false, .parse_special = false}, ids);
      EXPECT_EQ(ids, expected);
      EXPECT_EQ((*tokenizer)->count(text, {.add_special = false, .parse_special = false}),
                expected.size());
    }
  }
}

TEST(GgufVocabularies, AddSpecialTokensAsTheFileSays) {
  struct Case {
    const char* name;
    std::vector<TokenId> special;  // of the empty text
  };
  const Case cases[] = {{"llama-spm", {1}},
                        {"llama-bpe", {128000}},
                        {"bert-bge", {101, 102}},
                        {"nomic-bert-moe", {0, 2}},
                        {"gpt-2", {}},
                        {"qwen2", {}},
                        {"gemma-4", {2}},
                        {"deepseek-llm", {100000}}};
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    const std::string path = std::string(FATHOM_DEPS_DIR "/vocab/ggml-vocab-") + c.name + ".gguf";
    if (!file_exists(path)) GTEST_SKIP() << path << " is missing; run ./dev setup";
    const auto tokenizer = load_tokenizer(path);
    ASSERT_TRUE(tokenizer) << tokenizer.error().message;
    std::vector<TokenId> ids;
    (*tokenizer)->encode("", {.add_special = true}, ids);
    EXPECT_EQ(ids, c.special);
  }
}

}  // namespace
}  // namespace fathom
