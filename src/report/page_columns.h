// Columns of numbers as the page holds them (docs/formats/page.md, "Columns"): little-endian binary
// in base64, in the smallest width that holds the column.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fathom {

inline constexpr int64_t kNoPageValue = -1;  // written as the greatest value of the column's width

// One column as a JSON object: {"type":"u8","data":"AAEC…"}. Requires: values are -1 (none) or
// 0..2^32-2. O(n).
[[nodiscard]] std::string packed_column(std::span<const int64_t> values);

struct PageColumn {
  std::string_view name;
  std::vector<int64_t> values;
};

// Columns of equal length as a JSON object's text: {"NAME":{…},…}.
[[nodiscard]] std::string packed_columns(std::span<const PageColumn> columns);

}  // namespace fathom
