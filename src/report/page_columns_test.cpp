// V2: columns in base64, read back by another decoder.
#include "report/page_columns.h"

#include <gtest/gtest.h>

#include "io/json.h"
#include "tokenizer/base64.h"

namespace fathom {
namespace {

std::vector<int64_t> unpacked(const Json& column) {
  const std::string type = column["type"];
  const auto width = static_cast<size_t>(std::stoi(type.substr(1)) / 8);
  const std::string bytes = decode_base64(std::string(column["data"])).value();
  const uint64_t none = (1ULL << (8 * width)) - 1;
  std::vector<int64_t> values;
  for (size_t at = 0; at + width <= bytes.size(); at += width) {
    uint64_t value = 0;
    for (size_t i = 0; i < width; ++i)
      value |= static_cast<uint64_t>(static_cast<unsigned char>(bytes[at + i])) << (8 * i);
    values.push_back(value == none ? kNoPageValue : static_cast<int64_t>(value));
  }
  return values;
}

Json packed(const std::vector<int64_t>& values) {
  return *parse_json(packed_column(values), "column");
}

TEST(PageColumns, TakesTheSmallestWidth) {
  struct Case {
    std::vector<int64_t> values;
    const char* type;
  };
  for (const Case& one :
       {Case{{}, "u8"}, Case{{-1}, "u8"}, Case{{0, 1, 254, -1}, "u8"}, Case{{0, 255}, "u16"},
        Case{{-1, 256, 65534}, "u16"}, Case{{65535, -1}, "u32"}, Case{{0, 4294967294}, "u32"}}) {
    const Json column = packed(one.values);
    EXPECT_EQ(column["type"], one.type);
    EXPECT_EQ(unpacked(column), one.values);
  }
}

TEST(PageColumns, KeepsLongColumnsWhole) {
  std::vector<int64_t> values;
  for (int64_t i = 0; i < 4'000'000; ++i) values.push_back(i % 7 == 0 ? -1 : i % 200);
  EXPECT_EQ(unpacked(packed(values)), values);
}

TEST(PageColumns, NamesEachColumn) {
  const std::vector<PageColumn> columns = {{"a", {1, 2}}, {"b", {-1, 700}}};
  const Json json = *parse_json(packed_columns(columns), "columns");
  EXPECT_EQ(unpacked(json["a"]), columns[0].values);
  EXPECT_EQ(unpacked(json["b"]), columns[1].values);
  EXPECT_EQ(packed_columns({}), "{}");
}

}  // namespace
}  // namespace fathom
