// Where an OpenAI-like server is: from whatever form of its address people paste.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace fathom {

struct ServerAddress {
  std::string base;   // "https://api.example.com/v1", no slash at its end
  std::string root;   // base without a last "/v1": where /props, /tokenize and /health live
  std::string query;  // "?api-version=…" or empty, put behind every path
  std::string api;    // "chat" or "completions" when the address named the endpoint, else empty
  [[nodiscard]] std::string endpoint(std::string_view path) const;       // base + path + query
  [[nodiscard]] std::string root_endpoint(std::string_view path) const;  // root + path + query
  [[nodiscard]] std::string host() const;                                // without the port
  bool operator==(const ServerAddress&) const = default;
};

// "http://host:8000", ".../v1", ".../v1/chat/completions"; an address without a path gets "/v1".
// Errors: kUsage for another scheme, a user name or password inside, spaces, a fragment.
[[nodiscard]] Result<ServerAddress> parse_server_address(std::string_view text);

}  // namespace fathom
