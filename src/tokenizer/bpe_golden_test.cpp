// Ids and character classes recorded from PyPI `tokenizers` (G2);
// tests/data/tokenizer/make_bpe_golden.py remakes the records.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tokenizer/tokenizer.h"
#include "tokenizer/unicode_classes.h"

namespace fathom {
namespace {

TEST(BpeGolden, IdsAreThoseOfTheReference) {
  std::ifstream lines(FATHOM_TEST_DATA "/tokenizer/bpe_golden.jsonl");
  ASSERT_TRUE(lines.is_open());
  std::map<std::string, std::shared_ptr<const Tokenizer>> tokenizers;
  size_t compared = 0;
  for (std::string line; std::getline(lines, line);) {
    const auto row = nlohmann::json::parse(line);
    const std::string name = row["vocabulary"];
    const std::string path = std::string(FATHOM_DEPS_DIR "/tokenizers/") + name + "/tokenizer.json";
    if (!std::filesystem::exists(path)) continue;
    auto& tokenizer = tokenizers[name];
    if (!tokenizer) {
      auto loaded = load_tokenizer(path);
      ASSERT_TRUE(loaded.has_value()) << loaded.error().message;
      tokenizer = *loaded;
      EXPECT_TRUE(tokenizer->info().slow_paths.empty()) << name;
    }
    const std::string text = row["text"];
    const std::vector<TokenId> expected = row["ids"];
    std::vector<TokenId> ids;
    tokenizer->encode(text, {}, ids);
    EXPECT_EQ(ids, expected) << name << ": " << row["text"].dump();
    EXPECT_EQ(tokenizer->count(text, {}), expected.size()) << name << ": " << row["text"].dump();
    ++compared;
  }
  if (compared == 0)
    GTEST_SKIP() << "no tokenizer files in " FATHOM_DEPS_DIR "; set-up fetches them";
}

TEST(UnicodeClasses, EveryCodePointIsInTheClassesOfTheReference) {
  const std::map<std::string, uint8_t> bits = {
      {"upper", kClassUpper},   {"lower", kClassLower},   {"letter", kClassLetter},
      {"mark", kClassMark},     {"number", kClassNumber}, {"punctuation", kClassPunct},
      {"symbol", kClassSymbol}, {"space", kClassSpace}};
  std::ifstream lines(FATHOM_TEST_DATA "/tokenizer/class_fingerprints.txt");
  ASSERT_TRUE(lines.is_open());
  size_t checked = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line[0] == '#') continue;
    std::istringstream fields(line);
    std::string name;
    uint64_t members = 0;
    uint64_t sum = 0;
    uint64_t squares = 0;
    fields >> name >> members >> sum >> squares;
    ASSERT_TRUE(bits.contains(name)) << line;
    for (uint64_t c = 0; c < 0x110000; ++c) {
      if ((unicode_classes()[c] & bits.at(name)) == 0) continue;
      --members;
      sum -= c;
      squares -= c * c;
    }
    EXPECT_EQ(members, 0U) << name;
    EXPECT_EQ(sum, 0U) << name;
    EXPECT_EQ(squares, 0U) << name;
    ++checked;
  }
  EXPECT_EQ(checked, bits.size());
}

}  // namespace
}  // namespace fathom
