#include "io/json_text.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "io/json.h"

namespace fathom {
namespace {

TEST(JsonTextTest, Escapes) {
  struct Case {
    std::string_view text;
    std::string_view expected;
  };
  using namespace std::string_view_literals;
  const Case cases[] = {
      {"", R"("")"},
      {"plain", R"("plain")"},
      {"a\"b\\c", R"("a\"b\\c")"},
      {"\n\r\t\b\x1f\x7f", "\"\\n\\r\\t\\u0008\\u001f\x7f\""},
      {"\0"sv, R"("\u0000")"},
      {"é漢😀", "\"é漢😀\""},
      {"\xff", "\"\xEF\xBF\xBD\""},
      {"\xC3", "\"\xEF\xBF\xBD\""},
      {"\xED\xA0\x80", "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\""},  // a lone surrogate
      {"\xF4\x90\x80\x80", "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\""},
  };
  for (const Case& row : cases) EXPECT_EQ(json_text(row.text), row.expected);
}

TEST(JsonTextTest, EveryTextComesBackFromAnIndependentParser) {
  Random random(RandomKey(9), "text");
  const std::string_view parts[] = {
      "a", "\"", "\\", "\n", "é", "漢字", "😀", std::string_view("\0", 1), "0123456789abcdef"};
  for (int round = 0; round < 2000; ++round) {
    std::string text;
    for (uint64_t n = random.below(40); n > 0; --n) text += parts[random.below(std::size(parts))];
    EXPECT_EQ(parse_json(json_text(text), "test")->get<std::string>(), text);
  }
}

TEST(JsonTextTest, AnyBytesGiveValidJson) {
  Random random(RandomKey(10), "bytes");
  for (int round = 0; round < 2000; ++round) {
    std::string text;
    for (uint64_t n = random.below(60); n > 0; --n) text += static_cast<char>(random.below(256));
    EXPECT_TRUE(parse_json(json_text(text), "test"));
  }
}

}  // namespace
}  // namespace fathom
