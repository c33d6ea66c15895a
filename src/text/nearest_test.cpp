#include "text/nearest.h"

#include <gtest/gtest.h>

namespace fathom {
namespace {

TEST(NearestTest, FindsSlipsAndNothingElse) {
  const std::vector<std::string> names = {"lengths", "samples",       "seed",
                                          "tasks",   "niah_single_1", "niah_single_2"};
  struct Case {
    std::string given;
    std::string expected;
  };
  const Case cases[] = {{"length", "lengths"},
                        {"sampels", "samples"},
                        {"sed", "seed"},
                        {"niah_single1", "niah_single_1"},
                        {"task", "tasks"},
                        {"zebra", ""},
                        {"", ""},
                        {"x", ""},
                        {std::string(100'000, 'a'), ""}};
  for (const Case& row : cases)
    EXPECT_EQ(nearest_name(row.given, names), row.expected) << row.given;
  EXPECT_EQ(nearest_name("--tempratue", {"--template", "--temperature"}), "--temperature");
  EXPECT_EQ(did_you_mean("sead", names), " (did you mean 'seed'?)");
  EXPECT_EQ(did_you_mean("qqqq", names), "");
}

}  // namespace
}  // namespace fathom
