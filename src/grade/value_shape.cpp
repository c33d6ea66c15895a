#include "grade/value_shape.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "grade/whole_words.h"

namespace fathom {
namespace {

constexpr size_t kFewestDigits = 4;
constexpr size_t kFewestLetters = 3;
constexpr size_t kUuidSize = 36;
constexpr size_t kTellingUuidStart = 12;

bool is_digit(char byte) { return byte >= '0' && byte <= '9'; }
bool is_capital(char byte) { return byte >= 'A' && byte <= 'Z'; }
bool is_hex(char byte) {
  const char lowered = static_cast<char>(byte | 32);
  return is_digit(byte) || (lowered >= 'a' && lowered <= 'f');
}
bool is_uuid_part(char byte) { return is_hex(byte) || byte == '-'; }

bool is_uuid(std::string_view text) {
  if (text.size() != kUuidSize) return false;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool hyphen = i == 8 || i == 13 || i == 18 || i == 23;
    if (hyphen ? text[i] != '-' : !is_hex(text[i])) return false;
  }
  return true;
}

ValueShape shape_of_one(std::string_view text) {
  if (is_uuid(text)) return {ShapeKind::kUuid, kUuidSize};
  if (text.size() >= kFewestDigits && std::all_of(text.begin(), text.end(), is_digit))
    return {ShapeKind::kNumber, text.size()};
  if (text.size() >= kFewestLetters && std::all_of(text.begin(), text.end(), is_capital))
    return {ShapeKind::kName, text.size()};
  return {};
}

bool (*part_of(ShapeKind kind))(char) {
  switch (kind) {
    case ShapeKind::kNumber:
      return is_digit;
    case ShapeKind::kUuid:
      return is_uuid_part;
    case ShapeKind::kName:
      return is_capital;
    case ShapeKind::kNone:
      break;
  }
  return nullptr;
}

// Runs of a shape's characters, of a size within [least, most].
std::vector<ByteSpan> runs_of(std::string_view text, ValueShape shape, size_t least, size_t most) {
  std::vector<ByteSpan> runs;
  const auto is_part = part_of(shape.kind);
  if (is_part == nullptr) return runs;
  for (size_t at = 0; at < text.size();) {
    if (!is_part(text[at])) {
      ++at;
      continue;
    }
    const size_t begin = at;
    while (at < text.size() && is_part(text[at])) ++at;
    if (at - begin < least || at - begin > most) continue;
    if (stands_whole(text, begin, at, Compounds::kOneWord)) runs.push_back({begin, at});
  }
  return runs;
}

// The size of the longest that edit_distance takes.
constexpr size_t kLongestCompared = 64;

// Insertions, deletions, substitutions and swaps of neighbours.
size_t edit_distance(std::string_view a, std::string_view b) {
  using Row = std::array<size_t, kLongestCompared + 1>;
  Row before{};
  Row above{};
  Row row{};
  std::iota(above.begin(), above.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t same = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, same});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before = above;
    above = row;
  }
  return above[b.size()];
}

}  // namespace

ValueShape shape_of(const std::vector<std::string>& texts) {
  if (texts.empty()) return {};
  const ValueShape shape = shape_of_one(texts.front());
  for (const std::string& text : texts)
    if (shape_of_one(text) != shape) return {};
  return shape;
}

bool has_shape(std::string_view text, ValueShape shape) {
  return shape.kind != ShapeKind::kNone && shape_of_one(text) == shape;
}

std::vector<ByteSpan> values_of(std::string_view text, ValueShape shape) {
  std::vector<ByteSpan> values = runs_of(text, shape, shape.size, shape.size);
  if (shape.kind == ShapeKind::kUuid)
    std::erase_if(values, [&](ByteSpan span) {
      return !is_uuid(text.substr(span.begin, span.end - span.begin));
    });
  return values;
}

std::vector<ByteSpan> near_values_of(std::string_view text, ValueShape shape) {
  if (shape.kind == ShapeKind::kUuid)
    return runs_of(text, shape, kTellingUuidStart, kLongestCompared);
  const size_t least = shape.size > 2 ? shape.size - 2 : 1;
  return runs_of(text, shape, least, std::min(shape.size + 2, kLongestCompared));
}

bool is_slip_of(std::string_view text, std::string_view value, ValueShape shape) {
  if (text.size() > kLongestCompared || value.size() > kLongestCompared) return false;
  if (shape.kind == ShapeKind::kNone || text == value) return false;
  const size_t wrong = edit_distance(text, value);
  if (shape.kind == ShapeKind::kUuid)
    return wrong <= kUuidSize / 4 ||
           text.substr(0, kTellingUuidStart) == value.substr(0, kTellingUuidStart);
  return wrong <= (value.size() >= 6 ? 2U : 1U);
}

}  // namespace fathom
