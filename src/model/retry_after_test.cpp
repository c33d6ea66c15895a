// When to come back (R5): every form of the headers in use.
#include "model/retry_after.h"

#include <gtest/gtest.h>

#include <string>

namespace fathom {
namespace {

// 2026-11-30T22:18:43Z
constexpr int64_t kNow = 1796077123000;

TEST(ParseDuration, KnowsTheForms) {
  const struct {
    const char* text;
    std::optional<int64_t> ms;
  } cases[] = {
      {"1m30s", 90'000},
      {"500ms", 500},
      {"2s", 2000},
      {"6m0s", 360'000},
      {"1h2m3s", 3'723'000},
      {"20", 20'000},
      {"0.5s", 500},
      {"6.5s", 6500},
      {"1h0m3.5s", 3'603'500},
      {"0", 0},
      {"0s", 0},
      {"12.4ms", 13},
      {"", std::nullopt},
      {"s", std::nullopt},
      {"1m30", std::nullopt},
      {"-5s", std::nullopt},
      {"5 s", std::nullopt},
      {"5d", std::nullopt},
      {"1e3s", std::nullopt},
      {"nan", std::nullopt},
      {"inf", std::nullopt},
      {"99999999999999999999s", 86'400'000},
  };
  for (const auto& c : cases) EXPECT_EQ(parse_duration_ms(c.text), c.ms) << c.text;
}

struct Case {
  const char* name;
  int64_t status;
  HttpHeaders headers;
  std::string message;
  std::optional<int64_t> ms;
};

TEST(RetryAfter, ReadsHeadersThenWords) {
  const Case cases[] = {
      {"nothing", 429, {}, "", std::nullopt},
      {"seconds", 429, {{"retry-after", "2"}}, "", 2000},
      {"seconds with a fraction", 503, {{"retry-after", "1.5"}}, "", 1500},
      {"milliseconds win", 429, {{"retry-after", "2"}, {"retry-after-ms", "150"}}, "", 150},
      {"an HTTP date", 429, {{"retry-after", "Mon, 30 Nov 2026 22:18:53 GMT"}}, "", 10'000},
      {"a date gone by", 429, {{"retry-after", "Mon, 30 Nov 2026 22:00:00 GMT"}}, "", 0},
      {"nonsense", 429, {{"retry-after", "soon"}}, "", std::nullopt},
      {"a negative number", 429, {{"retry-after", "-4"}}, "", std::nullopt},
      {"at most a day", 429, {{"retry-after", "9999999"}}, "", 86'400'000},
      {"the used-up limit",
       429,
       {{"x-ratelimit-remaining-requests", "99"},
        {"x-ratelimit-reset-requests", "1h"},
        {"x-ratelimit-remaining-tokens", "0"},
        {"x-ratelimit-reset-tokens", "6m0s"}},
       "",
       360'000},
      {"no limit says it is used up: the longest",
       429,
       {{"x-ratelimit-reset-requests", "12ms"}, {"x-ratelimit-reset-tokens", "1.2s"}},
       "",
       1200},
      {"reset in epoch milliseconds", 429, {{"x-ratelimit-reset", "1796077125000"}}, "", 2000},
      {"reset in epoch seconds", 429, {{"x-ratelimit-reset", "1796077126"}}, "", 3000},
      {"reset in seconds", 429, {{"x-ratelimit-reset", "7"}}, "", 7000},
      {"resets mean nothing without 429",
       500,
       {{"x-ratelimit-reset-tokens", "1.2s"}},
       "",
       std::nullopt},
      {"OpenAI's words",
       429,
       {},
       "Rate limit reached on tokens per min. Please try again in 6.5s. Visit",
       6500},
      {"OpenAI's words in milliseconds", 429, {}, "Please try again in 512ms.", 512},
      {"Azure's words", 429, {}, "Please retry after 20 seconds.", 20'000},
      {"Gemini's detail", 429, {}, R"(quota [{"@type":"RetryInfo","retryDelay":"37s"}])", 37'000},
  };
  for (const Case& c : cases)
    EXPECT_EQ(retry_after_ms(c.status, c.headers, c.message, kNow), c.ms) << c.name;
}

}  // namespace
}  // namespace fathom
