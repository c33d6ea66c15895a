#include "io/json.h"

#include <gtest/gtest.h>

namespace fathom {
namespace {

TEST(JsonTest, ErrorsNameThePlace) {
  const auto error = parse_json("{\n  \"a\": 1,\n  \"b\": }", "x.json").error();
  EXPECT_EQ(error.code, ErrorCode::kInput);
  EXPECT_NE(error.message.find("x.json: line 3, column 8"), std::string::npos) << error.message;
  EXPECT_EQ(parse_json("[66E22266]", "x").error().message,
            "x: not valid JSON: number overflow parsing '66E22266'");
  EXPECT_FALSE(parse_json("", "x"));
  EXPECT_FALSE(parse_json("{} {}", "x"));
  EXPECT_FALSE(parse_json("\"\xff\"", "x"));
}

TEST(JsonTest, DepthIsLimited) {
  EXPECT_TRUE(parse_json(std::string(200, '[') + std::string(200, ']'), "x"));
  EXPECT_FALSE(parse_json(std::string(202, '[') + std::string(202, ']'), "x"));
  EXPECT_FALSE(parse_json(std::string(1'000'000, '['), "x"));
}

TEST(JsonTest, ReaderNamesKeyAndType) {
  const Json json =
      parse_json(
          R"({"t":"x","n":3,"f":1.5,"b":true,"l":["a"],"bad":[1],"o":{"n":null},"big":18446744073709551615})",
          "f")
          .value();
  const auto reader = JsonReader::of(json, "f").value();
  EXPECT_EQ(reader.text("t").value(), "x");
  EXPECT_EQ(reader.integer("n").value(), 3);
  EXPECT_EQ(reader.number("n").value(), 3.0);
  EXPECT_EQ(reader.number("f").value(), 1.5);
  EXPECT_TRUE(reader.boolean("b").value());
  EXPECT_EQ(reader.texts("l").value(), std::vector<std::string>{"a"});
  EXPECT_EQ(reader.text("none").error().message, "f: key 'none' is missing");
  EXPECT_EQ(reader.text("n").error().message, "f: key 'n' must be a string, not number");
  EXPECT_EQ(reader.integer("f").error().message, "f: key 'f' must be a whole number, not number");
  EXPECT_EQ(reader.texts("bad").error().message,
            "f: key 'bad' must be a list of strings, not number");
  EXPECT_EQ(reader.integer("big").error().message, "f: key 'big' is too large");
  EXPECT_EQ(reader.object("o")->integer("n").error().message,
            "f: o: key 'n' must be a whole number, not null");
  EXPECT_FALSE(reader.object("o")->has("n"));
}

TEST(JsonTest, AnyStringCanBeWritten) {
  EXPECT_EQ(to_json_line(Json("a\xff")), "\"a\xEF\xBF\xBD\"");
}

}  // namespace
}  // namespace fathom
