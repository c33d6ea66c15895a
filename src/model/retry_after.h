// How long a server wants us to wait, from its headers and, where those are silent, its words.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "model/http_client.h"

namespace fathom {

// "1m30s", "500ms", "2s", "1h0m3.5s", "20" (seconds); nullopt for anything else.
[[nodiscard]] std::optional<int64_t> parse_duration_ms(std::string_view text);

// In this order: retry-after-ms; retry-after (seconds or an HTTP date); for status 429 the
// x-ratelimit-reset-* of the limit that is used up; a time in `message` ("try again in 6.5s").
// Never negative, at most a day. `now_unix_ms` is what dates count from.
[[nodiscard]] std::optional<int64_t> retry_after_ms(int64_t status, const HttpHeaders& headers,
                                                    std::string_view message, int64_t now_unix_ms);

}  // namespace fathom
