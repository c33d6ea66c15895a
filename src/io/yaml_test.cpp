// YAML with positions: values, errors, hostile input (Q1).
#include "io/yaml.h"

#include <gtest/gtest.h>

namespace fathom {
namespace {

TEST(Yaml, ValuesRememberTheirPlaces) {
  const auto root = parse_yaml("a: 1\nlist:\n  - x\n  - \"7\"\nmap: {k: v}\nnothing:\n", "f");
  ASSERT_TRUE(root) << root.error().message;
  ASSERT_EQ(root->kind, YamlKind::kMap);
  const YamlValue* list = root->find("list");
  ASSERT_NE(list, nullptr);
  ASSERT_EQ(list->items.size(), 2U);
  EXPECT_EQ(list->items[1].scalar, "7");
  EXPECT_TRUE(list->items[1].quoted);
  EXPECT_EQ(list->items[1].line, 4);
  EXPECT_EQ(list->items[1].column, 5);
  EXPECT_EQ(root->find("map")->find("k")->scalar, "v");
  EXPECT_EQ(root->find("nothing")->kind, YamlKind::kNull);
  EXPECT_EQ(root->find("missing"), nullptr);
}

TEST(Yaml, BlockTextsKeepTheirLines) {
  const auto root = parse_yaml("t: |\n  one\n  two\nf: >-\n  a\n  b\n", "f");
  ASSERT_TRUE(root) << root.error().message;
  EXPECT_EQ(root->find("t")->scalar, "one\ntwo\n");
  EXPECT_EQ(root->find("f")->scalar, "a b");
  EXPECT_TRUE(root->find("t")->quoted);
}

TEST(Yaml, EmptyDocumentsAreNull) {
  for (const char* text : {"", "# only a comment\n", "---\n", "~"}) {
    const auto root = parse_yaml(text, "f");
    ASSERT_TRUE(root) << text;
    EXPECT_EQ(root->kind, YamlKind::kNull) << text;
  }
}

TEST(Yaml, JsonIsYaml) {
  const auto root = parse_yaml(R"({"a": [1, 2.5, true], "b": {"c": "d"}})", "f");
  ASSERT_TRUE(root) << root.error().message;
  EXPECT_EQ(root->find("a")->items.size(), 3U);
  EXPECT_EQ(root->find("b")->find("c")->scalar, "d");
}

struct Bad {
  std::string text;
  std::string message;
};

class YamlErrors : public testing::TestWithParam<Bad> {};

TEST_P(YamlErrors, NameThePlace) {
  const auto root = parse_yaml(GetParam().text, "f");
  ASSERT_FALSE(root);
  EXPECT_EQ(root.error().code, ErrorCode::kInput);
  EXPECT_NE(root.error().message.find(GetParam().message), std::string::npos)
      << root.error().message;
}

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

INSTANTIATE_TEST_SUITE_P(
    Table, YamlErrors,
    testing::Values(Bad{"a: 1\na: 2\n",
                        "f:2:1: key 'a' stands here a second time (first in line 1)"},
                    Bad{"a: &x 1\n", "f:1:4: anchors"}, Bad{"a: *x\n", "f:1:4: not YAML"},
                    Bad{"a: !!int 1\n", "f:1:4: tags"}, Bad{"[a]: 1\n", "f:1:"},
                    Bad{"\ta: 1\n", "f:1:"}, Bad{"a: b: c\n", "f:1:5: not YAML"},
                    Bad{"a: [1, 2\n", "f:2:1: not YAML"}, Bad{"a: }\n", "f:1:"},
                    Bad{"a: 1\n---\nb: 2\n", "more than one document"},
                    Bad{std::string("a: \0b", 5), "NUL"}, Bad{repeated("[", 100), "f:1:"},
                    Bad{repeated("[", 20000), "f:1:"}, Bad{repeated("{a: ", 1000), "f:1:"},
                    Bad{repeated("- ", 5000), "f:1:"},
                    Bad{repeated("- a\n", 250'000), "more than 200000 values"},
                    Bad{std::string(5 << 20, 'a'), "larger than"}));

TEST(Yaml, AliasBombsEndAtOnce) {  // the billion laughs
  std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 12; ++i) {
    bomb += fmt::format("a{0}: &a{0} [*a{1}, *a{1}, *a{1}, *a{1}, *a{1}]\n", i, i - 1);
  }
  const auto root = parse_yaml(bomb, "f");
  ASSERT_FALSE(root);
  EXPECT_NE(root.error().message.find("f:1:"), std::string::npos);
}

TEST(YamlScalars, Integers) {
  const auto integer = [](const std::string& text) {
    const auto root = parse_yaml(text, "f");
    return yaml_integer(*root, "f", "'n'", -10, 5000);
  };
  EXPECT_EQ(integer("42").value(), 42);
  EXPECT_EQ(integer("+7").value(), 7);
  EXPECT_EQ(integer("-10").value(), -10);
  EXPECT_EQ(integer("1_000").value(), 1000);
  for (const char* bad :
       {"4.0", "0x10", "1e3", "'5'", "_1", "1_", "--1", "+-1", "ten", "[1]", "5001", "-11"}) {
    EXPECT_FALSE(integer(bad)) << bad;
  }
}

TEST(YamlScalars, NumbersAndTruthValues) {
  const auto root = parse_yaml("[0.5, 1e-3, 7, .nan, inf, yes, Off, 'true', on]", "f");
  ASSERT_TRUE(root);
  EXPECT_EQ(yaml_number(root->items[0], "f", "x").value(), 0.5);
  EXPECT_EQ(yaml_number(root->items[1], "f", "x").value(), 1e-3);
  EXPECT_EQ(yaml_number(root->items[2], "f", "x").value(), 7.0);
  EXPECT_FALSE(yaml_number(root->items[3], "f", "x"));
  EXPECT_FALSE(yaml_number(root->items[4], "f", "x"));
  EXPECT_TRUE(yaml_boolean(root->items[5], "f", "x").value());
  EXPECT_FALSE(yaml_boolean(root->items[6], "f", "x")) << "only lower case";
  EXPECT_FALSE(yaml_boolean(root->items[7], "f", "x")) << "a quoted word is a text";
  EXPECT_TRUE(yaml_boolean(root->items[8], "f", "x").value());
}

TEST(NearestWord, FindsTyposOnly) {
  const std::vector<std::string> words = {"samples", "lengths", "seed", "template"};
  EXPECT_EQ(nearest_word("sample", words), "samples");
  EXPECT_EQ(nearest_word("lenghts", words), "lengths");
  EXPECT_EQ(nearest_word("tempalte", words), "template");
  EXPECT_EQ(nearest_word("colour", words), "");
  EXPECT_EQ(nearest_word("", words), "");
  EXPECT_EQ(nearest_word(std::string(1000, 'a'), words), "");
}

}  // namespace
}  // namespace fathom
