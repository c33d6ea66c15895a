#include "results/cell_name.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fathom {
namespace {

using Parameters = std::vector<std::pair<std::string, std::string>>;

TEST(CellName, GivesItsParametersInOrder) {
  struct Case {
    const char* cell;
    Parameters parameters;
  };
  const Case cases[] = {
      {"vt", {}},
      {"vt[hops=4]", {{"hops", "4"}}},
      {"niah_multikey_1[keys=4,queries=2]", {{"keys", "4"}, {"queries", "2"}}},
      {"a[x=]", {{"x", ""}}},
      {"a[x=1,2,y=3]", {{"x", "1,2"}, {"y", "3"}}},
      {"a[x=b=c]", {{"x", "b=c"}}},
      {"a[]", {}},
      {"a[x]", {}},
      {"a[=x]", {}},
      {"a[x=1", {}},
      {"a]x=1[", {}},
      {"", {}},
  };
  for (const Case& each : cases)
    EXPECT_EQ(cell_parameters(each.cell), each.parameters) << each.cell;
}

}  // namespace
}  // namespace fathom
