#include "suite/suite_lengths.h"

#include <algorithm>
#include <charconv>

#include "suite/suite.h"

namespace fathom {
namespace {

constexpr size_t kMostLengths = 10'000;

// "4096", "4_096", "4k" (× 1024), "1m" (× 1024²).
Result<int64_t> one_length(std::string_view text) {
  std::string digits;
  for (const char c : text) {
    if (c != '_') digits += c;
  }
  int64_t unit = 1;
  if (!digits.empty()) {
    const char last = digits.back();
    if (last == 'k' || last == 'K') unit = 1024;
    if (last == 'm' || last == 'M') unit = int64_t{1024} * 1024;
    if (unit > 1) digits.pop_back();
  }
  int64_t number = 0;
  const char* end = digits.data() + digits.size();
  const auto [rest, error] = std::from_chars(digits.data(), end, number);
  if (digits.empty() || rest != end || error == std::errc::invalid_argument) {
    return fail(ErrorCode::kUsage,
                "'{}' is not a length; write tokens (4096), k (4k) or m (1m), a list or a range "
                "(4k..128k)",
                text);
  }
  if (error != std::errc{} || number < 0 || number > kLongestLength / unit ||
      number * unit < kShortestLength) {
    return fail(ErrorCode::kUsage, "length {} is outside {}..{} tokens", text, kShortestLength,
                kLongestLength);
  }
  return number * unit;
}

}  // namespace

Result<std::vector<int64_t>> length_item(std::string_view item) {
  const size_t dots = item.find("..");
  if (dots == std::string_view::npos) {
    TRY(const int64_t length, one_length(item));
    return std::vector<int64_t>{length};
  }
  std::string_view high_text = item.substr(dots + 2);
  const size_t plus = high_text.find('+');
  TRY(const int64_t low, one_length(item.substr(0, dots)));
  TRY(const int64_t high, one_length(high_text.substr(0, plus)));
  int64_t step = 0;
  if (plus != std::string_view::npos) {
    const std::string_view step_text = high_text.substr(plus + 1);
    const auto [rest, error] =
        std::from_chars(step_text.data(), step_text.data() + step_text.size(), step);
    if (error != std::errc{} || rest != step_text.data() + step_text.size() || step < 1) {
      return fail(ErrorCode::kUsage, "'{}': the step after + must be a positive number of tokens",
                  item);
    }
  }
  if (low > high) return fail(ErrorCode::kUsage, "'{}': the range ends below its start", item);
  std::vector<int64_t> lengths;
  for (int64_t length = low; length <= high; length = step > 0 ? length + step : length * 2) {
    lengths.push_back(length);
    if (lengths.size() > kMostLengths) {
      return fail(ErrorCode::kUsage, "'{}' gives more than {} lengths", item, kMostLengths);
    }
  }
  if (step == 0 && lengths.back() != high) {
    return fail(ErrorCode::kUsage,
                "'{}': doubling from {} does not reach {}; end at {} or add a step ({}+512)", item,
                low, high, lengths.back(), item);
  }
  return lengths;
}

Result<std::vector<int64_t>> block_edges(int64_t block, int64_t at) {
  if (at % block != 0) {
    return fail(ErrorCode::kUsage, "{} is not a multiple of the block size {}; the nearest is {}",
                at, block, std::max(block, (at + block / 2) / block * block));
  }
  return std::vector<int64_t>{at - 1, at, at + 1};
}

void sort_lengths(std::vector<int64_t>& lengths) {
  std::sort(lengths.begin(), lengths.end());
  lengths.erase(std::unique(lengths.begin(), lengths.end()), lengths.end());
}

Result<std::vector<int64_t>> parse_lengths(std::string_view text) {
  std::vector<int64_t> lengths;
  while (true) {
    const size_t comma = text.find(',');
    std::string_view item = text.substr(0, comma);
    while (item.starts_with(' ')) item.remove_prefix(1);
    while (item.ends_with(' ')) item.remove_suffix(1);
    TRY(const auto some, length_item(item));
    lengths.insert(lengths.end(), some.begin(), some.end());
    if (comma == std::string_view::npos) break;
    text.remove_prefix(comma + 1);
  }
  sort_lengths(lengths);
  return lengths;
}

}  // namespace fathom
