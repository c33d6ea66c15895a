// Precompiled character maps at their edges; real ones are compared id for id in golden_test.cpp.
#include "tokenizer/characters_map.h"

#include <gtest/gtest.h>

namespace fathom {
namespace {

TEST(CharactersMap, WithoutATrieReplacesNothing) {
  for (const std::string& blob : {std::string(), std::string(4, '\0'), std::string(9, '\0')}) {
    const auto map = CharactersMap::parse(blob);
    ASSERT_TRUE(map) << blob.size();
    EXPECT_FALSE(map->longest("text")) << blob.size();
  }
}

TEST(CharactersMap, OfAWrongSizeIsRefused) {
  for (const std::string& blob :
       {std::string(3, '\0'), std::string("\x04\0\0\0abc", 7), std::string("\x03\0\0\0abc", 7),
        std::string("\xff\xff\xff\xff", 4)})
    EXPECT_EQ(CharactersMap::parse(blob).error().code, ErrorCode::kInput) << blob.size();
}

}  // namespace
}  // namespace fathom
