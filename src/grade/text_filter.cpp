#include "grade/text_filter.h"

#include <xxhash.h>

#include <algorithm>
#include <charconv>

namespace fathom {
namespace {

constexpr size_t kBitsPerEntry = 8;
constexpr uint64_t kProbes = 5;

// Calls with(bit) for each bit of a text, until it returns false.
template <typename With>
bool each_bit(std::string_view text, uint64_t bits, With with) {
  const uint64_t hash = XXH3_64bits(text.data(), text.size());
  const uint64_t step = (hash >> 32) | 1;
  for (uint64_t probe = 0; probe < kProbes; ++probe)
    if (!with((hash + probe * step) % bits)) return false;
  return true;
}

}  // namespace

TextFilter TextFilter::of(const std::vector<std::string>& texts) {
  std::vector<std::string_view> distinct(texts.begin(), texts.end());
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  TextFilter filter;
  if (distinct.empty() || distinct.size() > kMostEntries) return filter;
  filter.bits_.resize(std::max<size_t>(distinct.size() * kBitsPerEntry / 8, 4));
  for (const std::string_view text : distinct) {
    each_bit(text, filter.bits_.size() * 8, [&](uint64_t bit) {
      filter.bits_[bit / 8] |= static_cast<uint8_t>(1U << (bit % 8));
      return true;
    });
  }
  return filter;
}

bool TextFilter::may_hold(std::string_view text) const {
  return each_bit(text, bits_.size() * 8,
                  [&](uint64_t bit) { return (bits_[bit / 8] >> (bit % 8) & 1) != 0; });
}

std::string TextFilter::to_text() const {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  text.reserve(bits_.size() * 2);
  for (const uint8_t byte : bits_) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

Result<TextFilter> TextFilter::from_text(std::string_view text) {
  TextFilter filter;
  if (text.size() % 2 != 0 || text.size() > 2 * kMostEntries * kBitsPerEntry / 8)
    return fail(ErrorCode::kInput, "a text filter must be an even number of hexadecimal digits");
  for (size_t at = 0; at < text.size(); at += 2) {
    uint8_t byte = 0;
    const auto read = std::from_chars(text.data() + at, text.data() + at + 2, byte, 16);
    if (read.ec != std::errc() || read.ptr != text.data() + at + 2)
      return fail(ErrorCode::kInput, "a text filter must consist of hexadecimal digits");
    filter.bits_.push_back(byte);
  }
  return filter;
}

}  // namespace fathom
