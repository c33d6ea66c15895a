// A small set of texts that can be asked whether it holds one: "no" is certain, "yes" is wrong for
// about one text in forty that it does not hold (a Bloom filter of 8 bits an entry, 5 probes).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace fathom {

class TextFilter {
 public:
  static constexpr size_t kMostEntries = 1024;

  TextFilter() = default;
  // Distinct texts; with none or more than kMostEntries of them the filter stays empty, which
  // knows nothing.
  [[nodiscard]] static TextFilter of(const std::vector<std::string>& texts);

  [[nodiscard]] bool empty() const { return bits_.empty(); }
  // Requires: !empty(). O(1).
  [[nodiscard]] bool may_hold(std::string_view text) const;

  [[nodiscard]] std::string to_text() const;  // hexadecimal digits of the bits
  [[nodiscard]] static Result<TextFilter> from_text(std::string_view text);

  bool operator==(const TextFilter&) const = default;

 private:
  std::vector<uint8_t> bits_;
};

}  // namespace fathom
