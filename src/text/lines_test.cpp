#include "text/lines.h"

#include <gtest/gtest.h>

namespace fathom {
namespace {

TEST(Lines, EndAtLineFeedsAlone) {
  using Lines = std::vector<std::string_view>;
  EXPECT_EQ(split_lines(""), Lines{});
  EXPECT_EQ(split_lines("\n"), Lines{""});
  EXPECT_EQ(split_lines("a"), Lines{"a"});
  EXPECT_EQ(split_lines("a\nb\n"), (Lines{"a", "b"}));
  EXPECT_EQ(split_lines("\n\na\r\nb"), (Lines{"", "", "a\r", "b"}));
}

}  // namespace
}  // namespace fathom
