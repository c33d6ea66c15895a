// What a value looks like, so that an answer's other values can be told from its prose.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/span.h"

namespace fathom {

enum class ShapeKind {
  kNone,    // no shape that prose does not have too
  kNumber,  // a run of `size` digits
  kUuid,    // 8-4-4-4-12 hexadecimal digits, any case
  kName,    // a run of `size` capital letters A-Z: a variable
};

struct ValueShape {
  ShapeKind kind = ShapeKind::kNone;
  size_t size = 0;
  bool operator==(const ValueShape&) const = default;
};

// The shape that all texts have, kNone where they differ or are none. Numbers need four digits and
// names three letters, so that years' neighbours and initials are no values.
[[nodiscard]] ValueShape shape_of(const std::vector<std::string>& texts);
[[nodiscard]] bool has_shape(std::string_view text, ValueShape shape);

// Places of all values of this shape that stand whole (grade/whole_words.h). Names are looked for
// in their own case. O(n) in bytes.
[[nodiscard]] std::vector<ByteSpan> values_of(std::string_view text, ValueShape shape);

// Runs of characters that a value of this shape might have become by slips of the pen: digits,
// hexadecimal digits with hyphens, capital letters, of about the right length. O(n) in bytes.
[[nodiscard]] std::vector<ByteSpan> near_values_of(std::string_view text, ValueShape shape);

// Whether `text` is `value` with few characters wrong: at most two of a number or name of six and
// more, one of shorter ones; a quarter of a UUID, or a part of it that only one UUID has (its first
// twelve characters). O(size of both).
[[nodiscard]] bool is_slip_of(std::string_view text, std::string_view value, ValueShape shape);

}  // namespace fathom
