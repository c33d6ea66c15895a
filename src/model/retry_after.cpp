#include "model/retry_after.h"

#include <curl/curl.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string>

namespace fathom {
namespace {

constexpr int64_t kDayMs = int64_t{24} * 3600 * 1000;

std::optional<double> leading_number(std::string_view& text) {
  double value = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
  if (error != std::errc() || !std::isfinite(value) || value < 0) return std::nullopt;
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return value;
}

int64_t bounded(double ms) {
  return static_cast<int64_t>(std::clamp(std::ceil(ms), 0.0, static_cast<double>(kDayMs)));
}

// Seconds from now, seconds since 1970 or milliseconds since 1970: told apart by size.
std::optional<int64_t> plain_reset_ms(std::string_view text, int64_t now_unix_ms) {
  std::string_view rest = text;
  const std::optional<double> value = leading_number(rest);
  if (!value || !rest.empty()) return parse_duration_ms(text);
  const auto now = static_cast<double>(now_unix_ms);
  if (*value > 1e12) return bounded(*value - now);
  if (*value > 1e9) return bounded(*value * 1000 - now);
  return bounded(*value * 1000);
}

std::optional<int64_t> header_after_ms(std::string_view text, int64_t now_unix_ms) {
  std::string_view rest = text;
  if (const std::optional<double> seconds = leading_number(rest); seconds && rest.empty())
    return bounded(*seconds * 1000);
  const time_t date = curl_getdate(std::string(text).c_str(), nullptr);
  if (date == -1) return std::nullopt;
  return bounded(static_cast<double>(date) * 1000 - static_cast<double>(now_unix_ms));
}

// The reset of the limit that is used up; where none says so, the longest.
std::optional<int64_t> reset_ms(const HttpHeaders& headers, int64_t now_unix_ms) {
  std::optional<int64_t> used_up;
  std::optional<int64_t> longest;
  for (const std::string_view kind : {"-requests", "-tokens", ""}) {
    const auto reset = header(headers, "x-ratelimit-reset" + std::string(kind));
    if (!reset) continue;
    const std::optional<int64_t> wait = plain_reset_ms(*reset, now_unix_ms);
    if (!wait) continue;
    longest = std::max(longest.value_or(0), *wait);
    const auto remaining = header(headers, "x-ratelimit-remaining" + std::string(kind));
    if (remaining && *remaining == "0") used_up = std::max(used_up.value_or(0), *wait);
  }
  return used_up ? used_up : longest;
}

std::optional<int64_t> worded_ms(std::string_view message) {
  std::string lower(message);
  std::ranges::transform(lower, lower.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  });
  constexpr std::array<std::string_view, 4> kWords = {"try again in ", "retry after ", "retry in ",
                                                      "\"retrydelay\":\""};
  for (const std::string_view words : kWords) {
    const size_t at = lower.find(words);
    if (at == std::string::npos) continue;
    std::string_view rest = std::string_view(lower).substr(at + words.size());
    const size_t end = rest.find_first_not_of("0123456789.hms");
    std::string_view duration = rest.substr(0, end);
    while (duration.ends_with('.')) duration.remove_suffix(1);  // the sentence's own full stop
    if (const std::optional<int64_t> ms = parse_duration_ms(duration)) return ms;
  }
  return std::nullopt;
}

}  // namespace

std::optional<int64_t> parse_duration_ms(std::string_view text) {
  double total = 0;
  bool any = false;
  while (!text.empty()) {
    const std::optional<double> value = leading_number(text);
    if (!value) return std::nullopt;
    if (text.starts_with("ms")) {
      total += *value;
      text.remove_prefix(2);
    } else if (text.empty() || text.front() == 's') {
      if (text.empty() && any) return std::nullopt;  // "1m30": no unit
      total += *value * 1000;
      if (!text.empty()) text.remove_prefix(1);
    } else if (text.front() == 'm' || text.front() == 'h') {
      total += *value * (text.front() == 'm' ? 60e3 : 3600e3);
      text.remove_prefix(1);
    } else {
      return std::nullopt;
    }
    any = true;
  }
  if (!any) return std::nullopt;
  return bounded(total);
}

std::optional<int64_t> retry_after_ms(int64_t status, const HttpHeaders& headers,
                                      std::string_view message, int64_t now_unix_ms) {
  if (const auto text = header(headers, "retry-after-ms")) {
    std::string_view rest = *text;
    if (const std::optional<double> ms = leading_number(rest); ms && rest.empty())
      return bounded(*ms);
  }
  if (const auto text = header(headers, "retry-after"))
    if (const std::optional<int64_t> ms = header_after_ms(*text, now_unix_ms)) return ms;
  constexpr int64_t kTooManyRequests = 429;
  if (status != kTooManyRequests) return std::nullopt;
  if (const std::optional<int64_t> ms = reset_ms(headers, now_unix_ms)) return ms;
  return worded_ms(message);
}

}  // namespace fathom
