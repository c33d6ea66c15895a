// J1: Python's reading of case and white space, character by character
// (tests/oracles/python_text_oracle.py).
#include "grade/python_text.h"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "text/utf8.h"

namespace fathom {
namespace {

// Every character that may be assigned, and a few of the rest.
const std::vector<char32_t>& characters() {
  static const std::vector<char32_t> all = [] {
    std::vector<char32_t> list;
    for (char32_t character = 0; character <= 0x10FFFF; ++character) {
      const bool surrogate = character >= 0xD800 && character <= 0xDFFF;
      const bool dense = character < 0x20000 || (character >= 0xE0000 && character < 0xE1000);
      if (!surrogate && (dense || character % 251 == 0)) list.push_back(character);
    }
    return list;
  }();
  return all;
}

struct PythonTable {
  std::map<char32_t, std::string> lower;
  std::set<char32_t> spaces;
  std::set<char32_t> unassigned;
  std::set<char32_t> cased;
  std::set<char32_t> ignorable;
};

std::string utf8(char32_t character) {
  std::string text;
  append_utf8(text, character);
  return text;
}

char32_t code_of(const std::string& hex) {
  return static_cast<char32_t>(std::stoul(hex, nullptr, 16));
}

PythonTable python_table() {
  std::ifstream file(std::string(FATHOM_TEST_DATA) + "/grade/python_text.txt");
  PythonTable table;
  const std::map<std::string, std::set<char32_t>*> sets = {{"space", &table.spaces},
                                                           {"unassigned", &table.unassigned},
                                                           {"cased", &table.cased},
                                                           {"ignorable", &table.ignorable}};
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream words(line);
    std::string kind;
    std::string first;
    words >> kind >> first;
    if (kind == "lower") {
      std::string& lowered = table.lower[code_of(first)];
      for (std::string code; words >> code;) lowered += utf8(code_of(code));
      continue;
    }
    const size_t dash = first.find('-');
    for (char32_t code = code_of(first.substr(0, dash)); code <= code_of(first.substr(dash + 1));
         ++code)
      sets.at(kind)->insert(code);
  }
  return table;
}

TEST(PythonText, LowersEveryCharacter) {
  const PythonTable table = python_table();
  ASSERT_GT(table.lower.size(), 1300U);
  for (const char32_t character : characters()) {
    if (table.unassigned.contains(character)) continue;
    const auto found = table.lower.find(character);
    const std::string wanted = found == table.lower.end() ? utf8(character) : found->second;
    ASSERT_EQ(python_lower(utf8(character)), wanted)
        << std::hex << static_cast<uint32_t>(character);
  }
}

TEST(PythonText, StripsEverySpace) {
  const PythonTable table = python_table();
  ASSERT_EQ(table.spaces.size(), 29U);
  for (const char32_t character : characters()) {
    const std::string text = utf8(character) + "x" + utf8(character);
    ASSERT_EQ(python_strip(text), table.spaces.contains(character) ? "x" : text)
        << std::hex << static_cast<uint32_t>(character);
  }
  EXPECT_EQ(python_strip(""), "");
  EXPECT_EQ(python_strip(" \t\n"), "");
}

TEST(PythonText, ChoosesTheFormOfSigmaBesideEveryCharacter) {
  const PythonTable table = python_table();
  ASSERT_FALSE(table.cased.empty());
  ASSERT_FALSE(table.ignorable.empty());
  for (const char32_t character : characters()) {
    if (table.unassigned.contains(character)) continue;
    const std::string behind = python_lower("aΣ" + utf8(character));
    const std::string beyond = python_lower("aΣ" + utf8(character) + "a");
    const bool cased = table.cased.contains(character);
    const bool ignorable = table.ignorable.contains(character);
    ASSERT_EQ(behind.substr(1, 2), cased ? "σ" : "ς")
        << std::hex << static_cast<uint32_t>(character);
    ASSERT_EQ(beyond.substr(1, 2), cased || ignorable ? "σ" : "ς")
        << std::hex << static_cast<uint32_t>(character);
  }
}

TEST(PythonText, KeepsStrayBytes) {
  EXPECT_EQ(python_lower("A\xff\xc3Z"), "a\xff\xc3z");
  EXPECT_EQ(python_lower("\xed\xa0\x80Q"), "\xed\xa0\x80q");  // half a surrogate pair
  EXPECT_EQ(python_strip(" \xa0\xff "), "\xa0\xff");
  EXPECT_EQ(python_strip("\x80"), "\x80");
  EXPECT_EQ(python_lower("\xce\xa3\xff"), "σ\xff");
}

// Values as `round(x, 2)` and `repr(x)` of Python 3.11 print them.
TEST(PythonText, RoundsAndPrintsAsPython) {
  struct Case {
    double value;
    double rounded;
    const char* text;
  };
  const Case cases[] = {{0, 0, "0.0"},
                        {100, 100, "100.0"},
                        {99.8, 99.8, "99.8"},
                        {0.125, 0.12, "0.125"},
                        {0.375, 0.38, "0.375"},
                        {2.675, 2.67, "2.675"},
                        {1.005, 1.0, "1.005"},
                        {66.66666666666667, 66.67, "66.66666666666667"},
                        {33.33333333333333, 33.33, "33.33333333333333"},
                        {0.1 + 0.2, 0.3, "0.30000000000000004"},
                        {1e-5, 0, "1e-05"},
                        {0.0001, 0, "0.0001"},
                        {1e16, 1e16, "1e+16"},
                        {123456789012345.0, 123456789012345.0, "123456789012345.0"},
                        {-1.5, -1.5, "-1.5"}};
  for (const Case& test : cases) {
    EXPECT_EQ(python_round(test.value, 2), test.rounded) << test.text;
    EXPECT_EQ(python_repr(test.value), test.text);
  }
}

}  // namespace
}  // namespace fathom
