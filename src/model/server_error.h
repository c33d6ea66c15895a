// What a server's refusal means. Status and words decide together, for servers agree on neither:
// docs/models.md has the table, server_error_test.cpp the known texts.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "model/http_client.h"
#include "model/model.h"

namespace fathom {

// What an error body says. Understands {"error": {…}}, {"error": "…"}, {"message": …},
// {"detail": …}, a list around one of them, and web pages (their title).
struct ServerComplaint {
  std::string message = {};
  std::string type = {};
  std::string code = {};
  bool web_page = false;
};
[[nodiscard]] ServerComplaint read_complaint(std::string_view body);

// A complete response with a status other than 200.
[[nodiscard]] Failure classify_response(int64_t status, const HttpHeaders& headers,
                                        std::string_view body, int64_t now_unix_ms);

// An error object inside a stream that began with 200.
[[nodiscard]] Failure classify_stream_error(std::string_view error_json, int64_t now_unix_ms);

// A response that did not come to its end. Requires: end.problem is not kNone.
[[nodiscard]] Failure classify_broken(const HttpEnd& end);

}  // namespace fathom
